import { canonicalJson } from "../protocol/canonical.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { isObject, type Member } from "./contract.ts";

/** From here on two members are taken for one that was renamed; 1 is alike in everything. */
const ALIKE = 0.6;
/** How much each kind of likeness counts, where both sides have something to compare. */
const WEIGHTS = { schema: 5, text: 3, name: 2 } as const;

interface Pair {
  readonly gone: string;
  readonly come: string;
  readonly likeness: number;
}

type Named = readonly (readonly [string, Member])[];

/** Which of the members that are gone may live on under another name: old name to new one, each used once. */
export function renamesOf(gone: Named, come: Named): ReadonlyMap<string, string> {
  const pairs = gone.flatMap(([old, before]) =>
    come.map(([now, after]): Pair => {
      return { gone: old, come: now, likeness: likeness([old, before.value], [now, after.value]) };
    }),
  );
  const best = pairs.filter((pair) => pair.likeness >= ALIKE).sort(byLikeness);
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  for (const pair of best) {
    if (renames.has(pair.gone) || taken.has(pair.come)) continue;
    renames.set(pair.gone, pair.come);
    taken.add(pair.come);
  }
  return renames;
}

function byLikeness(a: Pair, b: Pair): number {
  return b.likeness - a.likeness || compareText(a.gone, b.gone) || compareText(a.come, b.come);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function likeness(
  [oldName, a]: readonly [string, JsonObject],
  [newName, b]: readonly [string, JsonObject],
): number {
  const parts = [
    { weight: WEIGHTS.schema, share: overlap(schemaParts(a), schemaParts(b)) },
    { weight: WEIGHTS.text, share: overlap(wordsOf(a.description), wordsOf(b.description)) },
    { weight: WEIGHTS.name, share: overlap(wordsOf(oldName), wordsOf(newName)) },
  ].filter(({ share }) => share !== undefined);
  // A name alone shows too little: everything without schema and description would be alike.
  if (parts.length < 2) return 0;
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  return parts.reduce((sum, { weight, share }) => sum + weight * (share as number), 0) / total;
}

/** Properties with their types, or the arguments of a prompt, as texts. */
function schemaParts(value: JsonObject): ReadonlySet<string> {
  const properties = memberAt(value, "inputSchema", "properties");
  const parts = new Set<string>();
  if (isObject(properties)) {
    for (const [name, schema] of Object.entries(properties)) {
      parts.add(name);
      parts.add(`${name}: ${typeText(schema)}`);
    }
  }
  const args = value.arguments;
  if (Array.isArray(args)) for (const each of args) parts.add(String(memberAt(each, "name")));
  return parts;
}

function typeText(schema: JsonValue): string {
  return canonicalJson(memberAt(schema, "type") ?? memberAt(schema, "anyOf") ?? null);
}

function wordsOf(text: JsonValue | undefined): ReadonlySet<string> {
  if (typeof text !== "string") return new Set();
  const words = text.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  return new Set(words.match(/[\p{L}\p{N}]+/gu) ?? []);
}

/** Shared of all, or undefined where neither has any. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number | undefined {
  const all = new Set([...a, ...b]);
  if (all.size === 0) return undefined;
  return [...a].filter((each) => b.has(each)).length / all.size;
}
