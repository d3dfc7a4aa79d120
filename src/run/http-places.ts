import type { HttpLane, HttpLanes } from "./http-lanes.ts";

/** What stands in a recording for a session id that the server never gave. */
export const UNKNOWN_SESSION = "unknown";

/** Paths that MCP traffic of one server goes to. The first is known; the server names the others. */
export class HttpPlaces {
  readonly #server: URL;
  readonly #lanes: HttpLanes;
  readonly #paths = new Set<string>();
  /** Paths that `endpoint` events announced: where clients of the HTTP+SSE pair post to. */
  readonly #endpointPaths = new Set<string>();

  constructor(server: URL, lanes: HttpLanes) {
    this.#server = server;
    this.#lanes = lanes;
    this.#paths.add(server.pathname);
  }

  has(target: string): boolean {
    const path = pathOf(target);
    return this.#paths.has(path) || this.#endpointPaths.has(path);
  }

  isEndpoint(target: string): boolean {
    return this.#endpointPaths.has(pathOf(target));
  }

  /** An `endpoint` event told this lane's client where to post to. */
  addEndpoint(lane: HttpLane, reference: string): void {
    const url = this.#resolve(reference);
    if (!url) return;
    this.#endpointPaths.add(url.pathname);
    this.#lanes.nameEndpoint(lane, url.pathname + url.search);
  }

  /** A redirect that keeps the method sends the client of one MCP path to another, often by a slash at its end. */
  addRedirect(status: number, location: string | undefined): void {
    if ((status !== 307 && status !== 308) || location === undefined) return;
    const url = this.#resolve(location);
    if (url) this.#paths.add(url.pathname);
  }

  /** The path as it is recorded: session ids of the HTTP+SSE pair differ from run to run, lane numbers do not. */
  stable(target: string): string {
    if (!this.isEndpoint(target)) return target;
    return withSession(target, this.#lanes.ofEndpoint(target));
  }

  /** A URL reference without the server's own origin, which differs from run to run; foreign ones as they are. */
  relative(reference: string): string {
    const url = /^([a-z][a-z0-9+.-]*:)?\/\//i.test(reference) ? this.#resolve(reference) : undefined;
    return url ? url.pathname + url.search + url.hash : reference;
  }

  #resolve(reference: string): URL | undefined {
    if (!URL.canParse(reference, this.#server.href)) return undefined;
    const url = new URL(reference, this.#server.href);
    return url.origin === this.#server.origin ? url : undefined;
  }
}

function pathOf(target: string): string {
  const query = target.indexOf("?");
  return query === -1 ? target : target.slice(0, query);
}

const SESSION_PARAMETER = /([?&][^=&#]*session[^=&#]*=)[^&#\s]*/gi;

/** A URL with the values of its session parameters replaced by the lane's number. */
export function withSession(url: string, lane: HttpLane | undefined): string {
  return url.replace(SESSION_PARAMETER, `$1${lane?.number ?? UNKNOWN_SESSION}`);
}
