import { tokenAt } from "../../exchange/token.ts";
import type { IdToken, Message } from "../../protocol/message.ts";
import { spliced } from "../splice.ts";
import type { Pending } from "./in-flight.ts";

interface Ask {
  /** Its id as the server spelt it. */
  readonly id: Uint8Array;
  readonly home: Pending | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Requests of the real server that the live client is to answer, by the id that the client knows. */
export class ServerAsks {
  readonly #asks = new Map<IdToken, Ask>();

  /** Returns the request as the client is to see it. */
  add(minted: IdToken, message: Message, home: Pending | undefined): Uint8Array {
    const span = message.scan.members.id;
    this.#asks.set(minted, { id: message.bytes.slice(span?.start, span?.end), home });
    home?.underway.waits(true);
    return spliced(message, [[["id"], encoder.encode(minted)]]);
  }

  /** The client's answer as the server is to see it; undefined when the server did not ask under this id. */
  answer(id: IdToken, message: Message): { home: Pending | undefined; bytes: Uint8Array } | undefined {
    const ask = this.#asks.get(id);
    if (!ask) return undefined;
    this.#remove(id, ask);
    return { home: ask.home, bytes: spliced(message, [[["id"], ask.id]]) };
  }

  /** A server's `notifications/cancelled` as the client is to see it. */
  takeBack(message: Message): Uint8Array {
    const requestId = tokenAt(message, ["params", "requestId"]);
    for (const [minted, ask] of this.#asks) {
      if (decoder.decode(ask.id) !== requestId) continue;
      this.#remove(minted, ask);
      return spliced(message, [[["params", "requestId"], encoder.encode(minted)]]);
    }
    return message.bytes;
  }

  clear(): void {
    this.#asks.clear();
  }

  /** Once the last ask of a request is answered, the server is to go on. */
  #remove(id: IdToken, { home }: Ask): void {
    this.#asks.delete(id);
    if (home && ![...this.#asks.values()].some((ask) => ask.home === home)) home.underway.waits(false);
  }
}
