import { expect, test } from "vitest";
import { readPlan } from "../../src/drive/plan/read-plan.ts";
import { codeBlocks } from "./code-blocks.ts";

const yaml = codeBlocks("docs/drive.md").filter(({ language }) => language === "yaml");

test("docs/drive.md: its drive files are read as they stand, and show every kind of step", () => {
  const steps = yaml.flatMap(({ text }) => readPlan({ file: "docs/drive.md", text }).steps);
  expect([...new Set(steps.map(({ doing }) => doing.kind))].sort()).toEqual([
    "auto",
    "call",
    "complete",
    "level",
    "list",
    "notify",
    "prompt",
    "read",
    "request",
    "subscribe",
    "unsubscribe",
    "wait",
  ]);
});
