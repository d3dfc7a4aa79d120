import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, test } from "vitest";
import type { ChangeClass } from "../../../src/contract/change.ts";
import { compareSchemas } from "../../../src/contract/schema/compare-schemas.ts";
import type { JsonObject, JsonValue } from "../../../src/protocol/message.ts";
import type { SchemaCase } from "./corpus.ts";
import { BESIDE_CASES, UNREADABLE_CASES } from "./corpus-beside.ts";
import { INPUT_CASES } from "./corpus-input.ts";
import { OUTPUT_CASES } from "./corpus-output.ts";
import { PROOF_CASES } from "./corpus-proofs.ts";
import { SAME_CASES } from "./corpus-same.ts";

const CASES = [...SAME_CASES, ...INPUT_CASES, ...OUTPUT_CASES, ...PROOF_CASES, ...BESIDE_CASES];
const WORST: readonly ChangeClass[] = ["breaking", "risky", "compatible", "info"];

test("the corpus is as large as it is meant to be", () => {
  expect(
    INPUT_CASES.length + OUTPUT_CASES.length + PROOF_CASES.length + SAME_CASES.length / 3,
  ).toBeGreaterThan(220);
});

const named = CASES.map((each) => [`${each.direction}: ${each.name}`, each] as const);

describe("every pair of the corpus gets its verdict", () => {
  test.each(named)("%s", async (_, each) => {
    const found = await compareSchemas(each);
    const verdict = WORST.find((one) => found.some((finding) => finding.class === one)) ?? "same";
    const said = found.map(({ rule, class: kind, message }) => `${rule} ${kind}: ${message}`);
    expect(verdict, said.join("\n")).toBe(each.verdict);
    expect(found.map(({ rule }) => rule)).toEqual(expect.arrayContaining([...(each.rules ?? [])]));
    for (const finding of found) {
      if (finding.class === "breaking") expect(finding.witness, finding.message).toBeDefined();
      if (finding.witness) expect(confirmed(each, finding.witness)).toBe("confirmed");
    }
  });
});

test.each(UNREADABLE_CASES.map((each) => [`${each.direction}: ${each.name}`, each] as const))(
  "%s",
  async (_, each) => {
    const found = await compareSchemas(each);
    const verdict = WORST.find((one) => found.some((finding) => finding.class === one)) ?? "same";
    expect(verdict, JSON.stringify(found)).toBe(each.verdict);
    expect(found.map(({ rule }) => rule)).toEqual(expect.arrayContaining([...(each.rules ?? [])]));
    for (const { witness } of found) if (witness) expect(witness.value).not.toHaveProperty("u");
  },
);

test("that a place takes a member which it needs now is no news besides", async () => {
  const old = { type: "object", properties: {}, additionalProperties: false };
  const now = { ...old, properties: { page: { type: "integer" } }, required: ["page"] };
  const found = await compareSchemas({ old, new: now, direction: "input" });
  expect(found.map(({ rule }) => rule)).toEqual(["input-required-added"]);
});

test.each(named)("%s: against itself there is nothing to say", async (_, each) => {
  expect(await compareSchemas({ ...each, new: structuredClone(each.old) })).toEqual([]);
});

test.each(named)("%s: the order of keys changes nothing", async (_, each) => {
  const found = await compareSchemas(each);
  const turned = await compareSchemas({ ...each, old: reversed(each.old), new: reversed(each.new) });
  const facts = (list: typeof found) =>
    list.map(({ rule, class: kind, pointer, message, witness }) =>
      JSON.stringify([rule, kind, pointer, message, witness && sorted(witness.value)]),
    );
  expect(facts(turned).sort()).toEqual(facts(found).sort());
});

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

function sorted(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: JsonValue) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** By an ajv of the test's own. */
function confirmed(
  each: SchemaCase,
  { value, acceptedBy }: { value: JsonValue; acceptedBy: string },
): string {
  const [accepting, refusing] = acceptedBy === "old" ? [each.old, each.new] : [each.new, each.old];
  if (!validates(accepting, value)) return "refused by both";
  return validates(refusing, value) ? "accepted by both" : "confirmed";
}

function validates(schema: JsonValue, value: JsonValue): boolean {
  const draft7 = JSON.stringify(schema).includes("draft-07");
  const ajv = draft7
    ? new Ajv({ strict: false, logger: false, ownProperties: true })
    : new Ajv2020({ strict: false, logger: false, ownProperties: true });
  formats.default(ajv as Ajv);
  // Among properties, ajv passes __proto__ over.
  const text = JSON.stringify(schema).replace(
    '"properties":{"__proto__"',
    '"patternProperties":{"^__proto__$"',
  );
  const { $schema: _dialect, ...rest } = JSON.parse(text) as JsonObject;
  return ajv.validate(rest, value);
}
