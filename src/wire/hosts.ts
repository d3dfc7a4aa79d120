/** Names of this machine, with any port: a page that rebinds DNS cannot make a browser send these for its own name. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: "80", https: "443" };

interface Authority {
  readonly name: string;
  readonly port: string | undefined;
}

/**
 * Whether a `Host` header names this door. `ownHosts` are `name` (any port) or `name:port`; loopback names always do.
 * A request without the header is fine: HTTP servers refuse it before, and in-process requests have none.
 */
export function isOwnHost(host: string | undefined, ownHosts: readonly string[]): boolean {
  if (host === undefined) return true;
  const authority = authorityOf(host);
  return authority !== undefined && isOwn(authority, "80", ownHosts);
}

/**
 * Whether an `Origin` header (https://fetch.spec.whatwg.org/#origin-header) is this door's or a loopback page's.
 * Programs send none, which is fine; `null` and what is no origin is foreign.
 */
export function isOwnOrigin(origin: string | undefined, ownHosts: readonly string[]): boolean {
  if (origin === undefined || origin === "") return true;
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)\/?$/i.exec(origin.trim());
  const authority = match?.[2] === undefined ? undefined : authorityOf(match[2]);
  if (authority === undefined) return false;
  return isOwn(authority, DEFAULT_PORTS[match?.[1]?.toLowerCase() ?? ""], ownHosts);
}

function authorityOf(text: string): Authority | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]]+)(?::(\d*))?$/i.exec(text.trim());
  if (match?.[1] === undefined) return undefined;
  return { name: match[1].toLowerCase(), port: match[2] === "" ? undefined : match[2] };
}

function isOwn(seen: Authority, defaultPort: string | undefined, ownHosts: readonly string[]): boolean {
  if (LOOPBACK.includes(seen.name)) return true;
  return ownHosts.some((text) => {
    const own = authorityOf(text);
    if (own?.name !== seen.name) return false;
    return own.port === undefined || own.port === (seen.port ?? defaultPort);
  });
}
