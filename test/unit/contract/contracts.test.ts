import { describe, expect, test } from "vitest";
import type { Change, ChangeClass } from "../../../src/contract/change.ts";
import { compareContracts } from "../../../src/contract/compare.ts";
import { type ContractText, contractFrom } from "../../../src/contract/contract-text.ts";
import { RULES, type RuleId } from "../../../src/contract/rules.ts";
import type { JsonValue } from "../../../src/protocol/message.ts";
import { CONTRACT_CASES } from "./corpus-contracts.ts";
import { INPUT_CASES } from "./corpus-input.ts";
import { OUTPUT_CASES } from "./corpus-output.ts";
import { SAME_CASES } from "./corpus-same.ts";

const WORST: readonly ChangeClass[] = ["breaking", "risky", "compatible", "info"];
const compare = (old: ContractText, now: ContractText) =>
  compareContracts(contractFrom(old), contractFrom(now));
const verdictOf = (changes: readonly Change[]) =>
  WORST.find((one) => changes.some((change) => change.class === one)) ?? "same";

test("the corpus is as large as it is meant to be, without what only turns a pair round", () => {
  expect(CONTRACT_CASES.length).toBeGreaterThanOrEqual(100);
  expect(INPUT_CASES.length + OUTPUT_CASES.length + SAME_CASES.length / 3).toBeGreaterThan(160);
  const names = CONTRACT_CASES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

const named = CONTRACT_CASES.map((each) => [each.name, each] as const);

describe("every pair of contracts gets its verdict, by the rules that strike and no other", () => {
  test.each(named)("%s", async (_, each) => {
    const changes = await compare(each.old, each.new);
    const said = changes.map(({ rule, class: kind, message }) => `${rule} ${kind}: ${message}`).join("\n");
    expect(changes.map(({ rule }) => rule).sort(), said).toEqual([...each.rules].sort());
    expect(verdictOf(changes), said).toBe(each.verdict);
  });
});

/** Rules on schemas show what they say; of the others the reason is plain. */
const NEEDS_PROOF = /^(input|output)-(?!root-|schema-)/;

test.each(named)("%s: what breaks by a schema has a witness", async (_, each) => {
  for (const { rule, class: kind, witness, message } of await compare(each.old, each.new)) {
    if (kind === "breaking") expect(witness !== undefined, message).toBe(NEEDS_PROOF.test(rule));
    expect(RULES[rule as RuleId].classes).toContain(kind);
  }
});

test.each(named)("%s: each side against itself is silent", async (_, { old, new: now }) => {
  for (const side of [old, now]) expect(await compare(side, structuredClone(side))).toEqual([]);
});

test.each(named)("%s: the order of keys changes nothing", async (_, { old, new: now }) => {
  const facts = (changes: readonly Change[]) =>
    changes.map(({ rule, class: kind, pointer }) => `${rule} ${kind} ${pointer}`).sort();
  expect(facts(await compare(reversed(old), reversed(now)))).toEqual(facts(await compare(old, now)));
});

function reversed<Value>(value: Value): Value {
  return turn(value as JsonValue) as Value;
}

function turn(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(turn);
  if (typeof value !== "object" || value === null) return value;
  const turned = Object.entries(value).reverse();
  return Object.fromEntries(turned.map(([key, inner]) => [key, turn(inner)]));
}
