import { expect, test } from "vitest";
import { type Accepted, applyAccepted, isDay } from "../../../src/drift/accepted.ts";
import { CHANGES } from "../../cases/drift-report.ts";

const TODAY = "2026-11-30";
const COMPARISON = { old: "cassettes/weather.yaml", new: "new/weather.yaml", changes: CHANGES, compared: {} };
const decide = (...accept: Accepted[]) => {
  const { comparisons, notes } = applyAccepted([COMPARISON], { accept, today: TODAY });
  const [{ changes, accepted } = { changes: [], accepted: [] }] = comparisons;
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

test.each([
  ["/tools/forecast", 1],
  ["/tools/*/inputSchema/required", 1],
  ["/tools/forecas", 0],
  ["/tools/forecast/inputSchema/properties", 0],
])("a place %s narrows it to what is in it", (pointer, count) => {
  expect(decide({ rule: "input-schema-required-added", pointer, reason }).accepted).toHaveLength(count);
});

test.each([
  ["cassettes/*", 2],
  ["new/weather.yaml", 2],
  ["cassettes/other.yaml", 0],
])("a cassette %s narrows it, by either name", (cassette, count) => {
  expect(decide({ rule: "exchange-added", cassette, reason }).accepted).toHaveLength(count);
});

test("an accepted change says why, and until when", () => {
  const accept = [{ rule: "result-became-error", reason, expires: "2026-12-31" }];
  const [comparison] = applyAccepted([COMPARISON], { accept, today: TODAY }).comparisons;
  expect(comparison?.accepted).toMatchObject([
    { rule: "result-became-error", reason, expires: "2026-12-31" },
  ]);
});

test.each([
  ["2027-01-31", true],
  ["2028-02-29", true],
  ["2027-02-29", false],
  ["2027-13-01", false],
  ["2027-1-31", false],
  ["31.1.2027", false],
  ["2027-01-31T00:00:00Z", false],
])("%s is a day: %s", (text, is) => {
  expect(isDay(text)).toBe(is);
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
    "Nothing that was compared needs the accepted change tool-removed on tool (x) (the client was told).",
  ]);
});
