import { expect, test } from "vitest";
import { type Accepted, applyAccepted } from "../../../src/drift/accepted.ts";
import { CHANGES } from "../../cases/drift-report.ts";

const TODAY = "2026-11-30";
const decide = (...decisions: Accepted[]) => {
  const { changes, accepted, notes } = applyAccepted(CHANGES, decisions, TODAY);
  return { left: changes.length, accepted: accepted.map(({ rule }) => rule), notes };
};
const reason = "the client was told";

test("a rule alone accepts whatever it finds", () => {
  expect(decide({ rule: "exchange-added", reason })).toEqual({
    left: CHANGES.length - 2,
    accepted: ["exchange-added", "exchange-added"],
    notes: [],
  });
});

test.each([
  ["tools/call forecast *", 2],
  ['tools/call forecast {"city":"Bergen"}', 1],
  ["*", 2],
])("a subject %s narrows it", (subject, count) => {
  expect(decide({ rule: "exchange-added", subject, reason }).accepted).toHaveLength(count);
});

test("what is expired counts again, and says so; the last day still holds", () => {
  const until = (expires: string) => decide({ rule: "result-became-error", reason, expires });
  expect(until(TODAY)).toEqual({ left: CHANGES.length - 1, accepted: ["result-became-error"], notes: [] });
  expect(until("2026-11-29")).toEqual({
    left: CHANGES.length,
    accepted: [],
    notes: [
      "The accepted change result-became-error (the client was told) expired on 2026-11-29, so it counts again.",
    ],
  });
});

test("one that holds is enough", () => {
  const expired = { rule: "result-became-error", reason, expires: "2020-01-01" };
  expect(decide(expired, { rule: "result-became-error", reason }).accepted).toEqual(["result-became-error"]);
});

test("what nothing needs is told of", () => {
  expect(decide({ rule: "tool-removed", subject: "tool (x)", reason }).notes).toEqual([
    "Nothing needs the accepted change tool-removed on tool (x) (the client was told) any more; take it out.",
  ]);
});
