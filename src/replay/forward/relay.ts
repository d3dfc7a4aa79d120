import type { IdToken, Message } from "../../protocol/message.ts";
import { labelOf } from "../../protocol/methods.ts";
import { claimedVersion } from "../../protocol/revisions.ts";
import { mcpHeaders } from "../../wire/mcp-headers.ts";
import type { Asked } from "../finder.ts";
import { askedOf, paramsOf } from "../key.ts";
import type { Playing } from "../playing.ts";
import type { Visitors } from "../visitor.ts";
import { Forwarder } from "./forwarder.ts";
import type { HeaderFields } from "./link.ts";
import type { LiveSide } from "./live-side.ts";
import type { RealServer } from "./real-server.ts";

/** What one connection of a live client has to do with the real server. */
export class Relay {
  readonly #server: RealServer;
  readonly #player: Playing;
  readonly #visitors: Visitors;
  readonly #live: LiveSide;

  private constructor(server: RealServer, player: Playing, { visitors, live }: Ends) {
    this.#server = server;
    this.#player = player;
    this.#visitors = visitors;
    this.#live = live;
  }

  /** Undefined where there is no real server. */
  static of(player: Playing, visitors: Visitors, live: Pick<LiveSide, "act" | "mintAsk">): Relay | undefined {
    const { realServer, onNotice } = player.options;
    if (!realServer) return undefined;
    const { written } = realServer;
    const log = written?.log ?? player.tally.forwarded;
    // That a mock is asked is nothing to tell of.
    const notice = (text: string) => (written ? undefined : onNotice?.(text));
    // What a real server was asked is among `forwarded`, with what became of it.
    const gaveUp = (label: string) => {
      if (written) player.tally.cancelled.push({ label, recorded: false, unsent: 0 });
    };
    return new Relay(realServer, player, { visitors, live: { ...live, log, notice, gaveUp } });
  }

  openWith(initialize: Message): void {
    this.#live.initialize = initialize;
  }

  request({ message, redacted, question, arrival }: Asked): void {
    this.#forwarderFor(message.id ?? "null").request({
      message,
      label: labelOf(message.method ?? "malformed", paramsOf(redacted)),
      asked: askedOf(redacted),
      modern: question.era === "modern",
      headers: arrival.headers ?? this.#headersOf(message),
      live: this.#live,
    });
  }

  notification(message: Message, recorded: boolean): void {
    for (const forwarder of this.#forwarders()) forwarder.notification(message, recorded);
  }

  answer(id: IdToken, message: Message): void {
    for (const forwarder of this.#forwarders()) if (forwarder.answer(id, message)) return;
  }

  /** False when this connection has no such request with the server. */
  cancel(id: IdToken, notification?: Message): boolean {
    return this.#holding(id)?.cancel(id, notification) === true;
  }

  /** The server is to answer this request of the connection's. */
  awaits(id: IdToken): boolean {
    return this.#holding(id) !== undefined;
  }

  close(): void {
    for (const forwarder of this.#forwarders()) forwarder.close();
  }

  #holding(id: IdToken): Forwarder | undefined {
    return this.#forwarders().find((forwarder) => forwarder.holds(id, this.#live));
  }

  #forwarders(): readonly Forwarder[] {
    return this.#visitors.flatMap(({ forwarders }) => forwarders);
  }

  /** The client's connection to the server; another one where it, or who may be it, is using this id there already. */
  #forwarderFor(id: IdToken): Forwarder {
    const free = this.#forwarders().find((forwarder) => !forwarder.holds(id));
    if (free) return free;
    const another = new Forwarder(this.#server);
    this.#visitors[0].forwarders.push(another);
    return another;
  }

  /** What a modern request says over HTTP, for one that did not come so. */
  #headersOf(message: Message): HeaderFields | undefined {
    const params = paramsOf(message);
    const version = claimedVersion(params);
    if (version === undefined) return undefined;
    const { method } = message;
    const inputSchema = this.#player.recording.inputSchemaFor(method, params);
    return mcpHeaders({ era: "modern", version, method, params, inputSchema });
  }
}

interface Ends {
  readonly visitors: Visitors;
  readonly live: LiveSide;
}
