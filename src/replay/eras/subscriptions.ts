import { memberAt } from "../../protocol/member.ts";
import type { IdToken, JsonValue } from "../../protocol/message.ts";
import type { Visitor, Visitors } from "../visitor.ts";
import { LIST_CHANGES } from "./list-changes.ts";
import { urisOf } from "./openings.ts";

/** An open `subscriptions/listen` of a live client before a legacy recording. */
export interface Subscription {
  /** The listen request's id, as the client spelt it. */
  readonly id: IdToken;
  /** What it came on. */
  readonly session: object;
  /** Who may have sent it. */
  readonly owners: Visitors;
  /** What of its filter is honoured. */
  readonly filter: JsonValue;
  /** Sends a notification on it. */
  readonly tell: (notification: Uint8Array) => void;
  /** Ends it gracefully. */
  readonly end: () => void;
}

/** Resources of which a client may hear: it subscribes to each once, and gives it back once, as the recorded one did. */
export interface Grants {
  readonly granted: Set<string>;
  readonly givenBack: Set<string>;
}

/**
 * Who hears of what a legacy server announced. In the modern era a client may listen on one connection and act on
 * another: a client hears all that it listens for, wherever it acts, and nobody hears what another set off.
 */
export class Subscriptions {
  #all: Subscription[] = [];
  readonly #grants = new WeakMap<Visitor, Grants>();

  grantsOf([owner]: Visitors): Grants {
    const grants = this.#grants.get(owner) ?? { granted: new Set(), givenBack: new Set() };
    this.#grants.set(owner, grants);
    return grants;
  }

  add(subscription: Subscription): void {
    this.#all.push(subscription);
  }

  /** What was removed; undefined where there was nothing. */
  remove(session: object, id: IdToken): Subscription | undefined {
    const found = this.#all.find((each) => each.session === session && each.id === id);
    if (found) this.#all = this.#all.filter((each) => each !== found);
    return found;
  }

  /** What came on this is over. */
  forget(session: object): void {
    this.#all = this.#all.filter((each) => each.session !== session);
  }

  of(owners: Visitors): readonly Subscription[] {
    return this.#all.filter((each) => each.owners.some((owner) => owners.includes(owner)));
  }

  hearing(notification: Announced, owners: Visitors): readonly Subscription[] {
    return this.of(owners).filter(({ filter }) => wants(filter, notification));
  }

  /** Ends all, as a server does that ends. */
  end(): void {
    for (const { end } of this.#all.splice(0)) end();
  }
}

/** A notification of a change. */
export interface Announced {
  readonly method: string | undefined;
  /** Of the resource that changed. */
  readonly uri: JsonValue | undefined;
}

function wants(filter: JsonValue, { method, uri }: Announced): boolean {
  if (method === "notifications/resources/updated")
    return typeof uri === "string" && urisOf(filter).includes(uri);
  return Object.entries(LIST_CHANGES).some(
    ([member, name]) => method === `notifications/${name}/list_changed` && memberAt(filter, member) === true,
  );
}
