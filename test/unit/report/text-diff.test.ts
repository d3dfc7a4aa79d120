import { expect, test } from "vitest";
import { driftFrom } from "../../../src/drift/drift.ts";
import { REPORTERS } from "../../../src/report/reporters.ts";
import { diffTexts } from "../../../src/report/text-diff.ts";

test("a break at the end of one text alone does not make its last line another", () => {
  expect(diffTexts("a\nb\n", "a\nb\nc").map(({ mark, text }) => mark + text)).toEqual([" a", " b", "+c"]);
  expect(diffTexts("a\nb\n", "a\nb").map(({ mark, text }) => mark + text)).toEqual([" a", "-b", "+b"]);
});

test("of long lines that place is shown where they begin to differ", async () => {
  const long = (word: string) => `head\n${"the same all along ".repeat(20)}${word} and so on\n`;
  const change = {
    rule: "answer-text-changed",
    class: "risky",
    layer: "behaviour",
    subject: "tools/call t",
    pointer: "/content/0/text",
    message: "It reads otherwise.",
    before: long("day"),
    after: long("night"),
  } as const;
  const comparisons = [{ old: "a", new: "b", changes: [change], compared: { exchanges: 1 } }];
  const text = await REPORTERS.terminal.render(driftFrom({ old: "a", new: "b", comparisons }), {
    width: 80,
    colour: false,
    failOn: "never",
  });
  expect(text).toMatch(/^ {6}- ….*along day and so on$/m);
  expect(text).toMatch(/^ {6}\+ ….*along night and so on$/m);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
});
