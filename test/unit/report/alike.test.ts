import { expect, test } from "vitest";
import type { Change } from "../../../src/contract/change.ts";
import { driftFrom } from "../../../src/drift/drift.ts";
import { sorted } from "../../../src/report/alike.ts";
import { REPORTERS } from "../../../src/report/reporters.ts";

const change = (subject: string, more: Partial<Change> = {}): Change => ({
  rule: "annotation-safer",
  class: "compatible",
  layer: "contract",
  subject,
  pointer: `/${subject}`,
  message: "It only reads now.",
  ...more,
});
const of = (count: number, make: (name: string) => Change) =>
  Array.from({ length: count }, (_, index) => make(`t${index}`));
const told = (changes: readonly Change[]) => {
  const { alike, others } = sorted(changes);
  return {
    groups: alike.map(({ change: { message }, subjects }) => [message, subjects.length]),
    others: others.length,
  };
};

test("what three subjects have in common, values and all, is told once", () => {
  const same = (name: string) => change(`tool ${name}`, { before: false, after: true });
  expect(told(of(3, same))).toEqual({ groups: [["It only reads now.", 3]], others: 0 });
  expect(told(of(2, same))).toEqual({ groups: [], others: 2 });
  expect(told([...of(3, same), change("tool x", { before: true, after: false })])).toEqual({
    groups: [["It only reads now.", 3]],
    others: 1,
  });
});

test("three changes of one subject are no group", () => {
  expect(told(of(3, () => change("tool t", { after: true })))).toEqual({ groups: [], others: 3 });
});

test("of five tools that are gone their names are told, unless one may live on", () => {
  const gone = (name: string, hint = "") =>
    change(`tool ${name}`, {
      rule: "tool-removed",
      message: `The tool ${name} is gone.${hint}`,
      before: { name },
    });
  const all = [...of(5, gone), gone("x", " It may have been renamed to y.")];
  expect(told(all)).toEqual({ groups: [["The tool … is gone.", 5]], others: 1 });
  expect(sorted(all).alike[0]?.change.before).toBeUndefined();
  expect(told(of(4, gone))).toEqual({ groups: [], others: 4 });
  const witness = { value: {}, acceptedBy: "old", reason: "r", from: "generated" } as const;
  expect(told(of(5, (name) => ({ ...gone(name), witness })))).toEqual({ groups: [], others: 5 });
});

test("texts that differ are told of each, however many say the same of them", () => {
  const text = (name: string) =>
    change(`tool ${name}`, { message: "It reads otherwise.", before: `a ${name}`, after: `b ${name}` });
  expect(told(of(9, text))).toEqual({ groups: [], others: 9 });
});

test("a terminal is not filled with names", async () => {
  const changes = of(30, (name) => change(name, { pointer: "", message: "It is gone." }));
  const drift = driftFrom({
    old: "a",
    new: "b",
    comparisons: [{ old: "a", new: "b", changes, compared: { tools: 1 } }],
  });
  const text = await REPORTERS.terminal.render(drift, { width: 80, colour: false, failOn: "never" });
  expect(text).toContain("    t19\n    … and 10 more\n");
  expect(text).not.toContain("t20");
});
