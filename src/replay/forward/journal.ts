import type { Entry } from "../../exchange/entry.ts";

/** What passed between a live client and the real server: no time, no session yet. */
export type Passed = Pick<Entry, "from" | "on" | "http" | "closed"> & {
  readonly raw?: Uint8Array | undefined;
};

/** Where one client's forwarded exchanges are kept, as a session of their own. */
export interface Journal {
  /** Resolves when it can be written to, or is known never to be. */
  ready(): Promise<void>;
  block(): Block;
}

/** What belongs together: what was added since the last `commit` is kept as a whole or not at all. */
export interface Block {
  add(passed: Passed): void;
  /** Writes what was added. False when it could not be, or is not to be kept. */
  commit(): boolean;
}

/** Keeps nothing. */
export const NO_JOURNAL: Journal = {
  ready: () => Promise.resolve(),
  block: () => ({ add: () => undefined, commit: () => false }),
};
