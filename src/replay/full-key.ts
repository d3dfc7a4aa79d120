/** Where a redirect led, the same request is another question. */
export function keyAt(path: string | undefined, key: string): string {
  return path === undefined ? key : `${path} ${key}`;
}

/** A request that broke the rules of HTTP transport is another question than the same body sent properly. */
export function keyWith(flaws: readonly string[], key: string): string {
  return flaws.length === 0 ? key : `[${flaws.join(" ")}] ${key}`;
}

/** Another key of the message in place of its own, with the same before it. */
export function rekeyed(fullKey: string, key: string, other: string): string {
  return `${fullKey.slice(0, fullKey.length - key.length)}${other}`;
}
