import type { Difference } from "../protocol/json-diff.ts";
import type { JsonValue } from "../protocol/message.ts";
import { methodRow } from "../protocol/methods.ts";
import { namesOf, type Rules } from "./rules.ts";

/** A member of the configuration's `match` that makes a recorded request answer the asked one. */
export interface LooserRule {
  /** Method and name. */
  readonly rule: string;
  /** JSON pointers into `params`. */
  readonly ignore: readonly string[];
}

export interface Missed {
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** All between the asked request and the nearest of its method and name. */
  readonly differences: readonly Difference[];
  readonly rules: Rules | undefined;
}

/** More places than this are told as the one that holds them all. */
const MOST_PLACES = 5;

/** The rule that ignores where the nearest differs; undefined where none can. */
export function looserRule({ method, params, differences, rules }: Missed): LooserRule | undefined {
  if (differences.length === 0) return undefined;
  const pointers = differences.map(({ pointer }) => pointer);
  const places = pointers.length > MOST_PLACES ? [commonPart(pointers)] : pointers;
  if (!places.every((place) => mayIgnore(method, place))) return undefined;
  const rule = namesOf(method, params).at(-1) as string;
  const before = rules?.source[rule];
  if (typeof before === "function") return undefined;
  return { rule, ignore: [...new Set([...(before?.ignore ?? []), ...places])] };
}

/** The configuration's file where there is none yet. */
const NEW_FILE = "mcp-vcr.config.yaml";

/** Where a rule is pasted. */
export function looserPlace(rules: Pick<Rules, "origin"> | undefined): string {
  return rules?.origin ?? NEW_FILE;
}

/** As it is pasted into a configuration. */
export function looserText({ rule, ignore }: LooserRule): string {
  const list = ignore.map((pointer) => JSON.stringify(pointer)).join(", ");
  return `match: { ${JSON.stringify(rule)}: { ignore: [${list}] } }`;
}

/** Names tell tools apart, and what a person answered has rules of its own. */
function mayIgnore(method: string, pointer: string): boolean {
  const [, first] = pointer.split("/");
  if (first === undefined || first === "" || first === "inputResponses") return false;
  return !(first === "name" && methodRow(method)?.nameParam === "name");
}

function commonPart(pointers: readonly string[]): string {
  const [first = "", ...others] = pointers;
  const parts = first.split("/");
  const same = (length: number) => {
    const start = `${parts.slice(0, length).join("/")}/`;
    return others.every((other) => `${other}/`.startsWith(start));
  };
  let length = parts.length;
  while (length > 1 && !same(length)) length--;
  return parts.slice(0, length).join("/");
}
