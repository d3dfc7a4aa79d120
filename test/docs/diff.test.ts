import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { DRIFT_RULES } from "../../src/drift/rules.ts";
import { codeBlocks } from "./code-blocks.ts";

const rows = readFileSync("docs/diff.md", "utf8")
  .split("\n")
  .filter((line) => /^\| `[a-z-]+` \| (behaviour|session) \|/.test(line));

test("docs/diff.md: every rule has its row, in order, and there is no other", () => {
  expect(rows).toEqual(
    Object.entries(DRIFT_RULES).map(
      ([id, { layer, classes, title, reason }]) =>
        `| \`${id}\` | ${layer} | ${classes.join(", ")} | ${title}. ${reason} |`,
    ),
  );
});

test("docs/diff.md: the workflow is YAML, and names commands that are there", () => {
  const [workflow] = codeBlocks("docs/diff.md").filter(({ text }) => text.startsWith("name: drift"));
  const { jobs } = load(workflow?.text ?? "") as { jobs: { drift: { steps: { run?: string }[] } } };
  const commands = jobs.drift.steps.map(({ run }) => run).filter((run) => run?.includes("mcp-vcr"));
  expect(commands).toEqual([
    'npx mcp-vcr diff --base "origin/$GITHUB_BASE_REF" --format github --format markdown=drift.md',
  ]);
});
