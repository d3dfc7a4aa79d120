import type { Entry, Header } from "../exchange/entry.ts";
import { textOf } from "../protocol/message.ts";
import { localAuthority } from "./equal.ts";
import type { Outline } from "./outline.ts";
import { NONE } from "./pairing.ts";
import type { Facts, Value } from "./references.ts";
import type { Renames } from "./renames.ts";
import { type Renaming, rewritten } from "./rewrite.ts";

/** What is known of two recordings of one thing. */
export interface Plan {
  readonly fresh: Outline;
  readonly old: Outline;
  /** By new ordinals: the old one, or `NONE`. */
  readonly olds: Int32Array;
  readonly renames: Renames;
  /** New ordinals in the order in which they are written. */
  readonly ordinals: readonly number[];
}

/** The new recording's entries with the old one's names, and its values where those are volatile. */
export class Renamed {
  readonly #plan: Plan;
  readonly #authority: Renaming["authority"];

  constructor(plan: Plan, headers: { readonly fresh: Header; readonly old: Header }) {
    this.#plan = plan;
    const from = localAuthority(headers.fresh.source);
    const to = localAuthority(headers.old.source);
    this.#authority = from !== undefined && to !== undefined ? { from, to } : undefined;
  }

  /** An entry, its time apart. */
  entryAt(ordinal: number): Entry {
    const { fresh, old, olds, renames } = this.#plan;
    const entry = fresh.entries.entryAt(ordinal);
    const before = olds[ordinal] as number;
    const known = before === NONE ? undefined : old.entries.entryAt(before);
    const values = known && valuesOf(known, old.factsOf(known, before));
    const meant = fresh.meaningsOf(ordinal);
    const renaming: Renaming = {
      name: (_, index) => renames.name(meant[index] as number),
      value: ({ path, type }) => {
        const value = values?.get(path);
        return value?.type === type ? value.text : undefined;
      },
      session: (number) => String(renames.session(number)),
      retry: (ms) => known?.event?.retry ?? ms,
      authority: this.#authority,
      pair: fresh.pair,
    };
    const session = renames.session(entry.session);
    return { ...rewritten(entry, fresh.factsOf(entry, ordinal), renaming), session };
  }
}

interface Known {
  readonly text: string;
  readonly type: string;
}

function valuesOf({ body }: Entry, { values }: Facts): ReadonlyMap<string, Known> {
  const text = ({ span }: Value) => textOf(body?.bytes.subarray(span.start, span.end) ?? new Uint8Array());
  return new Map(values.map((value) => [value.path, { text: text(value), type: value.type }]));
}
