import type { IdToken } from "../../protocol/message.ts";
import type { Outline } from "../../rerecord/outline.ts";
import type { Reveal } from "./hindrances.ts";
import type { LiveNames } from "./live-names.ts";
import type { Permits } from "./permits.ts";
import type { AgainReport } from "./report.ts";
import type { Turns } from "./turns.ts";

/** What the walks of all connections of a recording share. */
export interface AgainContext {
  readonly outline: Outline;
  readonly names: LiveNames;
  readonly permits: Permits;
  readonly reveal: Reveal;
  readonly report: AgainReport;
  readonly door: "stdio" | "http";
  /** Milliseconds that a request may take. */
  readonly timeout: number;
  readonly turns: Turns;
  /** Told when something has come, or was done, that other connections may wait for. */
  readonly onProgress: () => void;
}

/** One of these connections. */
export interface OwnConnection {
  /** The recorded one. */
  readonly session: number;
  /** Live ids of requests that were given up because they took too long. */
  readonly timedOut: Set<IdToken>;
  /** Live ids of requests that the server did not take since it had lost the session. */
  readonly lost: Set<IdToken>;
  /** Told when it was opened though it was recorded without an opening: what was said so far is not its own. */
  readonly onBorrowed: () => void;
}
