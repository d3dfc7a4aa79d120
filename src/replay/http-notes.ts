import type { Entry } from "../exchange/entry.ts";

/** What a recording tells of the HTTP server it was made from, gathered entry by entry. */
export class HttpNotes {
  /** The path of the first request. */
  path: string | undefined;
  /** Paths of all requests, without their queries: a redirect leads from one to the next. */
  readonly paths = new Set<string>();
  /** Status of the first answer to a standalone GET. */
  standaloneStatus: number | undefined;
  /** Session ids were given. */
  sessions = false;
  /** The HTTP+SSE pair of 2024-11-05. */
  pair = false;
  /** Ordinals of answers with an error status. */
  readonly refusals = new Set<number>();

  /** A path, if it is another than the first; the two of the HTTP+SSE pair are one. */
  pathApart(path: string | undefined): string | undefined {
    if (this.pair || this.path === undefined || path === this.path) return undefined;
    const own = path?.split("?")[0];
    return own === this.path.split("?")[0] ? undefined : own;
  }

  add({ from, http, event, on }: Entry, ordinal: number): void {
    if (event?.name === "endpoint") this.pair = true;
    if (!http) return;
    this.path ??= http.path;
    if (http.path !== undefined) this.paths.add(http.path.split("?")[0] as string);
    if (from === "client") return;
    if (http.headers?.["mcp-session-id"] !== undefined) this.sessions = true;
    if (on === "get") this.standaloneStatus ??= http.status;
    if (http.status !== undefined && http.status >= 400) this.refusals.add(ordinal);
  }
}
