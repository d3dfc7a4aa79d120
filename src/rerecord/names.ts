import type { IdToken } from "../protocol/message.ts";
import type { NameKind, Reference } from "./references.ts";

/** Counted or drawn by whoever gives them, and free to be any other: see `Renames`. */
const COUNTED: ReadonlySet<NameKind> = new Set(["request", "ask", "requestToken", "askToken", "event"]);

/** Names that stand for something in one connection only. */
export function isCounted(kind: NameKind): boolean {
  return COUNTED.has(kind);
}

/** Where a name is one: names of different scopes never meet. `session` is 0 for what connections have in common. */
export interface Scope {
  readonly kind: NameKind;
  readonly session: number;
}

/** Something for each name of each scope. */
export class ByName<Value> {
  readonly #scopes = new Map<NameKind, Map<number, Map<IdToken, Value>>>();
  /** What was asked about last is mostly asked about next. */
  #last: { readonly scope: Scope; readonly names: Map<IdToken, Value> } | undefined;

  get(scope: Scope, token: IdToken): Value | undefined {
    return this.in(scope)?.get(token);
  }

  set(scope: Scope, token: IdToken, value: Value): void {
    const names = this.#in(scope);
    if (names) return void names.set(token, value);
    const { kind, session } = scope;
    const sessions = this.#scopes.get(kind);
    const first = new Map([[token, value]]);
    if (sessions) sessions.set(session, first);
    else this.#scopes.set(kind, new Map([[session, first]]));
  }

  in(scope: Scope): ReadonlyMap<IdToken, Value> | undefined {
    return this.#in(scope);
  }

  #in({ kind, session }: Scope): Map<IdToken, Value> | undefined {
    const last = this.#last;
    if (last !== undefined && last.scope.kind === kind && last.scope.session === session) return last.names;
    const names = this.#scopes.get(kind)?.get(session);
    if (names) this.#last = { scope: { kind, session }, names };
    return names;
  }
}

/** One thing that bears a name in a recording, for as long as it does. */
export interface Named extends Scope {
  readonly token: IdToken;
  /** Ordinal of the entry in which the name was given; undefined where nothing shows that it was. */
  readonly boundAt: number | undefined;
  /** Of a request. */
  readonly method: string | undefined;
}

/**
 * Of each name in an entry, the one in its place in another entry that says the same. Progress is asked for or not, so
 * where a token for it is in one of the two only, what follows is in the same place nevertheless.
 */
export function inTheirPlaces(
  names: readonly Named[],
  theirs: readonly Named[],
): readonly (Named | undefined)[] {
  let at = 0;
  return names.map((named) => {
    if (!isProgressToken(named)) while (isProgressToken(theirs[at])) at++;
    else if (!isProgressToken(theirs[at])) return undefined;
    return theirs[at++];
  });
}

function isProgressToken(named: Named | undefined): boolean {
  return named?.kind === "requestToken" || named?.kind === "askToken";
}

/** Everything that bears a name in a recording, numbered as it turns up. */
export class Names {
  readonly all: Named[] = [];
  /** Some are names in all connections, which only the server can give. */
  minted = false;
  /** What each name means now. */
  readonly current = new ByName<number>();

  /** What a reference in an entry of a connection means; a new thing where it means nothing known. */
  resolve(reference: Omit<Reference, "place">, session: number, ordinal: number): number {
    if (!reference.binds) {
      const known = this.find(reference, session);
      if (known !== undefined) return known;
    }
    const { kind, token, binds, method } = reference;
    const scope = isCounted(kind) ? session : 0;
    const number = this.all.length;
    const named: Named = { kind, token, session: scope, boundAt: binds ? ordinal : undefined, method };
    this.all.push(named);
    if (scope === 0) this.minted = true;
    this.current.set(named, token, number);
    return number;
  }

  find({ kind, token }: Pick<Reference, "kind" | "token">, session: number): number | undefined {
    const own = this.current.get({ kind, session: isCounted(kind) ? session : 0 }, token);
    // A server takes back what it asked, or ends a subscription, which has the client's id.
    return own === undefined && kind === "ask" ? this.current.get({ kind: "request", session }, token) : own;
  }
}
