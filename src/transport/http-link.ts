import { clearInterval, setInterval } from "node:timers";
import type { Via } from "../drive/driver-options.ts";
import type { Refusal } from "../drive/move.ts";
import { memberAt } from "../protocol/member.ts";
import { eachMessage, type IdToken, jsonOf, type Message } from "../protocol/message.ts";
import type { HeaderFields, Link, LinkSide } from "../replay/forward/link.ts";
import { HttpClient } from "./http-client.ts";
import { ownHeaders, passedOn } from "./http-link-headers.ts";

/** A client of 2025-03-26 and later that meets one of these tries the HTTP+SSE pair (2025-11-25 basic/transports). */
const MAYBE_PAIR: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/**
 * A server behind a URL, spoken with as one client: Streamable HTTP of every revision, and the HTTP+SSE pair where the
 * server turns out to speak that.
 */
export class HttpLink implements Link {
  readonly #client: HttpClient;
  readonly #side: LinkSide;
  /** Of the live client's, sent with everything: credentials, above all. */
  #own: HeaderFields = {};
  #version: string | undefined;
  /** An `initialize` without an answer. */
  #opening: Message | undefined;
  /** That `initialize` was refused, and the pair is tried. */
  #refusal: Refusal | undefined;
  #paired = false;
  #over = false;
  #closing: Promise<void> | undefined;

  /** @param given how requests are sent; by the global `fetch` where not given */
  constructor(url: URL, side: LinkSide, given?: typeof fetch) {
    this.#side = side;
    this.#client = new HttpClient(url.href, {
      receive: (message, via = {}) => {
        for (const one of eachMessage(message)) this.#received(one, via);
      },
      refused: (id, refusal) => this.#refused(id, refusal),
      paired: (refusal) => this.#pairTried(refusal),
      headers: () => this.#own,
      ...(given && { fetch: given }),
    });
  }

  readonly drop = (id: IdToken): void => this.#client.act({ type: "abandon", id });

  send(message: Message, headers: HeaderFields = {}): void {
    const given = passedOn(headers);
    this.#own = { ...this.#own, ...ownHeaders(given) };
    if (message.method === "initialize") {
      this.#opening = message;
      return this.#post(message, {});
    }
    const version: HeaderFields =
      this.#version === undefined ? {} : { "mcp-protocol-version": this.#version };
    this.#post(message, { ...given, ...version });
    if (message.method === "notifications/initialized") this.#client.act({ type: "standalone" });
  }

  close(): Promise<void> {
    this.#over = true;
    this.#closing ??= keepingAlive(this.#client.close());
    return this.#closing;
  }

  #post(message: Message, headers: HeaderFields): void {
    this.#client.act({ type: "send", message, headers: { ...this.#own, ...headers } });
  }

  #received(message: Message, { on, status }: Via): void {
    if (this.#over) return;
    const { kind, id } = message;
    if (kind === "response" && on !== undefined && (id === undefined || id === "null")) {
      return this.#refused(on, { status, reason: `HTTP ${status}: ${saidIn(message)}` });
    }
    if (kind === "response" && id === this.#opening?.id) {
      this.#opening = undefined;
      this.#version = negotiated(message);
    }
    // The pair has one stream for everything.
    const stream = on !== undefined ? { id: on } : this.#paired ? undefined : "get";
    this.#side.message(message, { on: stream, ...(status === undefined ? {} : { http: { status } }) });
  }

  #refused(id: IdToken | undefined, refusal: Refusal): void {
    if (this.#over) return;
    if (refusal.sessionLost) return this.#closed("has lost the session");
    if (id === undefined) {
      // A notification that it does not want is no harm; what cannot be delivered is, and the server may wait for it.
      if (refusal.status === undefined) this.#closed(`did not answer: ${refusal.reason}`);
    } else if (id === this.#opening?.id && !this.#paired && MAYBE_PAIR.has(refusal.status)) {
      this.#refusal = refusal;
      this.#client.act({ type: "pair" });
    } else this.#side.refused(id, `did not answer: ${refusal.reason}`);
  }

  #pairTried(failure: Refusal | undefined): void {
    const opening = this.#opening;
    if (this.#over || !opening) return;
    this.#paired = failure === undefined;
    if (this.#paired) this.#post(opening, {});
    else this.#side.refused(opening.id ?? "null", `did not answer: ${this.#refusal?.reason}`);
  }

  #closed(reason: string): void {
    void this.close();
    this.#side.closed(reason);
  }
}

/** The client's own timers keep nothing alive, and this process is to end no sooner than the session. */
async function keepingAlive(closing: Promise<void>): Promise<void> {
  const alive = setInterval(() => undefined, 1_000);
  await closing.finally(() => clearInterval(alive));
}

/** The revision that an answer to `initialize` settles. */
function negotiated(message: Message): string | undefined {
  const version = memberAt(jsonOf(message), "result", "protocolVersion");
  return typeof version === "string" ? version : undefined;
}

function saidIn(message: Message): string {
  const said = memberAt(jsonOf(message), "error", "message");
  return typeof said === "string" ? said : "an error that names no request";
}
