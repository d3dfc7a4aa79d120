import type { Entry } from "../exchange/entry.ts";
import type { JsonScan } from "../protocol/scan-json.ts";

/** An entry as a transport sees it: no time, no body form, nothing redacted yet. */
export type Seen = Omit<Entry, "at" | "body"> & {
  /** What was sent, without framing and content coding. The bytes may be kept, unless a `Room` was given where they are joined. */
  readonly raw?: Uint8Array | undefined;
  /** Of `raw`, where it was looked at already. */
  readonly scan?: JsonScan | undefined;
};

/** Takes what a transport saw, in wire order. */
export interface EntrySink {
  add(seen: Seen): void;
  /** Recording met a fault and stops; the connections it watches go on. Called once at most. */
  fail?(error: unknown): void;
}

/** How a connection ended that never began. */
export const NOT_REACHED = "the server could not be reached";
