import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compareSchemas, type SchemaPair } from "../../src/contract/schema/compare-schemas.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/message.ts";
import { CONTRACT_CASES } from "../unit/contract/corpus-contracts.ts";
import { INPUT_CASES } from "../unit/contract/corpus-input.ts";
import { OUTPUT_CASES } from "../unit/contract/corpus-output.ts";
import { PROOF_CASES } from "../unit/contract/corpus-proofs.ts";
import { SAME_CASES } from "../unit/contract/corpus-same.ts";
import { anySchema, valuesFor, widenings } from "./schema-arbitraries.ts";

const options = (numRuns: number) => ({ seed: Number(process.env.FC_SEED ?? 1), numRuns });

const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true });
formats.default(ajv);

function validatorOf(schema: JsonValue): (value: JsonValue) => boolean {
  return ajv.compile(schema as JsonObject) as (value: JsonValue) => boolean;
}

const worst = async (pair: SchemaPair) => {
  const found = await compareSchemas(pair);
  return (
    ["breaking", "risky", "compatible", "info"].find((kind) => found.some((each) => each.class === kind)) ??
    "same"
  );
};

test("a schema against itself, with its keys in any order, is silent", async () => {
  await fc.assert(
    fc.asyncProperty(anySchema, fc.constantFrom("input", "output"), async (schema, direction) => {
      expect(await compareSchemas({ old: schema, new: reversed(schema), direction })).toEqual([]);
    }),
    options(200),
  );
});

test("whatever is called breaking between any two schemas has a witness that ajv confirms", async () => {
  let breaking = 0;
  await fc.assert(
    fc.asyncProperty(anySchema, anySchema, async (old, now) => {
      const [before, after] = [validatorOf(old), validatorOf(now)];
      for (const direction of ["input", "output"] as const) {
        for (const { class: kind, witness } of await compareSchemas({ old, new: now, direction })) {
          if (kind === "breaking") {
            breaking++;
            expect(witness).toBeDefined();
          }
          if (!witness) continue;
          expect([before(witness.value), after(witness.value)]).toEqual(
            witness.acceptedBy === "old" ? [true, false] : [false, true],
          );
        }
      }
    }),
    options(80),
  );
  expect(breaking).toBeGreaterThan(50);
});

test("widening is compatible for inputs, and going back breaks", async () => {
  await fc.assert(
    fc.asyncProperty(widenings, async ([narrow, wide]) => {
      expect(await worst({ old: narrow, new: wide, direction: "input" })).toBe("compatible");
      expect(await worst({ old: wide, new: narrow, direction: "input" })).toBe("breaking");
      expect(await worst({ old: wide, new: narrow, direction: "output" })).toBe("compatible");
    }),
    options(200),
  );
});

test("the same seed gives the same report", async () => {
  await fc.assert(
    fc.asyncProperty(anySchema, anySchema, fc.integer(), async (old, now, seed) => {
      const pair: SchemaPair = { old, new: now, direction: "input", seed };
      expect(await compareSchemas(pair)).toEqual(await compareSchemas(structuredClone(pair)));
    }),
    options(30),
  );
});

/**
 * Made apart from the finder of witnesses: what is called compatible has none. Members that the accepting side names
 * nowhere are left aside: in an open schema they count as not sent.
 */
function refute(old: JsonValue, now: JsonValue, direction: "input" | "output", numRuns: number): number {
  const [accepting, refusing] = direction === "input" ? [old, now] : [now, old];
  const [accepts, other] = [validatorOf(accepting), validatorOf(refusing)];
  const named = new Set(keysIn(accepting));
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(valuesFor(accepting), valuesFor(refusing)), (value) => {
      if (!accepts(value) || !keysIn(value).every((key) => named.has(key))) return;
      accepted++;
      expect(other(value), JSON.stringify({ old, now, direction, value })).toBe(true);
    }),
    options(numRuns),
  );
  return accepted;
}

function keysIn(value: JsonValue): string[] {
  if (typeof value !== "object" || value === null) return [];
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...own, ...Object.values(value).flatMap(keysIn)];
}

test("no value refutes what is called compatible or the same between schemas that chance made", async () => {
  let [checked, accepted] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.tuple(anySchema, anySchema), widenings), async ([old, now]) => {
      for (const direction of ["input", "output"] as const) {
        if (!["compatible", "same"].includes(await worst({ old, new: now, direction }))) continue;
        checked++;
        accepted += refute(old, now, direction, 100);
      }
    }),
    options(150),
  );
  expect(checked).toBeGreaterThan(50);
  expect(accepted).toBeGreaterThan(1000);
});

test.each(
  PROOF_CASES.filter(
    ({ verdict, old }) =>
      (verdict === "compatible" || verdict === "same") && !Object.hasOwn(old as JsonObject, "$schema"),
  ).map((each) => [`${each.direction}: ${each.name}`, each] as const),
)("no value refutes %s", (_, { old, new: now, direction }) =>
  expect(refute(old, now, direction, 1000)).toBeGreaterThan(5),
);

test.each(
  [...INPUT_CASES, ...OUTPUT_CASES]
    .filter(({ verdict }) => verdict === "compatible")
    .map((each) => [`${each.direction}: ${each.name}`, each] as const),
)("no value refutes %s", (_, { old, new: now, direction }) =>
  expect(refute(old, now, direction, 2000)).toBeGreaterThan(100),
);

/** Every third is a pair of its own; the others turn it round. */
const PAIRS = SAME_CASES.slice(0, SAME_CASES.length / 3);

test.each(PAIRS.map((each) => [each.name, each] as const))("no value tells apart: %s", (_, each) => {
  const [old, now] = [each.old, each.new].map(withoutDialect) as [JsonValue, JsonValue];
  expect(refute(old, now, "input", 1000)).toBeGreaterThan(20);
  expect(refute(now, old, "input", 1000)).toBeGreaterThan(20);
});

/** The schemas' tools of these contracts, where all that is said of their arguments is compatible or nothing. */
const ARGUMENTS = CONTRACT_CASES.filter(
  ({ verdict }) => verdict === "compatible" || verdict === "same",
).flatMap(({ name, old, new: now }) =>
  (old.tools ?? []).flatMap((tool) => {
    const other = now.tools?.find((each) => each.name === tool.name);
    const [before, after] = [tool.inputSchema, other?.inputSchema];
    if (before === undefined || after === undefined) return [];
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [[name, before, after] as const];
  }),
);

test.each(ARGUMENTS)("no call is refused after: %s", (_, before, after) => {
  expect(refute(withoutDialect(before), withoutDialect(after), "input", 1000)).toBeGreaterThan(20);
});

function withoutDialect(schema: JsonValue): JsonValue {
  const { $schema: _, ...rest } = schema as JsonObject;
  return rest;
}

test("what is found does not depend on the order of keys", async () => {
  const facts = async (pair: SchemaPair) =>
    (await compareSchemas(pair)).map(({ rule, class: kind, pointer }) => `${rule} ${kind} ${pointer}`).sort();
  await fc.assert(
    fc.asyncProperty(
      anySchema,
      anySchema,
      fc.constantFrom("input", "output"),
      async (old, now, direction) => {
        const turned = { old: reversed(old), new: reversed(now), direction } as const;
        expect(await facts(turned)).toEqual(await facts({ old, new: now, direction }));
      },
    ),
    options(60),
  );
});

function reversed(schema: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(schema), (_, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  );
}
