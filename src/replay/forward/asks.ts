import { tokenAt } from "../../exchange/token.ts";
import { copyOf } from "../../protocol/copy-of.ts";
import type { IdToken, Message } from "../../protocol/message.ts";
import { spliced } from "../splice.ts";
import type { Pending } from "./in-flight.ts";
import type { Block } from "./ledger.ts";

/** Where a request of the server belongs. */
interface Place {
  /** What it is, or may be, asked for. */
  readonly home: Pending | undefined;
  /** Where it is noted; undefined when it is not. */
  readonly block: Block | undefined;
}

interface Ask extends Place {
  /** Its id as the server spelt it. */
  readonly id: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Requests of the real server that the live client is to answer, by the id that the client knows. */
export class ServerAsks {
  readonly #asks = new Map<IdToken, Ask>();

  /** Returns the request as the client is to see it. */
  add(minted: IdToken, message: Message, { home, block }: Place): Uint8Array {
    const span = message.scan.members.id;
    this.#asks.set(minted, { id: copyOf(message.bytes, span?.start, span?.end), home, block });
    home?.underway.waits(true);
    return spliced(message, [[["id"], encoder.encode(minted)]]);
  }

  /** The client's answer as the server is to see it; undefined when the server did not ask under this id. */
  answer(id: IdToken, message: Message): { block: Block | undefined; bytes: Uint8Array } | undefined {
    const ask = this.#asks.get(id);
    if (!ask) return undefined;
    this.#remove(id, ask);
    return { block: ask.block, bytes: spliced(message, [[["id"], ask.id]]) };
  }

  /** A server's `notifications/cancelled` as the client is to see it; undefined when it takes back none of these. */
  takeBack(message: Message): { block: Block | undefined; bytes: Uint8Array } | undefined {
    const requestId = tokenAt(message, ["params", "requestId"]);
    for (const [minted, ask] of this.#asks) {
      if (decoder.decode(ask.id) !== requestId) continue;
      this.#remove(minted, ask);
      const bytes = spliced(message, [[["params", "requestId"], encoder.encode(minted)]]);
      return { block: ask.block, bytes };
    }
    return undefined;
  }

  /** A request is answered, and no server answers before its own question is: open ones were asked for another. */
  outlive(answered: Pending, other: Pending | undefined): void {
    for (const [minted, ask] of this.#asks) {
      if (ask.home !== answered) continue;
      this.#asks.set(minted, { ...ask, home: other });
      other?.underway.waits(true);
    }
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
