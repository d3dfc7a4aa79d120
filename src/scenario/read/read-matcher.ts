import { nearestWord } from "../../cassette/fault.ts";
import type { Member, Tree } from "../../cassette/written/tree.ts";
import type { Matcher, Range } from "../matcher.ts";
import { readSchema } from "./read-schema.ts";
import type { Reading } from "./reading.ts";

const BOUNDS = ["min", "max", "above", "below"] as const;

/** What a value can be asked to be besides equal. Only bounds go together. */
const OPERATORS = ["equals", "members", "pattern", "any", "schema", "oneOf", "not", ...BOUNDS] as const;

type Operator = Exclude<(typeof OPERATORS)[number], keyof Range>;

const READERS: Readonly<Record<Operator, (tree: Tree, reading: Reading) => Matcher>> = {
  equals: (tree, { shape }) => ({ kind: "equals", value: shape.value(tree) }),
  members: (tree, reading) => readMembers(tree, "members", reading),
  pattern: (tree, { shape }) => ({
    kind: "pattern",
    pattern: readPattern(tree, shape.text(tree, "pattern"), shape),
  }),
  any: (tree, { shape }) => ({ kind: "any", there: shape.yesOrNo(tree, "any") }),
  schema: (tree, reading) => ({ kind: "schema", schema: readSchema(tree, "schema", reading) }),
  oneOf: (tree, reading) => {
    const items = reading.shape.list(tree, "oneOf");
    if (items.length === 0) throw reading.shape.fault(tree.at, "oneOf: an empty list matches nothing");
    return { kind: "oneOf", of: items.map((item) => readMatcher(item, reading)) };
  },
  not: (tree, reading) => ({ kind: "not", matcher: readMatcher(tree, reading) }),
};

function readPattern(tree: Tree, text: string, shape: Reading["shape"]): RegExp {
  try {
    return new RegExp(text, "u");
  } catch (error) {
    throw shape.fault(
      tree.at,
      `pattern: ${(error as Error).message}`,
      "In a single-quoted text a backslash is itself.",
    );
  }
}

/** The members that an object has to have: `when`, `requires`, `client`. */
export function readMembers(tree: Tree, what: string, reading: Reading): Matcher {
  if (tree.kind !== "map") throw reading.shape.fault(tree.at, `${what} must be a mapping of names to values`);
  const members = tree.members.map(({ key, value }) => [key, readMatcher(value, reading)] as const);
  return { kind: "members", members: new Map(members) };
}

/** A value that is to be met exactly, an object of which members are, or operators. */
function readMatcher(tree: Tree, reading: Reading): Matcher {
  const { shape } = reading;
  if (tree.kind !== "map") return { kind: "equals", value: shape.value(tree) };
  const operators = tree.members.filter(({ key }) => (OPERATORS as readonly string[]).includes(key));
  if (operators.length === 0) {
    refuseMisspelt(tree.members, shape);
    return readMembers(tree, "a value", reading);
  }
  const other = tree.members.find((member) => !operators.includes(member));
  if (other) {
    throw shape.fault(
      other.at,
      `${JSON.stringify(other.key)} stands beside ${operators[0]?.key}, which asks for something by itself`,
      "For members that are called as operators are, write members: { … }; for the very value, equals: { … }.",
    );
  }
  const first = operators[0] as (typeof operators)[number];
  if (operators.every(({ key }) => isBound(key))) return readRange(tree, reading);
  if (operators.length > 1) {
    throw shape.fault(
      operators[1]?.at ?? tree.at,
      `${operators.map(({ key }) => key).join(" and ")} do not go together`,
    );
  }
  return READERS[first.key as Operator](first.value, reading);
}

/** Operators that no member is likely to be called nearly as, with what they are given. */
const UNMISTAKABLE: Readonly<Record<string, (value: Tree) => boolean>> = {
  pattern: (value) => value.kind === "scalar" && typeof value.value === "string",
  oneOf: (value) => value.kind === "list",
  equals: () => true,
};
const SHORTEST_MISSPELT = 4;

function refuseMisspelt(members: readonly Member[], shape: Reading["shape"]): void {
  const [only, second] = members;
  if (!only || second || only.key.length < SHORTEST_MISSPELT) return;
  const { key, at, value } = only;
  const meant = nearestWord(key, Object.keys(UNMISTAKABLE));
  if (meant === undefined || key[0] !== meant[0] || key === `${meant}s`) return;
  if (UNMISTAKABLE[meant]?.(value) !== true) return;
  throw shape.fault(
    at,
    `there is no condition ${JSON.stringify(key)} (did you mean ${meant}?)`,
    `For a member that is called so, write members: { ${key}: … }.`,
  );
}

function isBound(key: string): key is keyof Range {
  return (BOUNDS as readonly string[]).includes(key);
}

function readRange(tree: Tree, { shape }: Reading): Matcher {
  const members = shape.members(tree, { what: "a range", allowed: BOUNDS });
  const range: Range = Object.fromEntries(
    [...members].map(([key, value]) => [key, shape.number(value, key)]),
  );
  const least = Math.max(range.min ?? Number.NEGATIVE_INFINITY, range.above ?? Number.NEGATIVE_INFINITY);
  const most = Math.min(range.max ?? Number.POSITIVE_INFINITY, range.below ?? Number.POSITIVE_INFINITY);
  const open = range.above === least || range.below === most;
  if (least > most || (least === most && open)) {
    throw shape.fault(tree.at, "no number is within this range, so it can never match");
  }
  return { kind: "range", range };
}
