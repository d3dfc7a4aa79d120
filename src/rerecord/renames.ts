import type { IdToken } from "../protocol/message.ts";
import { isText } from "./marks.ts";
import { ByName, isCounted, type Named, type Names, type Scope } from "./names.ts";

/**
 * Which names of the new recording become which of the old one. Every thing keeps a name of its own:
 *
 * - Ids, progress tokens and event ids of what is in both recordings become the old ones; of what is new they stay, or
 *   move out of the way of an old one.
 * - What the server minted becomes the old value only where the new value stands for nothing else: it is not one of the
 *   old recording, its old value is not one of the new recording, it is of the same JSON type, and it is
 *   `movable`.
 */
export class Renames {
  readonly #names: Names;
  readonly #movable: ReadonlySet<number>;
  readonly #targets: (IdToken | undefined)[] = [];
  readonly #taken = new ByName<true>();
  /** Of each kind and connection, the highest number there is. */
  readonly #highest = new Map<string, bigint>();
  readonly #sessions = new Map<number, number>();
  readonly #numbers: ReadonlySet<number>;

  /** `movable` holds numbers of names. */
  constructor(fresh: { names: Names; sessions: ReadonlySet<number> }, movable: ReadonlySet<number>) {
    this.#names = fresh.names;
    this.#movable = movable;
    this.#numbers = fresh.sessions;
  }

  /** What a thing is called in the old recording. The first time counts. */
  learn(number: number, old: IdToken): void {
    if (this.#targets[number] !== undefined || !this.#mayBe(number, old)) return;
    this.#take(number, old);
  }

  #take(number: number, token: IdToken): void {
    this.#targets[number] = token;
    this.#taken.set(this.#named(number), token, true);
  }

  #named(number: number): Named {
    return this.#names.all[number] as Named;
  }

  #mayBe(number: number, old: IdToken): boolean {
    const named = this.#named(number);
    const free = !this.#taken.get(named, old);
    if (named.kind === "event") return free;
    if (isCounted(named.kind) || old === named.token) return true;
    return (
      free &&
      isText(old) === isText(named.token) &&
      this.#names.current.get(named, old) === undefined &&
      this.#movable.has(number)
    );
  }

  /** Whether a thing may turn out to be called so. */
  couldBe(number: number, old: IdToken): boolean {
    const known = this.#targets[number];
    return known === undefined ? this.#mayBe(number, old) : known === old;
  }

  pairSessions(fresh: number, old: number): void {
    this.#sessions.set(fresh, old);
  }

  /** All is learnt: the rest of the connections get numbers, and the rest of the things names, that are free. */
  settle(): void {
    const used = new Set(this.#sessions.values());
    let highest = Math.max(0, ...used, ...this.#numbers);
    for (const number of this.#numbers) {
      if (this.#sessions.has(number)) continue;
      this.#sessions.set(number, used.has(number) ? ++highest : number);
    }
    const unlearnt = [...this.#names.all.keys()].filter((number) => this.#targets[number] === undefined);
    const inTheWay = new Set(unlearnt.filter((number) => this.#isInTheWay(this.#named(number))));
    for (const number of unlearnt) if (!inTheWay.has(number)) this.#take(number, this.#named(number).token);
    for (const number of inTheWay) this.#take(number, this.#free(this.#named(number)));
  }

  /** What is new has the name of something that is in both. */
  #isInTheWay(named: Named): boolean {
    const given = isCounted(named.kind) && (named.boundAt !== undefined || named.kind === "event");
    return given && this.#taken.get(named, named.token) === true;
  }

  session(number: number): number {
    return this.#sessions.get(number) ?? number;
  }

  name(number: number): IdToken {
    return this.#targets[number] as IdToken;
  }

  #free(named: Named): IdToken {
    if (/^-?\d+$/.test(named.token)) return this.#nextNumber(named);
    for (let count = 2; ; count++) {
      const token = `${named.token.slice(0, -1)}-${count}"`;
      if (!this.#taken.get(named, token)) return token;
    }
  }

  #nextNumber(named: Named): IdToken {
    const scope = `${named.kind} ${named.session}`;
    const next = (this.#highest.get(scope) ?? this.#highestIn(named)) + 1n;
    this.#highest.set(scope, next);
    return String(next);
  }

  #highestIn(scope: Scope): bigint {
    let highest = 0n;
    for (const token of this.#taken.in(scope)?.keys() ?? []) {
      if (/^\d+$/.test(token) && BigInt(token) > highest) highest = BigInt(token);
    }
    return highest;
  }
}
