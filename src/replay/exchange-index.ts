import type { LocatedCall } from "../cassette/codec.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Calls, NONE } from "./calls.ts";
import { Candidates, type Recorded } from "./candidates.ts";
import { hashOfKey, plainKey } from "./plain-key.ts";

/** Bytes of the file that calls were found in. */
export type BytesAt = (start: number, end: number) => Uint8Array;

/** The exchanges of a recording, in wire order and by key. */
export class ExchangeIndex {
  readonly #bytesAt: BytesAt;
  /** In wire order; undefined for a call that nobody has asked for yet. */
  readonly #all: (Recorded | undefined)[] = [];
  /** Without such calls. */
  readonly #byKey = new Map<string, Recorded | Recorded[] | Candidates>();
  readonly #calls = new Calls();
  /** Calls that were asked for are all in the map. */
  #whole = false;

  constructor(bytesAt: BytesAt) {
    this.#bytesAt = bytesAt;
  }

  add(key: string, recorded: Recorded): void {
    this.#all.push(recorded);
    this.put(key, recorded);
  }

  /** @param entry the ordinal of its request */
  addCall(call: LocatedCall, entry: number): void {
    this.#calls.add(call, entry, this.#all.length);
    this.#all.push(undefined);
  }

  /** The exchange of a call that was added, by the ordinal of its request. */
  callAt(entry: number): Exchange {
    return this.#recordedIn(this.#calls.rowOf(entry)).exchange;
  }

  /** All of them, in wire order. */
  get all(): readonly Recorded[] {
    for (let row = 0; row < this.#calls.count; row++) this.#recordedIn(row);
    return this.#all as Recorded[];
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
    const all = this.#whole ? listed(found) : this.#withCalls(key, listed(found));
    if (all.length === 0) return undefined;
    const candidates = new Candidates(all);
    this.#byKey.set(key, candidates);
    return candidates;
  }

  /** Every key with all of it, each in wire order. */
  *byKey(): Iterable<readonly [key: string, all: readonly Recorded[]]> {
    this.#putCalls();
    for (const [key, found] of this.#byKey)
      yield [key, found instanceof Candidates ? found.all : listed(found)];
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
        if (other !== undefined) this.put(other, recorded);
      }
    }
  }

  put(key: string, recorded: Recorded): void {
    const before = this.#byKey.get(key);
    if (Array.isArray(before)) before.push(recorded);
    else if (before === undefined || before instanceof Candidates) this.#byKey.set(key, recorded);
    else this.#byKey.set(key, [before, recorded]);
  }

  #withCalls(key: string, apart: readonly Recorded[]): readonly Recorded[] {
    const calls: Recorded[] = [];
    for (let row = this.#calls.last(hashOfKey(key)); row !== NONE; row = this.#calls.before(row)) {
      if (this.#keyIn(row) === key) calls.push(this.#recordedIn(row));
    }
    return calls.length === 0 ? apart : inOrder([...apart, ...calls]);
  }

  /** Puts all calls under their keys. */
  #putCalls(): void {
    if (this.#whole) return;
    const added = new Map<string, Recorded[]>();
    for (let row = 0; row < this.#calls.count; row++) {
      const key = this.#keyIn(row);
      const before = added.get(key);
      if (before) before.push(this.#recordedIn(row));
      else added.set(key, [this.#recordedIn(row)]);
    }
    for (const [key, calls] of added) {
      const found = this.#byKey.get(key);
      if (!(found instanceof Candidates)) this.#byKey.set(key, inOrder([...listed(found), ...calls]));
    }
    this.#whole = true;
  }

  #keyIn(row: number): string {
    const bytes = this.#bytesAt(...this.#calls.paramsOf(row));
    const key = plainKey(bytes, this.#calls.methodOf(row), { start: 0, end: bytes.length });
    if (key === undefined) throw new Error("the bytes of a call are no longer what they were");
    return key;
  }

  #recordedIn(row: number): Recorded {
    const number = this.#calls.numberOf(row);
    const known = this.#all[number];
    if (known) return known;
    const recorded: Recorded = {
      number,
      exchange: this.#calls.exchangeOf(row),
      client: undefined,
      inputs: undefined,
      without: undefined,
      withToken: false,
      authorization: undefined,
      improper: false,
    };
    this.#all[number] = recorded;
    return recorded;
  }
}

function listed(found: Recorded | Recorded[] | undefined): Recorded[] {
  if (found === undefined) return [];
  return Array.isArray(found) ? found : [found];
}

function inOrder(all: Recorded[]): Recorded[] {
  return all.sort((a, b) => a.exchange.entry - b.exchange.entry || a.exchange.item - b.exchange.item);
}
