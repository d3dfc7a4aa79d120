/** Where a value is not what was expected. */
export interface Mismatch {
  /** A JSON pointer; empty for the whole. */
  readonly pointer: string;
  readonly expected: unknown;
  /** Undefined where there is nothing. */
  readonly actual: unknown;
}

interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
}

/**
 * Where a JSON value is not what is expected of it. Members that are not named do not matter, one that is expected to be
 * `undefined` is to be absent, lists are as long as expected; a regular expression is found in a text, and matchers of the
 * test runners (`expect.any(String)`) decide for themselves.
 */
export function mismatches(expected: unknown, actual: unknown, pointer = ""): Mismatch[] {
  const here = [{ pointer, expected, actual }];
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) ? [] : here;
  if (expected instanceof RegExp) return typeof actual === "string" && isFound(expected, actual) ? [] : here;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return here;
    return expected.flatMap((each, index) => mismatches(each, actual[index], `${pointer}/${index}`));
  }
  if (!isObject(expected)) return Object.is(expected, actual) ? [] : here;
  if (!isObject(actual) || Array.isArray(actual)) return here;
  return Object.entries(expected).flatMap(([name, each]) =>
    mismatches(each, Object.hasOwn(actual, name) ? actual[name] : undefined, `${pointer}/${escaped(name)}`),
  );
}

/** Each text from its beginning: `test` goes on, under the flags `g` and `y`, where it left off in another. */
function isFound(expected: RegExp, actual: string): boolean {
  return actual.search(expected) >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

export function isMatcher(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof value.asymmetricMatch === "function";
}

/** As a part of a JSON pointer (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
