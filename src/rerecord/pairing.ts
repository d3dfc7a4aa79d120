import type { StepRole } from "../exchange/exchange.ts";
import { eachMessage, readMessage } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import { paramsOf } from "../replay/key.ts";
import { alignEqual, type Pairs } from "./align.ts";
import { Asked } from "./asked.ts";
import { bySession } from "./by-session.ts";
import { inTheirPlaces, isCounted, type Named } from "./names.ts";
import type { Outline, Outlined } from "./outline.ts";
import type { Renames } from "./renames.ts";

/** So many may have come or gone between what is the same. */
const FEW = 8;

/** Not in the other recording. */
export const NONE = -1;

/**
 * Which entry of the new recording is which of the old one. Within a pair of connections, the n-th exchange that asks a
 * question is the n-th that asked it; within a pair of exchanges, what says the same is the same, in order, and what
 * stands between in both and is of one kind is the same, changed. What belongs to no exchange goes by what it says.
 */
export class Pairing {
  /** By ordinals of the new recording: the old ordinal, or `NONE`. */
  readonly olds: Int32Array;
  /** Exchanges of both, in the order in which they were found. */
  readonly exchanges: ExchangePair[] = [];
  readonly #taken: Uint8Array;
  readonly #fresh: Outline;
  readonly #old: Outline;
  readonly #renames: Naming;
  readonly #questions: PairingParts["questions"];
  readonly #wholly: boolean;

  constructor(fresh: Outline, old: Outline, { sessions, renames, questions, wholly = true }: PairingParts) {
    this.#wholly = wholly;
    this.#fresh = fresh;
    this.#old = old;
    this.#renames = renames;
    this.#questions = questions;
    this.olds = new Int32Array(fresh.count).fill(NONE);
    this.#taken = new Uint8Array(old.count);
    const ours = bySession(fresh, wholly);
    const theirs = bySession(old, wholly);
    for (const [session, before] of sessions) {
      const here = ours.get(session);
      const there = theirs.get(before);
      if (!here || !there) continue;
      this.#pairExchanges(here.exchanges, there.exchanges);
      if (wholly) this.#pairLoose(here.loose, there.loose);
    }
  }

  #pairExchanges(fresh: readonly Outlined[], old: readonly Outlined[]): void {
    if (this.#questions === "any") return this.#pairLeft(fresh, old);
    // As long as both ask the same in the same order, the n-th is the n-th, and nothing need be looked up.
    let same = 0;
    while (same < fresh.length && same < old.length) {
      const [here, there] = [fresh[same] as Outlined, old[same] as Outlined];
      if (here.key !== there.key || !this.#couldBe(here, there)) break;
      this.#pairExchange(here, there);
      same++;
    }
    const end = this.#alikeAtEnd(fresh, old, same);
    this.#pairLeft(fresh.slice(same, fresh.length - end), old.slice(same, old.length - end));
    for (let left = end; left > 0; left--) {
      this.#pairExchange(fresh[fresh.length - left] as Outlined, old[old.length - left] as Outlined);
    }
  }

  /** How many at the end are the n-th of the n-th too: where few stand before them, none of which asks what they ask. */
  #alikeAtEnd(fresh: readonly Outlined[], old: readonly Outlined[], same: number): number {
    if (this.#fresh.names.minted) return 0;
    const most = Math.min(fresh.length, old.length) - same;
    let end = 0;
    while (end < most && fresh[fresh.length - 1 - end]?.key === old[old.length - 1 - end]?.key) end++;
    if (fresh.length + old.length - 2 * (same + end) > FEW) return 0;
    const others = [...fresh.slice(same, fresh.length - end), ...old.slice(same, old.length - end)];
    const keys = others.map(({ key }) => key);
    for (let at = old.length - end; at < old.length; at++) {
      if (keys.includes((old[at] as Outlined).key)) return 0;
    }
    return end;
  }

  #pairLeft(fresh: readonly Outlined[], old: readonly Outlined[]): void {
    const asked = new Asked(old, (here, there) => this.#couldBe(here, there));
    const left: Outlined[] = [];
    const renamed: Outlined[] = [];
    for (const each of fresh) {
      const before = asked.take(each);
      if (before) this.#pairExchange(each, before);
      else (asked.has(each.key) ? renamed : left).push(each);
    }
    // What echoes a name that must stay the new one asks the same nevertheless.
    for (const each of renamed) {
      const before = asked.take(each, () => true);
      if (before) this.#pairExchange(each, before);
    }
    if (this.#questions === "same") return;
    const now = new Set(fresh.map(({ key }) => key));
    const gone = old.filter(({ key }) => !now.has(key));
    const labelled = (outline: Outline, each: Outlined) => ({ ...each, key: labelIn(outline, each) });
    const byLabel = new Asked(
      gone.map((each) => labelled(this.#old, each)),
      () => true,
    );
    for (const each of left) {
      const before = byLabel.take(labelled(this.#fresh, each));
      if (before) this.#pairExchange(each, before);
    }
  }

  /** Pairs what is left of all connections, by another key. */
  pairRest(keyOf: (outlined: Outlined) => string): void {
    const { length } = this.exchanges;
    if (length === this.#fresh.exchanges.length || length === this.#old.exchanges.length) return;
    const done = new Set(this.exchanges.flatMap(({ fresh, old }) => [fresh.exchange, old.exchange]));
    const rest = ({ exchanges }: Outline) =>
      exchanges.filter(({ exchange }) => !done.has(exchange)).map((each) => ({ ...each, key: keyOf(each) }));
    const asked = new Asked(rest(this.#old), (here, there) => this.#couldBe(here, there));
    for (const each of rest(this.#fresh)) {
      const before = asked.take(each);
      if (before) this.#pairExchange(each, before);
    }
  }

  /** Whether the names that a question echoes can be the old ones. */
  #couldBe({ exchange: here, minted }: Outlined, { exchange: there }: Outlined): boolean {
    if (!minted) return true;
    const theirs = this.#namesBefore(here.entry, there.entry);
    return this.#fresh.meaningsOf(here.entry).every((number, index) => {
      const named = this.#fresh.names.all[number];
      const before = theirs[index];
      if (!named || !before || isCounted(named.kind)) return true;
      return named.kind === before.kind && this.#renames.couldBe(number, before.token);
    });
  }

  #pairExchange(fresh: Outlined, old: Outlined): void {
    this.exchanges.push({ fresh, old });
    if (!this.#wholly) return;
    this.#pair(fresh.exchange.entry, old.exchange.entry);
    const [ours, theirs] = [this.#fresh.entriesOf(fresh), this.#old.entriesOf(old)];
    if (isPlain(fresh, ours) && isPlain(old, theirs)) {
      const [answer, before] = [ours[1] as number, theirs[1] as number];
      if (this.#fresh.shapes[answer] === this.#old.shapes[before]) this.#pair(answer, before);
      return;
    }
    const here = stepsOf(fresh, ours, this.#fresh.says);
    const there = stepsOf(old, theirs, this.#old.says);
    this.#pairInOrder(here.steps, there.steps);
    this.#pairLoose(here.facts, there.facts);
  }

  #pairInOrder(fresh: readonly number[], old: readonly number[]): void {
    const says = ({ says: all }: Outline, ordinals: readonly number[]) =>
      ordinals.map((at) => all[at] as number);
    const shapes = ({ shapes: all }: Outline, ordinals: readonly number[]) =>
      ordinals.map((at) => all[at] as number);
    const equal = alignEqual(says(this.#fresh, fresh), says(this.#old, old));
    let here = 0;
    let there = 0;
    for (const [i, j] of [...equal, [fresh.length, old.length] as const]) {
      const [ours, theirs] = [fresh.slice(here, i), old.slice(there, j)];
      this.#pairAt(alignEqual(shapes(this.#fresh, ours), shapes(this.#old, theirs)), ours, theirs);
      if (i < fresh.length) this.#pair(fresh[i] as number, old[j] as number);
      here = i + 1;
      there = j + 1;
    }
  }

  #pairAt(pairs: Pairs, fresh: readonly number[], old: readonly number[]): void {
    for (const [i, j] of pairs) this.#pair(fresh[i] as number, old[j] as number);
  }

  #pairLoose(fresh: readonly number[], old: readonly number[]): void {
    const by = (numbers: ArrayLike<number>) => (ordinal: number) => numbers[ordinal] as number;
    const rest = this.#pairEqual(fresh, old, { here: by(this.#fresh.says), there: by(this.#old.says) });
    this.#pairEqual(rest, old, { here: by(this.#fresh.shapes), there: by(this.#old.shapes) });
  }

  /** The n-th of several that are equal is the n-th. Returns what is left. */
  #pairEqual(fresh: readonly number[], old: readonly number[], { here, there }: Likeness): number[] {
    const waiting = new Map<number, number[]>();
    for (const ordinal of old.toReversed()) {
      if (this.#taken[ordinal] === 1) continue;
      const alike = waiting.get(there(ordinal));
      if (alike) alike.push(ordinal);
      else waiting.set(there(ordinal), [ordinal]);
    }
    return fresh.filter((ordinal) => {
      const found = waiting.get(here(ordinal))?.pop();
      if (found === undefined) return true;
      this.#pair(ordinal, found);
      return false;
    });
  }

  /** An entry with several messages may be of several exchanges; the first counts. */
  #pair(fresh: number, old: number): void {
    if (this.olds[fresh] !== NONE || this.#taken[old] === 1) return;
    this.olds[fresh] = old;
    this.#taken[old] = 1;
    const theirs = this.#namesBefore(fresh, old);
    for (const [index, number] of this.#fresh.meaningsOf(fresh).entries()) {
      const before = theirs[index];
      if (!before) continue;
      if (before.kind !== this.#fresh.names.all[number]?.kind) break;
      this.#renames.learn(number, before.token);
    }
  }

  /** Of each name in a new entry, the one in its place in the old entry. */
  #namesBefore(fresh: number, old: number): readonly (Named | undefined)[] {
    return inTheirPlaces(this.#fresh.namesIn(fresh), this.#old.namesIn(old));
  }
}

export interface PairingParts {
  /** Numbers of connections, new and old. */
  readonly sessions: ReadonlyMap<number, number>;
  /** Learns what is called what. */
  readonly renames: Naming;
  /** `any`: what is left of exchanges goes by its label, whatever else the question was. */
  readonly questions: "same" | "any";
  /** Entries too, from which names are learnt, and not exchanges alone; so it is unless told otherwise. */
  readonly wholly?: boolean;
}

/** Which name of the new recording stands for which of the old one. */
export type Naming = Pick<Renames, "learn" | "couldBe">;

export interface ExchangePair {
  readonly fresh: Outlined;
  readonly old: Outlined;
}

interface Likeness {
  readonly here: (fresh: number) => number;
  readonly there: (old: number) => number;
}

/** What an exchange is about, in a word or two. */
function labelIn({ entries }: Outline, { exchange: { entry, item, method } }: Outlined): string {
  if (method === undefined) return "malformed";
  const frame = readMessage(entries.entryAt(entry).body?.bytes ?? new Uint8Array());
  const message = item < 0 ? frame : [...eachMessage(frame)][item];
  return labelOf(method, message && paramsOf(message));
}

/** A question and its answer, and nothing else. */
function isPlain({ exchange: { steps, entry } }: Outlined, entries: readonly number[]): boolean {
  return entries.length === 2 && steps.length === 1 && entries[0] === entry && entries[1] === steps[0]?.entry;
}

const NESTED: ReadonlySet<StepRole> = new Set(["ask", "reply"]);

interface OfExchange {
  readonly steps: readonly number[];
  /** HTTP facts that answer nothing, and may come before or after what does. */
  readonly facts: readonly number[];
}

/**
 * The entries that follow the one an exchange begins with. Questions that the server asked at once have no order among
 * themselves, and neither have the answers that came at once: they go by what they say.
 */
function stepsOf({ exchange }: Outlined, entries: readonly number[], says: ArrayLike<number>): OfExchange {
  const roles = new Map<number, StepRole>();
  for (const { entry, role } of exchange.steps) if (!roles.has(entry)) roles.set(entry, role);
  const steps: number[] = [];
  const facts: number[] = [];
  let run: number[] = [];
  let runs: StepRole | undefined;
  const endRun = () => {
    steps.push(...run.sort((a, b) => (says[a] as number) - (says[b] as number) || a - b));
    run = [];
  };
  for (const ordinal of entries) {
    if (ordinal === exchange.entry) continue;
    const role = roles.get(ordinal);
    if (role === undefined) {
      facts.push(ordinal);
      continue;
    }
    if (role !== runs) endRun();
    runs = role;
    if (NESTED.has(role)) run.push(ordinal);
    else steps.push(ordinal);
  }
  endRun();
  return { steps, facts };
}
