import type { Entry, HttpFacts } from "../exchange/entry.ts";
import type { Message } from "../protocol/message.ts";
import { eraOfRequest } from "../protocol/revisions.ts";
import { findSpan } from "../protocol/scan-json.ts";
import { type Irregularity, irregularities } from "../wire/irregularity.ts";
import { withExpectedHeaders } from "../wire/kept-headers.ts";
import { paramsOf } from "./key.ts";

/** What was improper about the way a request came over HTTP; `session`: without the session id it needed. */
export type Flaw = Irregularity | "session";

const NONE: readonly Flaw[] = [];

/** The flaws of a recorded request, from the facts its entry kept. */
export function flawsOf(entry: Entry, opener: Message): readonly Flaw[] {
  if (!entry.http) return NONE;
  const params = paramsOf(opener);
  const headers = withExpectedHeaders(entry.http.headers);
  return irregularities({
    httpMethod: "POST",
    headers,
    message: { kind: opener.kind, method: opener.method, params },
    era: eraOfRequest({ method: opener.method, params, versionHeader: headers["mcp-protocol-version"] }),
    ownHosts: [],
  });
}

const HEADER_MISMATCH = "-32020";

/**
 * The flaw that only the server's refusal shows: headers that mirror arguments (`Mcp-Param-*`), whose rules stand in
 * the tool's schema, and sessions, which only the server knows.
 */
export function refusedFor(request: HttpFacts | undefined, answer: Entry): Flaw | undefined {
  const status = answer.http?.status;
  if (status === 400 && answer.body) {
    const { bytes } = answer.body;
    const code = answer.body.form === "text" ? undefined : findSpan(bytes, ["error", "code"]);
    if (code && new TextDecoder().decode(bytes.subarray(code.start, code.end)) === HEADER_MISMATCH)
      return "mcp-param";
  }
  // 404 to a request that names a session says that the session is over (2025-11-25 basic/transports).
  return status === 404 && request?.headers?.["mcp-session-id"] !== undefined ? "session" : undefined;
}
