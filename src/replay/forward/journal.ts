import type { Entry } from "../../exchange/entry.ts";

/** What passed between a live client and the real server: no time, no session yet. */
export type Passed = Pick<Entry, "from" | "on" | "http" | "closed"> & {
  readonly raw?: Uint8Array | undefined;
};

/** Where one client's forwarded exchanges are kept, as a session of their own. */
export interface Journal {
  /** Resolves when it can be written to, or is known never to be. */
  ready(): Promise<void>;
  /** What passed just now as it is to be kept; its time counts from the appending's beginning, its session is no one's. */
  note(passed: Passed): Entry;
  /** Writes what belongs together, as a whole or not at all. False when it could not be, or is not to be kept. */
  keep(entries: readonly Entry[]): boolean;
}

/** Keeps nothing. */
export const NO_JOURNAL: Journal = {
  ready: () => Promise.resolve(),
  note: ({ raw, ...facts }) => ({
    at: 0,
    session: 0,
    ...facts,
    ...(raw ? { body: { form: "message", bytes: raw } } : {}),
  }),
  keep: () => false,
};
