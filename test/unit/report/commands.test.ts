import { expect, test } from "vitest";
import { driftFrom } from "../../../src/drift/drift.ts";
import { driftOf } from "../../../src/drift/rules.ts";
import { github } from "../../../src/report/github.ts";
import { terminal } from "../../../src/report/terminal.ts";

const EVIL = "t\n::error::gone\u001b[2J ##[error]x";

const drift = driftFrom({
  old: "a",
  new: "b",
  comparisons: [
    {
      old: "a",
      new: "b",
      compared: { tools: 1 },
      notes: [`the tool ${EVIL} is listed twice`],
      changes: [
        driftOf("answer-text-changed", {
          subject: `tools/call ${EVIL}`,
          pointer: "",
          message: `${EVIL} ::warning::reads otherwise.`,
          before: "same\n::error::same\nold",
          after: "same\n::error::same\nnew",
        }),
      ],
    },
  ],
});
const look = { width: 40, failOn: "breaking", colour: false } as const;

test("what a server says gives no command to a terminal, nor to the runner that reads what it shows", async () => {
  const text = await terminal.render(drift, look);
  expect(text).toContain("::error::gone");
  expect(text).not.toMatch(/^\s*::|##\[|\u001b/m);
});

test("the report for GitHub has no commands but its own, and no control characters", async () => {
  const lines = (await github.render(drift, look)).trimEnd().split("\n");
  expect(lines).toHaveLength(3);
  expect(lines.filter((line) => line.startsWith("::"))).toHaveLength(2);
  expect(lines.join("")).not.toMatch(/\u001b/);
});
