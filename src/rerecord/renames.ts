import type { IdToken } from "../protocol/message.ts";
import { isCounted, type Named, type Names } from "./names.ts";
import type { NameKind } from "./references.ts";

/**
 * Which names of the new recording become which of the old one. Every thing keeps a name of its own:
 *
 * - Ids, progress tokens and event ids of what is in both recordings become the old ones; of what is new they stay, or
 *   move out of the way of an old one.
 * - What the server minted becomes the old value only where the new value stands for nothing else: it is not one of the
 *   old recording, its old value is not one of the new recording, and it is `movable`.
 */
export class Renames {
  readonly #names: readonly Named[];
  readonly #movable: ReadonlySet<string>;
  readonly #targets: (IdToken | undefined)[] = [];
  readonly #own: ReadonlySet<string>;
  readonly #taken = new Set<string>();
  /** Of each kind and connection, the highest number there is. */
  readonly #highest = new Map<string, bigint>();
  readonly #sessions = new Map<number, number>();
  readonly #numbers: Set<number>;

  /** `movable` holds keys of `nameKey`. */
  constructor(fresh: { names: Names; sessions: ReadonlySet<number> }, movable: ReadonlySet<string>) {
    this.#names = fresh.names.all;
    this.#movable = movable;
    this.#own = new Set(this.#names.map((named) => nameKey(named, named.token)));
    this.#numbers = new Set(fresh.sessions);
  }

  /** What a thing is called in the old recording. The first time counts. */
  learn(number: number, old: IdToken): void {
    if (this.#targets[number] !== undefined) return;
    const named = this.#names[number] as Named;
    const key = nameKey(named, old);
    if (!this.#mayBe(named, old, key)) return;
    this.#targets[number] = old;
    this.#taken.add(key);
  }

  #mayBe(named: Named, old: IdToken, key: string): boolean {
    const free = !this.#taken.has(key);
    if (named.kind === "event") return free;
    if (isCounted(named.kind) || old === named.token) return true;
    return free && !this.#own.has(key) && this.#movable.has(nameKey(named, named.token));
  }

  /** What a thing is known to be called in the old recording. */
  learnt(number: number): IdToken | undefined {
    return this.#targets[number];
  }

  /** Whether a thing may turn out to be called so. */
  couldBe(number: number, old: IdToken): boolean {
    const known = this.#targets[number];
    if (known !== undefined) return known === old;
    const named = this.#names[number] as Named;
    return this.#mayBe(named, old, nameKey(named, old));
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
    for (const [number, named] of this.#names.entries()) {
      if (this.#targets[number] !== undefined) continue;
      const collides = named.boundAt !== undefined || named.kind === "event";
      this.#targets[number] = collides ? this.#free(named) : named.token;
    }
  }

  session(number: number): number {
    return this.#sessions.get(number) ?? number;
  }

  name(number: number): IdToken {
    return this.#targets[number] as IdToken;
  }

  #free(named: Named): IdToken {
    if (!isCounted(named.kind) || !this.#taken.has(nameKey(named, named.token))) return named.token;
    const token = /^-?\d+$/.test(named.token) ? this.#nextNumber(named) : this.#nextText(named);
    this.#taken.add(nameKey(named, token));
    return token;
  }

  #nextNumber(named: Named): IdToken {
    const scope = nameKey(named, "");
    const highest = this.#highest.get(scope) ?? this.#highestOf(scope);
    this.#highest.set(scope, highest + 1n);
    return String(highest + 1n);
  }

  #highestOf(scope: string): bigint {
    let highest = 0n;
    for (const key of [...this.#own, ...this.#taken]) {
      const token = key.startsWith(scope) ? key.slice(scope.length) : "";
      if (/^\d+$/.test(token) && BigInt(token) > highest) highest = BigInt(token);
    }
    return highest;
  }

  #nextText(named: Named): IdToken {
    for (let count = 2; ; count++) {
      const token = `${named.token.slice(0, -1)}-${count}"`;
      const key = nameKey(named, token);
      if (!this.#taken.has(key) && !this.#own.has(key)) return token;
    }
  }
}

/** A name as a text that is equal for equal names alone. */
export function nameKey({ kind, session }: { kind: NameKind; session: number }, token: IdToken): string {
  return `${kind} ${session} ${token}`;
}
