import { describe, expect, test } from "vitest";
import { compareSchemas, type SchemaPair } from "../../../src/contract/schema/compare-schemas.ts";
import { object, S } from "./corpus.ts";

const closed = { additionalProperties: false };

async function witnessOf(rule: string, pair: Omit<SchemaPair, "direction">) {
  const found = await compareSchemas({ ...pair, direction: "input" });
  return found.find((finding) => finding.rule === rule)?.witness;
}

describe("a witness shows what its finding says, not what else broke", () => {
  const old = object({ ref: S }, closed);
  const now = object({ target: S }, { required: ["target"], ...closed });

  test("a member that is refused now, where a call without it breaks too", async () => {
    expect(await witnessOf("input-property-removed", { old, new: now, recorded: [{}] })).toEqual({
      value: { ref: "" },
      acceptedBy: "old",
      reason: "must NOT have additional properties (ref)",
      from: "generated",
    });
  });

  test("a recorded call that has it is taken", async () => {
    const recorded = [{}, { ref: "e12" }];
    expect(await witnessOf("input-property-removed", { old, new: now, recorded })).toMatchObject({
      value: { ref: "e12" },
      reason: expect.stringContaining("(ref)"),
      from: "recorded",
    });
  });

  test("inside a list", async () => {
    const list = (items: object) => object({ fields: { type: "array", items: items as never } });
    const witness = await witnessOf("input-property-removed", { old: list(old), new: list(now) });
    expect(witness).toMatchObject({
      value: { fields: [{ ref: "" }] },
      reason: "/fields/0 must NOT have additional properties (ref)",
    });
  });

  test("where no single keyword names it", async () => {
    const not = { ...object({ ref: S, a: S }), not: { required: ["ref"] } };
    expect(
      await witnessOf("input-property-removed", {
        old: object({ ref: S, a: S }),
        new: { ...not, properties: { a: S, ref: false } },
      }),
    ).toMatchObject({
      value: { ref: "" },
    });
  });
});
