import type { IdToken } from "../protocol/message.ts";
import type { NameKind, Reference } from "./references.ts";

/** Counted or drawn by whoever gives them, and free to be any other: see `Renames`. */
const COUNTED: ReadonlySet<NameKind> = new Set(["request", "ask", "requestToken", "askToken", "event"]);

/** Names that stand for something in one connection only. */
export function isCounted(kind: NameKind): boolean {
  return COUNTED.has(kind);
}

/** One thing that bears a name in a recording, for as long as it does. */
export interface Named {
  readonly kind: NameKind;
  /** 0 for what connections have in common. */
  readonly session: number;
  readonly token: IdToken;
  /** Ordinal of the entry in which the name was given; undefined where nothing shows that it was. */
  readonly boundAt: number | undefined;
  /** Of a request. */
  readonly method: string | undefined;
}

/** Everything that bears a name in a recording, numbered as it turns up. */
export class Names {
  readonly all: Named[] = [];
  readonly #current = new Map<string, number>();

  /** What a reference in an entry of a connection means; a new thing where it means nothing known. */
  resolve(reference: Reference, session: number, ordinal: number): number {
    const scope = isCounted(reference.kind) ? session : 0;
    if (!reference.binds) {
      const known = this.find(reference, session);
      if (known !== undefined) return known;
    }
    const { kind, token, binds, method } = reference;
    this.all.push({ kind, token, session: scope, boundAt: binds ? ordinal : undefined, method });
    const number = this.all.length - 1;
    this.#current.set(keyOf(kind, scope, token), number);
    return number;
  }

  find({ kind, token }: Pick<Reference, "kind" | "token">, session: number): number | undefined {
    const own = this.#current.get(keyOf(kind, isCounted(kind) ? session : 0, token));
    // A server takes back what it asked, or ends a subscription, which has the client's id.
    return own === undefined && kind === "ask" ? this.#current.get(keyOf("request", session, token)) : own;
  }
}

function keyOf(kind: NameKind, session: number, token: IdToken): string {
  return `${kind} ${session} ${token}`;
}
