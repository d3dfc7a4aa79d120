import { VcrError } from "../../errors.ts";
import { isMatcher } from "./partial.ts";

/** A request or notification that a test expects. `params` are those that matter; all do where they are undefined. */
export interface Wanted {
  readonly method: string;
  readonly params?: object | undefined;
}

const PARAMS_HINT =
  'Give the members that matter, as in { name: "forecast", arguments: { city: /^O/ } }: values of JSON, regular expressions, and matchers such as expect.any(String).';

/**
 * What would not be compared, or equal nothing that JSON can hold, is a mistake of the test: it would pass for another
 * reason than the one that is read in it, the more so after `.not`.
 * @param caller as the test names it
 * @throws VcrError `usage`
 */
export function checkedWanted(caller: string, method: unknown, params: unknown): Wanted {
  if (typeof method !== "string" || method === "") {
    throw new VcrError("usage", `${caller}: a method is a string, not ${called(method)}`, {
      hint: 'Give its whole name: "tools/call".',
    });
  }
  if (params === undefined) return { method };
  const fits = typeof params === "object" && params !== null && !Array.isArray(params);
  if (!fits || params instanceof RegExp) {
    throw new VcrError("usage", `${caller}: params are an object, not ${called(params)}`, {
      hint: PARAMS_HINT,
    });
  }
  refuseOthers(caller, params, { pointer: "", above: [] });
  return { method, params };
}

/** @throws VcrError `usage` for what is no count */
export function checkedTimes(caller: string, times: unknown): number {
  if (Number.isSafeInteger(times) && (times as number) >= 0) return times as number;
  throw new VcrError("usage", `${caller}: times is a whole number, not ${called(times)}`, {
    hint: 'It comes before the params: "tools/call", 2, { name: "forecast" }.',
  });
}

interface At {
  /** A JSON pointer. */
  readonly pointer: string;
  readonly above: readonly object[];
}

function refuseOthers(caller: string, value: unknown, { pointer, above }: At): void {
  if (isLeaf(value)) return;
  const at = pointer === "" ? "params" : `params at ${pointer}`;
  if (typeof value !== "object" || value === null || !(Array.isArray(value) || isPlain(value))) {
    const what = `${called(value)}, which nothing received could be compared with`;
    throw new VcrError("usage", `${caller}: ${at} hold ${what}`, { hint: PARAMS_HINT });
  }
  if (above.includes(value)) {
    throw new VcrError("usage", `${caller}: ${at} hold themselves`, { hint: PARAMS_HINT });
  }
  for (const [name, each] of Object.entries(value)) {
    refuseOthers(caller, each, { pointer: `${pointer}/${name}`, above: [...above, value] });
  }
}

function isLeaf(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean")
    return true;
  return value instanceof RegExp || isMatcher(value);
}

/** Made by braces, in whichever realm: jest has one for each test file. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A value, as a sentence names it. */
export function called(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (value instanceof RegExp) return `the regular expression ${value}`;
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") {
    const name: unknown = value.constructor?.name;
    if (isPlain(value)) return "an object";
    return name === "Promise" ? "a promise (await it)" : `an object of the class ${String(name)}`;
  }
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "function" || typeof value === "symbol"
    ? `a ${typeof value}`
    : `the ${typeof value} ${String(value)}`;
}
