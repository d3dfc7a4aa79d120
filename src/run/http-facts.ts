import type { HttpFacts } from "../exchange/entry.ts";
import { headerValue } from "../transport/http-proxy-headers.ts";
import type { RawHeaders, RequestFacts } from "../transport/http-proxy-tap.ts";
import { isOwnHost, isOwnOrigin } from "../wire/hosts.ts";
import { keptHeaders } from "../wire/kept-headers.ts";
import type { HttpLanes } from "./http-lanes.ts";
import { type HttpPlaces, UNKNOWN_SESSION } from "./http-places.ts";

type Kept = Readonly<Record<string, string>> | undefined;

/** Headers that differ from message to message and are never kept. */
const FRAMING: ReadonlySet<string> = new Set(["content-length", "date"]);
/** Header blocks remembered at once. */
const MOST_KNOWN = 256;

/**
 * Tells the HTTP facts of an entry. A client sends much the same header block with every request, and so does a
 * server, so what is kept of a block is worked out once.
 */
export class HttpFactsReader {
  readonly #lanes: HttpLanes;
  readonly #places: HttpPlaces;
  readonly #ownHosts: readonly string[];
  readonly #known = new Map<string, Kept>();

  constructor(server: URL, lanes: HttpLanes, places: HttpPlaces) {
    this.#lanes = lanes;
    this.#places = places;
    this.#ownHosts = [server.host];
  }

  ofRequest({ method, path, headers }: RequestFacts): HttpFacts {
    const http = this.#places.isEndpoint(path) ? "http+sse" : "streamable";
    const kept = this.#remembered(`${method} ${http}`, headers, () =>
      keptHeaders("client", pairs(headers), {
        httpMethod: method,
        http,
        foreignHost: !isOwnHost(headerValue(headers, "host"), this.#ownHosts),
        foreignOrigin: !isOwnOrigin(headerValue(headers, "origin"), this.#ownHosts),
      }),
    );
    return { method, path: this.#places.stable(path), ...this.#stable(kept) };
  }

  ofResponse(status: number, headers: RawHeaders): HttpFacts {
    const kept = this.#remembered("", headers, () => keptHeaders("server", pairs(headers)));
    return { status, ...this.#stable(kept) };
  }

  #remembered(context: string, headers: RawHeaders, read: () => Kept): Kept {
    const key = keyOf(context, headers);
    if (this.#known.has(key)) return this.#known.get(key);
    if (this.#known.size === MOST_KNOWN) this.#known.clear();
    const kept = read();
    this.#known.set(key, kept);
    return kept;
  }

  /** What differs from run to run is replaced: session ids by the number of their lane, the server's own origin. */
  #stable(headers: Kept): { headers?: Kept } {
    if (!headers) return {};
    const { "mcp-session-id": id, location } = headers;
    if (id === undefined && location === undefined) return { headers };
    const stable = { ...headers };
    if (id !== undefined)
      stable["mcp-session-id"] = String(this.#lanes.ofSession(id)?.number ?? UNKNOWN_SESSION);
    if (location !== undefined) stable.location = this.#places.relative(location);
    return { headers: stable };
  }
}

/** Equal for blocks that differ in nothing but framing: names and values hold no line breaks. */
function keyOf(context: string, headers: RawHeaders): string {
  let key = context;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] as string;
    if (!FRAMING.has(name.toLowerCase())) key += `\n${name}\n${headers[i + 1]}`;
  }
  return key;
}

function* pairs(headers: RawHeaders): Iterable<readonly [string, string]> {
  for (let i = 0; i < headers.length; i += 2) yield [headers[i] as string, headers[i + 1] as string];
}
