import type { FilePlace } from "../errors.ts";
import { invalid, nearestWord } from "./fault.ts";

/** Says what a value must be when it is not that; undefined when it is. */
export type Check = (value: unknown, path: string) => string | undefined;

export const string: Check = (value, path) =>
  typeof value === "string" ? undefined : `${path} must be text`;

export function oneOf(...words: readonly string[]): Check {
  return (value, path) => {
    if (typeof value === "string" && words.includes(value)) return undefined;
    const meant = typeof value === "string" ? nearestWord(value, words) : undefined;
    return `${path} must be ${words.join(" or ")}${meant ? ` (did you mean ${meant}?)` : ""}`;
  };
}

export function whole(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Check {
  const from = least === Number.NEGATIVE_INFINITY ? "" : ` from ${least} up`;
  const to = most === Number.POSITIVE_INFINITY ? "" : ` to ${most}`;
  return (value, path) =>
    Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
      ? undefined
      : `${path} must be a whole number${from}${to}`;
}

export function listOf(check: Check): Check {
  return (value, path) =>
    Array.isArray(value) ? first(value, (item, i) => check(item, `${path}[${i}]`)) : `${path} must be a list`;
}

/** Any member names, each value of one kind. */
export function mapOf(check: Check): Check {
  return (value, path) =>
    isObject(value)
      ? first(Object.keys(value), (key) => check(value[key], `${path}.${key}`))
      : `${path} must be a mapping of names to values`;
}

/** These members and no others. */
export function shapeOf(members: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path) =>
    isObject(value)
      ? checkMembers(value, { members, required, path })
      : `${path} must be a mapping of ${allowed(members)}`;
}

interface Shape {
  readonly members: Readonly<Record<string, Check>>;
  readonly required: readonly string[];
  /** What the members are of, in the words of the file: `http`, `source`. Empty for a whole document. */
  readonly path: string;
}

function checkMembers(value: Readonly<Record<string, unknown>>, shape: Shape): string | undefined {
  const missing = shape.required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${shape.path || "it"} lacks ${missing}:`;
  return first(Object.keys(value), (key) => {
    const check = Object.hasOwn(shape.members, key) ? shape.members[key] : undefined;
    if (!check) return unknownMember(key, shape);
    return check(value[key], shape.path ? `${shape.path}.${key}` : key);
  });
}

function unknownMember(name: string, { members, path }: Shape): string {
  const meant = nearestWord(name, Object.keys(members));
  const where = path ? ` in ${path}` : "";
  const hint = meant ? ` (did you mean ${meant}?)` : "";
  return `unknown member ${JSON.stringify(name)}${where}${hint}; allowed are ${allowed(members)}`;
}

function allowed(members: object): string {
  return Object.keys(members).join(", ");
}

function first<Item>(
  items: readonly Item[],
  problem: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (let i = 0; i < items.length; i++) {
    const found = problem(items[i] as Item, i);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Finds the place of a member, for a message about it. */
export type PlaceOf = (member?: string) => FilePlace;

/** @throws VcrError `cassette-invalid` at the member that is wrong */
export function requireShape(value: Readonly<Record<string, unknown>>, shape: Shape, place: PlaceOf): void {
  for (const key of Object.keys(value)) {
    const problem = checkMembers({ [key]: value[key] }, { ...shape, required: [] });
    if (problem !== undefined) throw invalid(problem, place(key));
  }
  const missing = shape.required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) throw invalid(`${missing}: is missing`, place(), `Add ${missing}: to it.`);
}
