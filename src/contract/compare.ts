import { pointerOf } from "../protocol/json-diff.ts";
import type { JsonValue } from "../protocol/message.ts";
import type { Change } from "./change.ts";
import { type Both, compareList } from "./compare-lists.ts";
import { compareMember, comparePrompt } from "./compare-member.ts";
import { compareServers, sameJson } from "./compare-server.ts";
import { compareTool } from "./compare-tool.ts";
import { type Contract, isObject, LIST_NAMES, MEMBERS } from "./contract.ts";
import type { RecordedValues } from "./recorded.ts";
import { changeOf } from "./rules.ts";
import type { Direction } from "./schema/aspects.ts";
import { compareSchemas } from "./schema/compare-schemas.ts";

export interface CompareOptions {
  /** What crossed the wire, from which witnesses are taken first. */
  readonly recorded?: RecordedValues | undefined;
  /** Of the values that are made by chance; reports are the same for the same seed. */
  readonly seed?: number | undefined;
}

/**
 * What a server promises now against what it promised before: every change by its rule, in the contract's order.
 * Waits, because what decides on schemas is loaded only where some differ.
 */
export async function compareContracts(
  before: Contract,
  after: Contract,
  options: CompareOptions = {},
): Promise<Change[]> {
  const changes = compareServers(before, after);
  for (const list of LIST_NAMES) {
    const compared = compareList(list, before, after);
    changes.push(...compared.changes);
    for (const both of compared.both) {
      changes.push(...compareMember(both));
      if (list === "prompts") changes.push(...comparePrompt(both));
      if (list !== "tools") continue;
      changes.push(...compareTool(both, after.revisions));
      for (const side of SIDES) changes.push(...(await compareSide(both, side, options)));
    }
  }
  return changes;
}

/** Arguments are an object in every revision, whether the schema says so or leaves its type out. */
function asArguments(schema: JsonValue): JsonValue {
  return isObject(schema) && schema.type === undefined ? { ...schema, type: "object" } : schema;
}

interface Side {
  readonly keyword: "inputSchema" | "outputSchema";
  readonly direction: Direction;
  readonly recorded: keyof RecordedValues;
}

const SIDES: readonly Side[] = [
  { keyword: "inputSchema", direction: "input", recorded: "arguments" },
  { keyword: "outputSchema", direction: "output", recorded: "results" },
];

async function compareSide(both: Both, side: Side, options: CompareOptions): Promise<Change[]> {
  const { name, before, after } = both;
  const old: JsonValue | undefined = before.value[side.keyword];
  const now: JsonValue | undefined = after.value[side.keyword];
  if (old === undefined || now === undefined || sameJson(old, now)) return [];
  const recorded = options.recorded?.[side.recorded].get(name);
  const [whole, wholly] = side.direction === "input" ? [asArguments(old), asArguments(now)] : [old, now];
  const found = await compareSchemas({
    old: whole,
    new: wholly,
    direction: side.direction,
    recorded,
    seed: options.seed,
  });
  return found.map(({ rule, pointer, ...finding }) =>
    changeOf(rule, {
      subject: `tool ${name}`,
      pointer: pointerOf([MEMBERS.tools.root, name, side.keyword]) + pointer,
      ...finding,
    }),
  );
}
