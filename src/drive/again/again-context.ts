import type { Outline } from "../../rerecord/outline.ts";
import type { Reveal } from "./hindrances.ts";
import type { LiveNames } from "./live-names.ts";
import type { Permits } from "./permits.ts";
import type { AgainReport } from "./report.ts";

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
  /** Told when a connection was opened that was recorded without an opening: what was said so far is not its own. */
  readonly onBorrowed: () => void;
}
