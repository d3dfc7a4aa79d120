import type { Entry } from "../../exchange/entry.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { labelOf } from "../../protocol/methods.ts";
import { isObject } from "../members.ts";

/** Requests whose answer never comes are forgotten after so many others. */
const MOST_OPEN = 10_000;

/** Names what an entry is, for the comment on its `---` line. Answers are named by the request they answer. */
export class Labels {
  readonly #open = new Map<string, string>();

  /** `value`: the entry's body as JSON, if it is that. */
  of(entry: Entry, value: JsonValue | undefined): string {
    const label = bodyLabel(value);
    if (label !== undefined) return label;
    if (isObject(value)) {
      if (typeof value.method === "string") return this.#request(entry, value);
      if (Object.hasOwn(value, "result")) return this.#answer("result", entry, value.id);
      if (Object.hasOwn(value, "error")) return this.#answer("error", entry, value.id);
    }
    return httpLabel(entry) ?? restLabel(entry);
  }

  #request(entry: Entry, value: Record<string, unknown>): string {
    const label = labelOf(value.method as string, value.params as JsonValue | undefined);
    if (!Object.hasOwn(value, "id")) return label;
    if (this.#open.size >= MOST_OPEN) this.#open.delete(this.#open.keys().next().value as string);
    this.#open.set(requestKey(entry.session, entry.from, value.id), label);
    return label;
  }

  #answer(kind: "result" | "error", entry: Entry, id: unknown): string {
    const key = requestKey(entry.session, entry.from === "client" ? "server" : "client", id);
    const request = this.#open.get(key);
    this.#open.delete(key);
    return request === undefined ? kind : `${kind} of ${request}`;
  }
}

function bodyLabel(value: JsonValue | undefined): string | undefined {
  return Array.isArray(value) ? `batch of ${value.length}` : undefined;
}

function requestKey(session: number, asker: string, id: unknown): string {
  return `${session} ${asker} ${JSON.stringify(id)}`;
}

function httpLabel({ http }: Entry): string | undefined {
  if (http?.status !== undefined) return String(http.status);
  if (http?.method !== undefined) return oneLine(`${http.method} ${http.path ?? ""}`);
  return undefined;
}

function restLabel(entry: Entry): string {
  if (entry.body) return "noise";
  if (entry.closed) return "closed";
  return entry.event ? "event" : "nothing";
}

function oneLine(text: string): string {
  return text
    .slice(0, 100)
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/gu, "\ufffd")
    .trimEnd();
}
