import { isMatcher } from "./partial.ts";

const LONGEST = 400;

/** How a failure shows what was received and what was expected. */
export interface Showing {
  /** Params as a miss would show them: without secrets. */
  readonly redacted?: ((method: string, params: object) => object) | undefined;
}

/** As JSON, with regular expressions and matchers as texts. */
export function plainOf(value: object): object {
  return JSON.parse(JSON.stringify(value, (_key, each: unknown) => textOfMatcher(each) ?? each)) as object;
}

export function shown(value: unknown): string {
  const text = textOfMatcher(value) ?? JSON.stringify(value) ?? String(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}

/** The value at a JSON pointer (RFC 6901); undefined where there is none. */
export function valueAt(value: unknown, pointer: string): unknown {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown>((within, part) => {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const has = typeof within === "object" && within !== null && Object.hasOwn(within, name);
    return has ? (within as Record<string, unknown>)[name] : undefined;
  }, value);
}

/** As test runners write it: `Any<String>`, `ObjectContaining {"city":"Oslo"}`. */
function textOfMatcher(value: unknown): string | undefined {
  if (value instanceof RegExp) return String(value);
  if (!isMatcher(value)) return undefined;
  const { sample, toAsymmetricMatcher } = value as { sample?: unknown; toAsymmetricMatcher?: () => string };
  if (typeof toAsymmetricMatcher === "function") return toAsymmetricMatcher.call(value);
  return sample === undefined ? String(value) : `${String(value)} ${shown(nested(sample))}`;
}

function nested(sample: unknown): unknown {
  return typeof sample === "object" && sample !== null && !(sample instanceof RegExp)
    ? plainOf(sample)
    : sample;
}
