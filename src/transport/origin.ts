import { hostname, networkInterfaces } from "node:os";

export interface Address {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = ["localhost", "127.0.0.1", "::1"];
const WILDCARD = ["0.0.0.0", "::"];

/** `host:port` as URLs and Host headers spell it. */
export function authorityOf({ host, port }: Address): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Two origins, the server's and the proxy's, and the way names of one become names of the other. Only what names
 * exactly one of the two is changed: a foreign Host or Origin must reach the server as it is, since refusing it is
 * the server's protection against DNS rebinding.
 */
export class Origins {
  readonly server: URL;
  /** Where the proxy listens, as an authority a client can connect to. */
  readonly authority: string;
  readonly #own: ReadonlySet<string>;

  constructor(server: URL, listening: Address) {
    this.server = server;
    const { host, port } = listening;
    this.authority = authorityOf({ host: WILDCARD.includes(host) ? loopbackFor(host) : host, port });
    this.#own = new Set(ownNames(host).flatMap((name) => authorities(name, port)));
  }

  /** Whether a Host header names the proxy. */
  owns(host: string): boolean {
    return this.#own.has(host) || this.#own.has(host.toLowerCase());
  }

  /** A client's Host header, as the server expects it. */
  hostForServer(host: string): string {
    return this.owns(host) ? this.server.host : host;
  }

  /** A client's Origin header, as the server expects it. */
  originForServer(origin: string): string {
    return /^http:\/\//i.test(origin) && this.owns(origin.slice(7)) ? this.server.origin : origin;
  }

  /** A client's request target (https://www.rfc-editor.org/rfc/rfc9112#section-3.2), in origin form where it is ours. */
  pathForServer(target: string): string {
    const [, authority, rest] = /^http:\/\/([^/?#]*)(.*)$/i.exec(target) ?? [];
    if (authority === undefined || rest === undefined || !this.owns(authority)) return target;
    return rest.startsWith("/") ? rest : `/${rest}`;
  }

  /**
   * A URL reference the server gave (Location, the `endpoint` event), as the client must see it to stay with the
   * proxy. Relative and foreign ones are returned as they are.
   */
  forClient(reference: string, authority: string): string {
    const [, scheme, host, rest] = /^([a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)(.*)$/is.exec(reference) ?? [];
    if (host === undefined || rest === undefined) return reference;
    const origin = parsedOrigin(`${scheme ?? this.server.protocol}//${host}`);
    if (origin !== this.server.origin) return reference;
    return `${scheme === undefined ? "" : "http:"}//${authority}${rest}`;
  }
}

function loopbackFor(wildcard: string): string {
  return wildcard === "::" ? "::1" : "127.0.0.1";
}

function ownNames(host: string): string[] {
  if (WILDCARD.includes(host)) {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    return [host, hostname(), ...LOOPBACK, ...addresses.map(({ address }) => address)];
  }
  return LOOPBACK.includes(host) ? LOOPBACK : [host];
}

function authorities(host: string, port: number): string[] {
  const authority = authorityOf({ host, port }).toLowerCase();
  return port === 80 ? [authority, authority.slice(0, -":80".length)] : [authority];
}

function parsedOrigin(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).origin : undefined;
}
