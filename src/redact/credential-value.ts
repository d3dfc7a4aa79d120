import { replaceStrikes, type Seal, type Strike } from "./placeholder.ts";
import { maySecret, saysElse } from "./plausible.ts";

const SCHEME = /^(?:Bearer|Basic|Digest|Token|Negotiate|ApiKey|AWS4-HMAC-SHA256)[ \t]+(?=\S)/i;
const COOKIE = /(?<![^=;\s])[^=;\s]+=([^;\r\n]*)/dg;

/** The whole value of a credential-like key or header, redacted: scheme, cookie names and attributes stay. */
export function redactCredential(name: string, value: string, seal: Seal): string {
  if (!maySecret(value) || saysElse(name, value)) return value;
  if (holdsCookies(name)) {
    const strikes = cookieStrikes(value, name);
    if (strikes.length > 0) return replaceStrikes(value, strikes, seal);
  }
  const bare = withoutScheme(value);
  return value.slice(0, value.length - bare.length) + seal(bare);
}

/** What stands under such a name is pairs of which the values alone are secrets. */
export function holdsCookies(name: string): boolean {
  return /cookies?$/i.test(name);
}

/** The credential without the kind of authentication before it. */
export function withoutScheme(value: string): string {
  return value.replace(SCHEME, "");
}

/**
 * Values of the cookies in a Cookie header's value, or of the first in a Set-Cookie header's
 * (https://datatracker.ietf.org/doc/html/rfc6265).
 * @param offset where the value begins in the text that the strikes are for
 */
export function cookieStrikes(value: string, name: string, offset = 0): Strike[] {
  const pairs = [...value.matchAll(COOKIE)].slice(0, /set[_-]?cookies?$/i.test(name) ? 1 : undefined);
  return pairs.flatMap((pair) => {
    const range = pair.indices?.[1];
    return range && maySecret(pair[1] ?? "") ? [{ start: offset + range[0], end: offset + range[1] }] : [];
  });
}
