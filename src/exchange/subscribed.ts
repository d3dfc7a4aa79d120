import type { Message } from "../protocol/message.ts";
import { tokenAt } from "./token.ts";

/** The resources a client subscribed to on a connection (`resources/subscribe`). */
export class Subscribed {
  readonly #uris = new Set<string>();

  /** A request of the client. */
  note(request: Message): void {
    if (request.method === "resources/subscribe") this.#uris.add(uriOf(request) ?? "");
    else if (request.method === "resources/unsubscribe") this.#uris.delete(uriOf(request) ?? "");
  }

  /** What a notification of the server tells such a client of, as a part of its step. */
  stepOf(notification: Message): { readonly subscribed?: string } {
    const uri = notification.method === "notifications/resources/updated" ? uriOf(notification) : undefined;
    return uri !== undefined && this.#uris.has(uri) ? { subscribed: uri } : {};
  }
}

function uriOf(message: Message): string | undefined {
  return tokenAt(message, ["params", "uri"]);
}
