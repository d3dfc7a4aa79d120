import type { ByteSink, Codec, Encoder } from "../cassette/codec.ts";
import { Correlator } from "../exchange/correlator.ts";
import type { Entry } from "../exchange/entry.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { textOf } from "../protocol/message.ts";
import type { CassetteText } from "./cassette-text.ts";
import { isEqualEntry, isEqualHeader } from "./equal.ts";
import { NONE } from "./pairing.ts";
import { type Plan, Renamed } from "./renamed.ts";
import { hasSameExchanges } from "./same-exchanges.ts";

/** Two recordings of one thing, as files. */
export interface Recordings {
  readonly old: CassetteText;
  readonly fresh: CassetteText;
  readonly codec: Codec;
}

/**
 * What was written. `same`: the old file, byte for byte. `unlike`: something that does not say what the new recording
 * says, and must not be used.
 */
export type Written = "same" | "changed" | "unlike";

/** Writes a merged recording, once. */
export class Writing {
  readonly #recordings: Recordings;
  readonly #plan: Plan;
  readonly #sink: ByteSink;
  readonly #renamed: Renamed;
  readonly #encoder: Encoder;
  readonly #exchanges: Exchange[] = [];
  readonly #correlator: Correlator;
  readonly #headerStays: boolean;
  /** Old ordinal of the entry that was written last, where that is its old text and nothing stands behind it yet. */
  #open: number | undefined;
  /** Everything so far is the old file. */
  #same: boolean;

  constructor(recordings: Recordings, plan: Plan, sink: ByteSink) {
    const { old, fresh, codec } = recordings;
    this.#recordings = recordings;
    this.#plan = plan;
    this.#sink = sink;
    this.#renamed = new Renamed(plan, { fresh: fresh.header, old: old.header });
    this.#encoder = codec.encoder();
    this.#correlator = new Correlator({
      sharedStream: fresh.header.source.transport === "stdio",
      onExchange: (exchange) => this.#exchanges.push(exchange),
    });
    this.#headerStays = isEqualHeader(fresh.header, old.header);
    this.#same = this.#headerStays && !old.truncated && fresh.count === old.count;
  }

  run(): Written {
    const { ordinals, fresh } = this.#plan;
    const { old, codec, fresh: recorded } = this.#recordings;
    if (this.#headerStays) this.#sink.bytes(old.headerText);
    else codec.header(recorded.header, this.#sink);
    const nexts = this.#nextTimes();
    let at = 0;
    for (const [place, ordinal] of ordinals.entries()) {
      at = this.#timeOf(place, at, nexts[place] as number);
      const entry = { ...this.#renamed.entryAt(ordinal), at };
      this.#correlator.add(entry, place);
      this.#put(entry, ordinal);
    }
    this.#end();
    this.#correlator.finish();
    if (!hasSameExchanges(fresh, ordinals, this.#exchanges)) return "unlike";
    return this.#same ? "same" : "changed";
  }

  /** What is in both keeps its time. What is new comes as long after the entry before it as it did. */
  #timeOf(place: number, previous: number, next: number): number {
    const { ordinals, olds, old, fresh } = this.#plan;
    const ordinal = ordinals[place] as number;
    const before = olds[ordinal] as number;
    if (before !== NONE) return old.times[before] as number;
    const neighbour = ordinals[place - 1];
    const since = neighbour === undefined ? 0 : (fresh.times[neighbour] as number);
    const time = previous + Math.max(0, (fresh.times[ordinal] as number) - since);
    return Math.max(previous, Math.min(time, next));
  }

  /** At each place, the old time of the next entry that is in both. */
  #nextTimes(): Float64Array {
    const { ordinals, olds, old } = this.#plan;
    const times = new Float64Array(ordinals.length);
    let next = Number.POSITIVE_INFINITY;
    for (let place = ordinals.length - 1; place >= 0; place--) {
      times[place] = next;
      const before = olds[ordinals[place] as number] as number;
      if (before !== NONE) next = old.times[before] as number;
    }
    return times;
  }

  #put(entry: Entry, ordinal: number): void {
    const { old } = this.#recordings;
    const before = this.#plan.olds[ordinal] as number;
    const stays = before !== NONE && isEqualEntry(entry, old.entryAt(before));
    this.#between(stays ? before : NONE);
    if (stays) {
      this.#sink.bytes(old.textOf(before));
      this.#open = before;
      return;
    }
    this.#same = false;
    this.#remind(entry, ordinal);
    this.#encoder.encode(entry, this.#sink);
    if (before !== NONE) this.#sink.text(commentsUnder(textOf(old.textOf(before))));
  }

  /** What stands behind an entry's old text: the same as before if the same follows, a line break otherwise. */
  #between(next: number): void {
    const { old } = this.#recordings;
    const open = this.#open;
    if (open === undefined) {
      if (next > 0) this.#same = false;
      return;
    }
    this.#open = undefined;
    if (next === open + 1) this.#sink.bytes(old.textAfter(open));
    else {
      this.#same = false;
      if (old.textOf(open).at(-1) !== NEWLINE) this.#sink.text("\n");
    }
  }

  #end(): void {
    const { old, codec } = this.#recordings;
    if (this.#open === old.count - 1 && !old.truncated) this.#sink.bytes(old.textAfter(this.#open));
    else {
      this.#between(NONE);
      this.#sink.bytes(codec.terminator);
    }
  }

  /** The comment over an answer names its question, which may have kept its old text. */
  #remind(entry: Entry, ordinal: number): void {
    const { fresh } = this.#plan;
    const { references } = fresh.factsOf(fresh.entries.entryAt(ordinal), ordinal);
    for (const [index, { kind, place, binds }] of references.entries()) {
      if (binds || typeof place === "string" || (kind !== "request" && kind !== "ask")) continue;
      const { boundAt } = fresh.meantBy(ordinal, index);
      if (boundAt === undefined || boundAt === ordinal) continue;
      this.#encoder.encode({ ...this.#renamed.entryAt(boundAt), at: entry.at }, NOWHERE);
    }
  }
}

const NEWLINE = 0x0a;
const NOWHERE: ByteSink = { text: () => undefined, bytes: () => undefined };

/** Comments at the end of an entry, which are mostly about what follows. Empty lines before them may be content. */
export function commentsUnder(text: string): string {
  let comments = text.length;
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf("\n", end - 2) + 1;
    const line = text.slice(start, end);
    if (line.startsWith("#")) comments = start;
    else if (line.trim() !== "") break;
    end = start;
  }
  return text.slice(comments);
}
