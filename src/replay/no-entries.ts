import type { Header } from "../exchange/entry.ts";
import type { EntrySource } from "./recording.ts";

/** A recording that holds nothing, or nothing yet. */
export function noEntries(header: Header): EntrySource {
  const none = (ordinal: number): never => {
    throw new RangeError(`no entry ${ordinal}`);
  };
  return { header, next: () => [], entryAt: none, placeOf: none };
}
