import { tokenAt } from "../../exchange/token.ts";
import type { IdToken, JsonValue, Message } from "../../protocol/message.ts";
import { META } from "../../protocol/revisions.ts";
import type { Block } from "./ledger.ts";
import type { Arrived, HeaderFields } from "./link.ts";
import type { LiveSide } from "./live-side.ts";
import type { Underway } from "./log.ts";

/** A request that no recording answers. */
export interface Unrecorded {
  readonly message: Message;
  /** Method and name. */
  readonly label: string;
  /** What was asked, redacted, for the report. */
  readonly asked: JsonValue;
  readonly modern: boolean;
  readonly headers: HeaderFields | undefined;
  readonly live: LiveSide;
}

/** A request of the live client's that the real server is asked. */
export interface Pending {
  readonly message: Message;
  readonly id: IdToken;
  /** Method and name. */
  readonly label: string;
  readonly modern: boolean;
  readonly headers: HeaderFields | undefined;
  readonly live: LiveSide;
  readonly block: Block;
  readonly underway: Underway;
  /** It is with the server; before, it waits until the server is ready for it. */
  sent: boolean;
}

/** Answered by a subscription's end, if ever: what happens meanwhile cannot wait for that to be kept. */
export function isListener({ message }: Pending): boolean {
  return message.method === "subscriptions/listen";
}

/** One client's requests that the real server has not answered. */
export class InFlight {
  /** Whoever was heard of last comes last. */
  readonly #byId = new Map<IdToken, Pending>();

  add(pending: Pending): void {
    this.#byId.set(pending.id, pending);
  }

  get(id: IdToken): Pending | undefined {
    return this.#byId.get(id);
  }

  has(pending: Pending): boolean {
    return this.#byId.get(pending.id) === pending;
  }

  remove(pending: Pending): void {
    if (this.has(pending)) this.#byId.delete(pending.id);
  }

  /** Takes all out. */
  takeAll(): readonly Pending[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    return all;
  }

  /** The request that a message of the server is about; undefined for what is about none, or does not say. */
  named(message: Message, { on }: Arrived): Pending | undefined {
    const byStream = typeof on === "object" ? this.#byId.get(on.id) : undefined;
    const found = byStream ?? this.#byToken(message) ?? this.#bySubscription(message);
    if (found) this.#heard(found);
    return found;
  }

  /** The one that was heard of last: what names none is most likely about it. */
  get latest(): Pending | undefined {
    return this.#asking.at(-1);
  }

  /** Several could be the one that the server speaks of. */
  get isShared(): boolean {
    return this.#asking.length > 1;
  }

  get #asking(): readonly Pending[] {
    return [...this.#byId.values()].filter((pending) => pending.sent && !isListener(pending));
  }

  #heard(pending: Pending): void {
    this.#byId.delete(pending.id);
    this.#byId.set(pending.id, pending);
  }

  #byToken(message: Message): Pending | undefined {
    if (message.method !== "notifications/progress") return undefined;
    const token = tokenAt(message, ["params", "progressToken"]);
    if (token === undefined) return undefined;
    const asked = (pending: Pending) => tokenAt(pending.message, ["params", "_meta", "progressToken"]);
    return [...this.#byId.values()].find((pending) => asked(pending) === token);
  }

  #bySubscription(message: Message): Pending | undefined {
    const id =
      tokenAt(message, ["params", "_meta", META.subscriptionId]) ??
      (message.method === "notifications/cancelled" ? tokenAt(message, ["params", "requestId"]) : undefined);
    return id === undefined ? undefined : this.#byId.get(id);
  }
}
