import { errorBytes } from "../replay/probes.ts";

/** What a server answers to a session id that it does not know (2025-11-25 basic/transports, session management). */
export const sessionLost = {
  http: { status: 404, headers: { "content-type": "application/json" } },
  body: errorBytes("null", -32001, "Session not found"),
} as const;
