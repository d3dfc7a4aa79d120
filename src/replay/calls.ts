import type { LocatedCall } from "../cassette/call-codec.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** Numbers kept of each call. */
const COLUMNS = 12;
const [ENTRY, NUMBER, HASH, BEFORE, ID, SESSION] = [0, 1, 2, 3, 4, 5];
const [METHOD, PARAMS_START, PARAMS_END, ANSWER_START, ANSWER_END, ANSWER_ID] = [6, 7, 8, 9, 10, 11];
/** A row that is none. */
export const NONE = 0xffff_ffff;

/**
 * Calls of a recording: exchanges of a request and the answer right behind it, of which most long recordings consist.
 * Of each only numbers are kept until somebody asks for it.
 */
export class Calls {
  #numbers = new Uint32Array(COLUMNS * 512);
  readonly #methods: string[] = [];
  #count = 0;
  /** Rows by the last bits of their hashes, each the last of a chain of rows; made when one is looked for. */
  #heads: Uint32Array | undefined;

  get count(): number {
    return this.#count;
  }

  /**
   * @param entry the ordinal of its request
   * @param number its place among all exchanges
   */
  add(call: LocatedCall, entry: number, number: number): void {
    const at = this.#count * COLUMNS;
    if (at === this.#numbers.length) {
      const larger = new Uint32Array(at * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    const numbers = this.#numbers;
    numbers[at + ENTRY] = entry;
    numbers[at + NUMBER] = number;
    numbers[at + HASH] = call.hash;
    numbers[at + ID] = call.id;
    numbers[at + PARAMS_START] = call.paramsStart;
    numbers[at + PARAMS_END] = call.paramsEnd;
    numbers[at + SESSION] = call.session;
    numbers[at + METHOD] = this.#numberOf(call.method);
    numbers[at + ANSWER_START] = call.answer.start;
    numbers[at + ANSWER_END] = call.answer.end;
    numbers[at + ANSWER_ID] = call.answerId;
    this.#count++;
    this.#heads = undefined;
  }

  #numberOf(method: string): number {
    const known = this.#methods.indexOf(method);
    return known >= 0 ? known : this.#methods.push(method) - 1;
  }

  /** The last row with this hash, or `NONE`; see `before`. */
  last(hash: number): number {
    this.#heads ??= this.#chain();
    return this.#withHash(this.#heads[hash & (this.#heads.length - 1)] as number, hash);
  }

  /** The row before this one that has the same hash, or `NONE`. */
  before(row: number): number {
    return this.#withHash(this.#at(row, BEFORE), this.#at(row, HASH));
  }

  #withHash(first: number, hash: number): number {
    let row = first;
    while (row !== NONE && this.#at(row, HASH) !== hash) row = this.#at(row, BEFORE);
    return row;
  }

  #chain(): Uint32Array {
    const heads = new Uint32Array(2 ** Math.ceil(Math.log2(this.#count + 1))).fill(NONE);
    for (let row = 0; row < this.#count; row++) {
      const slot = this.#at(row, HASH) & (heads.length - 1);
      this.#numbers[row * COLUMNS + BEFORE] = heads[slot] as number;
      heads[slot] = row;
    }
    return heads;
  }

  /** The row of the call whose request is this entry. */
  rowOf(entry: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#at(middle, ENTRY) < entry) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Its place among all exchanges. */
  numberOf(row: number): number {
    return this.#at(row, NUMBER);
  }

  methodOf(row: number): string {
    return this.#methods[this.#at(row, METHOD)] as string;
  }

  /** Where the params of the request stand in the file. */
  paramsStart(row: number): number {
    return this.#at(row, PARAMS_START);
  }

  paramsEnd(row: number): number {
    return this.#at(row, PARAMS_END);
  }

  /** Where the message that answers it stands in the file. */
  answerStart(row: number): number {
    return this.#at(row, ANSWER_START);
  }

  answerEnd(row: number): number {
    return this.#at(row, ANSWER_END);
  }

  /** Where its id stands in the file; `answerIdEnd` is behind it. */
  answerId(row: number): number {
    return this.#at(row, ANSWER_ID);
  }

  answerIdEnd(row: number): number {
    return this.#at(row, ANSWER_ID) + digitsOf(this.#at(row, ID));
  }

  exchangeOf(row: number): Exchange {
    const entry = this.#at(row, ENTRY);
    return {
      kind: "request",
      session: this.#at(row, SESSION),
      entry,
      item: -1,
      id: String(this.#at(row, ID)),
      method: this.methodOf(row),
      steps: [{ role: "outcome", entry: entry + 1, item: -1 }],
    };
  }

  #at(row: number, column: number): number {
    return this.#numbers[row * COLUMNS + column] as number;
  }
}

function digitsOf(number: number): number {
  let digits = 1;
  for (let rest = number; rest > 9; rest = Math.floor(rest / 10)) digits++;
  return digits;
}
