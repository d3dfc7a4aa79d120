import type { RequestFacts, Tap, TapRequest } from "../transport/http-proxy-tap.ts";
import type { Room } from "../wire/room.ts";
import type { EntrySink } from "./entry-sink.ts";
import { HttpExchange, type Watch } from "./http-exchange.ts";
import { HttpFactsReader } from "./http-facts.ts";
import { HttpLanes } from "./http-lanes.ts";
import { HttpPlaces } from "./http-places.ts";
import { Turns } from "./http-turns.ts";

export interface HttpTapOptions {
  /** The server's MCP endpoint. */
  readonly upstream: URL;
  readonly sink: EntrySink;
  /**
   * Starts what has come together, at a time when it holds nothing up. Nothing is written before it has been called
   * back; `settled` waits for it.
   */
  readonly defer: (start: () => void) => void;
  /** Where bodies are joined; for a sink that keeps none of them. */
  readonly room?: Room | undefined;
}

/**
 * Turns the MCP traffic that passes a proxy into entries, in wire order: Streamable HTTP of every revision and the
 * HTTP+SSE pair. Whatever else the server is asked for (OAuth, discovery documents) is not recorded. A fault in here
 * is reported to the sink once and ends the recording, never the traffic.
 */
export class HttpTap implements Tap {
  readonly #watch: Watch;
  #pair = false;

  constructor({ upstream, sink, defer, room }: HttpTapOptions) {
    const lanes = new HttpLanes();
    const places = new HttpPlaces(upstream, lanes);
    this.#watch = {
      sink,
      room,
      lanes,
      places,
      facts: new HttpFactsReader(upstream, lanes, places),
      turns: new Turns({ defer, onFailure: (error) => sink.fail?.(error) }),
      onPair: () => {
        this.#pair = true;
      },
    };
  }

  request(facts: RequestFacts): TapRequest | undefined {
    const { places, turns } = this.#watch;
    return places.has(facts.path) && !turns.failed ? new HttpExchange(this.#watch, facts) : undefined;
  }

  /** What the server turned out to speak: an `endpoint` event is the HTTP+SSE pair's alone. */
  transport(): "http" | "http+sse" {
    return this.#pair ? "http+sse" : "http";
  }

  /** Resolves when everything seen so far is with the sink. */
  async settled(): Promise<void> {
    await this.#watch.turns.idle();
  }
}
