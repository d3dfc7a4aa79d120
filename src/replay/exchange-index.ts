import type { LocatedCall } from "../cassette/call-codec.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { isAt } from "../protocol/is-at.ts";
import { Calls, NONE } from "./calls.ts";
import { Candidates, type Recorded } from "./candidates.ts";
import { hashOfKey, plainKey } from "./plain-key.ts";
import type { PlainQuestion } from "./question.ts";
import { Recent } from "./recent.ts";
import { type CallsIn, RecordedCall } from "./recorded-call.ts";

/** The exchanges of a recording, in wire order and by key. */
export class ExchangeIndex {
  readonly #bytes: Uint8Array;
  readonly #in: CallsIn;
  /** Made when it is asked for. */
  #all: readonly Recorded[] | undefined;
  /** All but the calls, in wire order. */
  readonly #apart: Recorded[] = [];
  /** Without such calls, as long as nobody asked for a key. */
  readonly #byKey = new Map<string, Recorded | Recorded[] | Candidates>();
  readonly #calls = new Calls();
  /** Calls that must be the same each time, by their rows. */
  readonly #kept = new Map<number, Recorded>();
  /** Of keys that one call has, by its row. */
  readonly #single = new Recent<Candidates>();
  /** Hashes of the keys that the map had when a call was first asked for. */
  #hashes: ReadonlySet<number> | undefined;

  /** @param bytes of the file that calls were found in */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#in = { bytes, calls: this.#calls };
  }

  add(key: string, recorded: Recorded): void {
    this.#all = undefined;
    this.#apart.push(recorded);
    this.#put(key, recorded);
  }

  /** @param entry the ordinal of its request */
  addCall(call: LocatedCall, entry: number): void {
    this.#all = undefined;
    this.#calls.add(call, entry, this.#apart.length + this.#calls.count);
  }

  /** The exchange of a call that was added, by the ordinal of its request. */
  callAt(entry: number): Exchange {
    return this.#recordedIn(this.#calls.rowOf(entry)).exchange;
  }

  /** All of them, in wire order. */
  get all(): readonly Recorded[] {
    this.#all ??= this.#list();
    return this.#all;
  }

  #list(): readonly Recorded[] {
    const all = new Array<Recorded>(this.#apart.length + this.#calls.count);
    for (const recorded of this.#apart) all[recorded.number] = recorded;
    for (let row = 0; row < this.#calls.count; row++) {
      const recorded = this.#recordedIn(row);
      all[recorded.number] = recorded;
    }
    return all;
  }

  /** The first under a key that is no call, as long as nobody asked for all of that key. */
  firstApart(key: string): Recorded | undefined {
    const found = this.#byKey.get(key);
    const first = Array.isArray(found) ? found[0] : found;
    return first instanceof Candidates ? undefined : first;
  }

  /** All of a key. To be asked once all are added. */
  under(key: string): Candidates | undefined {
    const found = this.#byKey.get(key);
    if (found instanceof Candidates) return found;
    const all = [...this.#rowsUnder(key).map((row) => this.#recordedIn(row)), ...listed(found)];
    const [only] = all;
    if (!only) return undefined;
    const isSingle = all.length === 1 && found === undefined;
    const candidates = isSingle ? Candidates.ofOne(only) : new Candidates(all.sort(inWireOrder));
    this.#byKey.set(key, candidates);
    return candidates;
  }

  /** The same of a plain question, mostly without making its key. */
  answering(question: PlainQuestion): Candidates | undefined {
    const { hash } = question;
    const row = this.#calls.last(hash);
    if (row === NONE || !this.#isSpelt(row, question)) return this.under(question.key);
    const known = this.#single.of(row);
    if (known) return known;
    this.#hashes ??= new Set([...this.#byKey.keys()].map(hashOfKey));
    // Others that may have the key need a closer look.
    if (this.#calls.before(row) !== NONE || this.#hashes.has(hash)) return this.under(question.key);
    return this.#single.keep(row, Candidates.ofOne(this.#recordedOf(row)));
  }

  /** The call of a row asks this, in the same words. */
  #isSpelt(row: number, { method, params }: PlainQuestion): boolean {
    if (this.#calls.methodOf(row) !== method) return false;
    const start = this.#calls.paramsStart(row);
    return this.#calls.paramsEnd(row) - start === params.length && isAt(this.#bytes, start, params);
  }

  /** Every key with all of it, each in wire order. */
  *byKey(): Iterable<readonly [key: string, all: readonly Recorded[]]> {
    const keys = new Set(this.#byKey.keys());
    for (let row = 0; row < this.#calls.count; row++) keys.add(this.#keyIn(row));
    for (const key of keys) yield [key, (this.under(key) as Candidates).all];
  }

  /** Puts some that were added under another key: what `keyOf` answers for them, undefined for those that stay. */
  rekey(keyOf: (recorded: Recorded, key: string) => string | undefined): void {
    for (const [key, found] of [...this.#byKey]) {
      if (found instanceof Candidates) continue;
      const all = listed(found);
      const others = all.map((recorded) => keyOf(recorded, key));
      if (others.every((other) => other === undefined)) continue;
      const kept = all.filter((_, index) => others[index] === undefined);
      if (kept.length > 0) this.#byKey.set(key, kept);
      else this.#byKey.delete(key);
      for (const [index, recorded] of all.entries()) {
        const other = others[index];
        if (other !== undefined) this.#put(other, recorded);
      }
    }
  }

  #put(key: string, recorded: Recorded): void {
    const before = this.#byKey.get(key);
    if (Array.isArray(before)) before.push(recorded);
    else if (before !== undefined && !(before instanceof Candidates))
      this.#byKey.set(key, [before, recorded]);
    else this.#byKey.set(key, recorded);
  }

  /** The last one first. */
  #rowsUnder(key: string): readonly number[] {
    const rows: number[] = [];
    for (let row = this.#calls.last(hashOfKey(key)); row !== NONE; row = this.#calls.before(row)) {
      if (this.#keyIn(row) === key) rows.push(row);
    }
    return rows;
  }

  #keyIn(row: number): string {
    const params = { start: this.#calls.paramsStart(row), end: this.#calls.paramsEnd(row) };
    const key = plainKey(this.#bytes, this.#calls.methodOf(row), params);
    if (key === undefined) throw new Error("the bytes of a call are no longer what they were");
    return key;
  }

  /** From now on the same each time. */
  #recordedIn(row: number): Recorded {
    const recorded = this.#recordedOf(row);
    this.#kept.set(row, recorded);
    return recorded;
  }

  /** Kept only by who asks: what is asked of a long recording once is not to fill the memory. */
  #recordedOf(row: number): Recorded {
    return this.#kept.get(row) ?? new RecordedCall(this.#in, row);
  }
}

function listed(found: Recorded | Recorded[] | undefined): Recorded[] {
  if (found === undefined) return [];
  return Array.isArray(found) ? found : [found];
}

function inWireOrder({ exchange: a }: Recorded, { exchange: b }: Recorded): number {
  return a.entry - b.entry || a.item - b.item;
}
