import { LISTS, type ListName } from "../../drive/pages.ts";
import { memberAt, rowOf } from "../../protocol/member.ts";
import type { IdToken, JsonObject, JsonValue } from "../../protocol/message.ts";
import type { Asked } from "./asked.ts";
import type { Task } from "./tasks/task.ts";
import { notificationBytes, subscriptionBytes } from "./wire.ts";

/** The member of a filter that asks for changes of a list, and the notification of them. */
const CHANGES: Readonly<Record<ListName, { readonly wanted: string; readonly method: string }>> = {
  tools: { wanted: "toolsListChanged", method: "notifications/tools/list_changed" },
  resources: { wanted: "resourcesListChanged", method: "notifications/resources/list_changed" },
  templates: { wanted: "resourcesListChanged", method: "notifications/resources/list_changed" },
  prompts: { wanted: "promptsListChanged", method: "notifications/prompts/list_changed" },
};

const UPDATED = "notifications/resources/updated";

/** Lists by the notification that they changed. */
export const CHANGED: Readonly<Record<string, ListName>> = Object.fromEntries(
  (Object.keys(CHANGES) as ListName[]).reverse().map((list) => [CHANGES[list].method, list]),
);

/** Whether a modern client can ask to be told of this (2026-07-28 basic/patterns/subscriptions). */
export function isListened(method: string): boolean {
  return method === UPDATED || Object.hasOwn(CHANGED, method);
}

export type Send = (bytes: Uint8Array, on: IdToken | "standalone") => void;

/** What a server can tell of. */
export interface Able {
  readonly capabilities: JsonObject;
  /** There is a resource of this URI. */
  readonly isThere: (uri: JsonValue) => boolean;
}

interface Listener {
  readonly filter: JsonObject;
  /** Ends what is told of tasks. */
  readonly unwatch: readonly (() => void)[];
}

/** Who is told when something changes: a legacy client that subscribed, the listeners of a modern one. */
export class Feeds {
  readonly #send: Send;
  readonly #uris = new Set<string>();
  readonly #listeners = new Map<IdToken, Listener>();
  /** A client of the legacy era is there; it is told of lists without asking. */
  legacy = false;

  constructor(send: Send) {
    this.#send = send;
  }

  subscribe(uri: string): void {
    this.#uris.add(uri);
  }

  unsubscribe(uri: string): void {
    this.#uris.delete(uri);
  }

  /** Opens a `subscriptions/listen`; what of it is honoured is acknowledged first of all. `tasks`: those it is about. */
  listen({ id, params }: Asked, can: Able, tasks: readonly Task[]): void {
    const own = honoured(memberAt(params, "notifications"), can);
    const filter = tasks.length > 0 ? { ...own, taskIds: tasks.map(({ facts }) => facts.id) } : own;
    const tell = (task: Task) => this.#tell(id, "notifications/tasks", task.detailed);
    this.#listeners.set(id, { filter, unwatch: tasks.map((task) => task.watch(() => tell(task))) });
    this.#tell(id, "notifications/subscriptions/acknowledged", { notifications: filter });
  }

  /** False where no listener has this id. */
  end(id: IdToken): boolean {
    for (const unwatch of this.#listeners.get(id)?.unwatch ?? []) unwatch();
    return this.#listeners.delete(id);
  }

  changed(lists: readonly ListName[]): void {
    const kinds = new Map(lists.map((list) => [LISTS[list].capability, CHANGES[list]]));
    for (const { wanted, method } of kinds.values()) {
      this.#publish(method, {}, ({ filter }) => filter[wanted] === true, true);
    }
  }

  updated(uri: string): void {
    const hears = ({ filter }: Listener) => isWanted(filter, UPDATED, { uri });
    this.#publish(UPDATED, { uri }, hears, this.#uris.has(uri));
  }

  /**
   * A notification as it is written: for legacy clients, who get what a server sends, and for who listens to it. False
   * where there is nobody.
   */
  notify(method: string, params: JsonObject | undefined): boolean {
    const hears = ({ filter }: Listener) => isWanted(filter, method, params);
    if (this.legacy) this.#send(notificationBytes(method, params), "standalone");
    this.#publish(method, params ?? {}, hears, false);
    return this.legacy || [...this.#listeners.values()].some(hears);
  }

  #publish(
    method: string,
    params: JsonObject,
    hears: (listener: Listener) => boolean,
    legacy: boolean,
  ): void {
    if (this.legacy && legacy) {
      this.#send(
        notificationBytes(method, Object.keys(params).length > 0 ? params : undefined),
        "standalone",
      );
    }
    for (const [id, listener] of this.#listeners) if (hears(listener)) this.#tell(id, method, params);
  }

  #tell(id: IdToken, method: string, params: JsonObject): void {
    this.#send(subscriptionBytes(id, method, params), id);
  }
}

function isWanted(filter: JsonObject, method: string, params: JsonObject | undefined): boolean {
  const list = rowOf(CHANGED, method);
  if (list) return filter[CHANGES[list].wanted] === true;
  const { resourceSubscriptions: uris } = filter;
  return method === UPDATED && Array.isArray(uris) && uris.includes(params?.uri ?? null);
}

function honoured(wanted: JsonValue | undefined, { capabilities, isThere }: Able): JsonObject {
  const can = (list: string, what: string) => memberAt(capabilities, list, what) === true;
  const lists = {
    tools: "toolsListChanged",
    resources: "resourcesListChanged",
    prompts: "promptsListChanged",
  };
  const filter: JsonObject = {};
  for (const [list, key] of Object.entries(lists)) {
    if (memberAt(wanted, key) === true && can(list, "listChanged")) filter[key] = true;
  }
  const uris = memberAt(wanted, "resourceSubscriptions");
  if (Array.isArray(uris) && can("resources", "subscribe"))
    filter.resourceSubscriptions = uris.filter(isThere);
  return filter;
}
