import type { Entry } from "../../src/exchange/entry.ts";
import { readMessage } from "../../src/protocol/message.ts";
import type { PlayerOptions } from "../../src/replay/playing.ts";
import { Guests } from "../../src/transport/http-guests.ts";
import { bytesOf, type Said, Tape, textsOf } from "./tape.ts";

export interface Call {
  /** What the client calls itself, if anything. */
  readonly name: string | undefined;
  readonly id: number | string;
  /** The TCP connection. */
  readonly over: object;
}

interface Opened extends Pick<Call, "name" | "over"> {
  readonly said: { readonly [key: string]: unknown };
}

/** A recording played to guests, each request by itself, as over HTTP of the modern era. */
export class Guestbook {
  readonly #tape: Tape;
  readonly #guests: Guests;

  constructor(entries: readonly Entry[], options: Partial<PlayerOptions> = {}) {
    this.#tape = new Tape(entries, options);
    this.#guests = new Guests(() => this.#tape.player.welcome());
  }

  get misses(): number {
    return this.#tape.player.report().misses.length;
  }

  disconnected(over: object): void {
    this.#guests.disconnected(over);
  }

  discover(call: Call): void {
    this.#ask(call, "server/discover", {});
  }

  /** The answer to a call of the tool `poll`; undefined where there is none. */
  poll(call: Call): unknown {
    return this.#ask(call, "tools/call", { name: "poll" });
  }

  #ask({ id, ...call }: Call, method: string, params: object): unknown {
    const [answer] = this.open({ ...call, said: { jsonrpc: "2.0", id, method, params } });
    return JSON.parse(answer ?? "{}").result;
  }

  /** Sends a request; the list that is returned grows by what is said on its stream. */
  open({ name, over, said }: Opened): string[] {
    const { params, ...rest } = said as { params?: { _meta?: object } };
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      ...(name === undefined ? {} : { "io.modelcontextprotocol/clientInfo": { name } }),
    };
    const message: Said = { ...rest, params: { ...params, _meta } };
    const heard: string[] = [];
    const visitors = this.#guests.of(
      readMessage(bytesOf(JSON.stringify(message))),
      { ...params, _meta } as never,
      over,
    );
    const act = (action: Parameters<typeof textsOf>[0][number]) => heard.push(...textsOf([action]));
    const timer = (_ms: number, then: () => void) => {
      then();
      return () => undefined;
    };
    const session = this.#tape.player.connect({ carriesStatus: true, timer, act }, visitors);
    session.receive(readMessage(bytesOf(JSON.stringify(message))));
    return heard;
  }
}
