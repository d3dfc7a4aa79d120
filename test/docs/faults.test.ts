import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { FaultKind, Shown } from "../../src/faults/kind.ts";
import { readFaults } from "../../src/faults/read-faults.ts";
import { READY } from "../../src/faults/ready.ts";
import { FAULTS } from "../../src/faults/table.ts";
import { codeBlocks } from "./code-blocks.ts";

const PAGE = "docs/faults.md";
const page = readFileSync(PAGE, "utf8");

const cell = (shown: Shown) =>
  typeof shown === "string" ? shown : `not possible: ${shown.never}; instead \`${shown.instead}\``;

const rowOf = ({ name, example, about, instead, shows }: FaultKind) =>
  `| \`${name}: ${example}\`${instead ? " †" : ""} | ${about} | ${[
    shows.stdio,
    shows.http,
    shows.sse,
    shows.memory,
  ]
    .map(cell)
    .join(" | ")} |`;

const TABLE = [
  "| fault | what it does | stdio | Streamable HTTP | HTTP+SSE | in process |",
  "|---|---|---|---|---|---|",
  ...FAULTS.map(rowOf),
].join("\n");

const SETS = READY.map(({ name, about, text }) => `**${name}**: ${about}\n\n\`\`\`yaml\n${text}\`\`\``).join(
  "\n\n",
);

test("docs/faults.md shows the table of faults and the ready sets as they are", () => {
  expect(page, TABLE).toContain(TABLE);
  expect(page, SETS).toContain(SETS);
});

test("docs/faults.md names what the 2026-07-28 revision cannot show over HTTP alone", () => {
  const alone = FAULTS.filter(
    ({ shows }) => typeof shows.http === "string" && typeof shows.post !== "string",
  );
  const names = alone.map(({ name, value }) => (value ? `\`${name}: ${value}\`` : `\`${name}\``));
  const paragraph = page.slice(
    page.indexOf("In the 2026-07-28 revision HTTP"),
    page.indexOf("A fault that cannot be shown"),
  );
  expect([...paragraph.matchAll(/`[^`]+`/g)].map(([name]) => name).sort()).toEqual(names.sort());
});

test("docs/faults.md: its faults files are read as they stand", () => {
  const yaml = codeBlocks(PAGE).filter(({ language }) => language === "yaml");
  const plans = yaml.map(({ text }) => readFaults({ file: PAGE, text }));
  expect(plans.length).toBe(1 + READY.length);
});
