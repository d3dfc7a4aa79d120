import { expect, test } from "vitest";
import type { Change } from "../../../src/contract/change.ts";
import { driftFrom } from "../../../src/drift/drift.ts";
import type { Look } from "../../../src/report/reporter.ts";
import { FORMATS, REPORTERS } from "../../../src/report/reporters.ts";

const LOOK: Look = { width: 80, colour: false, failOn: "breaking" };
const LONG = "a".repeat(1_000_001);

const driftWith = (change: Partial<Change>) =>
  driftFrom({
    old: "a",
    new: "b",
    comparisons: [
      {
        old: "a",
        new: "b",
        compared: { tools: 1 },
        changes: [
          {
            ...{ rule: "input-length-narrowed", class: "breaking", layer: "contract" },
            ...{ subject: "tool t", pointer: "/tools/t", message: "Shorter." },
            ...change,
          } as Change,
        ],
      },
    ],
  });

test.each(FORMATS)("%s: a long witness is shortened, and its length told", async (format) => {
  const value = { q: LONG };
  const witness = { value, acceptedBy: "old", reason: "too long", from: "generated" } as const;
  const text = await REPORTERS[format].render(driftWith({ witness }), LOOK);
  expect(text.length).toBeLessThan(20_000);
  if (format !== "sarif" && format !== "github") expect(text).toContain("(1,000,001 characters)");
});

test("long texts in JSON are cut where they begin to differ", () => {
  const [before, after] = [`${LONG}old`, `${LONG}new`];
  const report = JSON.parse(REPORTERS.json.render(driftWith({ before, after }), LOOK) as string);
  const [change] = report.comparisons[0].changes;
  expect(change.before).toMatch(/^…a+old… \(1,000,004 characters\)$/);
  expect(change.after).toMatch(/^…a+new… \(1,000,004 characters\)$/);
  expect(change.before.length).toBeLessThan(10_100);
});

test("what is not long is whole", () => {
  const before = { list: ["a".repeat(10_000), 1, null], text: "x" };
  const report = JSON.parse(REPORTERS.json.render(driftWith({ before }), LOOK) as string);
  expect(report.comparisons[0].changes[0]).toEqual({ ...driftWith({ before }).comparisons[0]?.changes[0] });
});

test.each(FORMATS.filter((format) => format !== "json"))(
  "%s: a text is told from a number by its quotes",
  async (format) => {
    const text = await REPORTERS[format].render(driftWith({ before: 1, after: "1" }), LOOK);
    expect(text).toMatch(/(?:"|\\"|&quot;)1(?:"|\\"|&quot;)/);
  },
);
