import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** Each row of docs/references.md names the tests by which it holds. */

const ROWS = readFileSync("docs/references.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| reference |"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const LINK = /\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g;

/** Links that name no test of the file they lead to. */
function brokenLinks(cell: string): string[] {
  const links = [...cell.matchAll(LINK)];
  if (links.length === 0) return [`no test in ${JSON.stringify(cell)}`];
  return links.flatMap(([, title = "", path = ""]) => {
    const file = join(process.cwd(), path);
    if (!existsSync(file)) return [`${path} is not there`];
    const titled = readFileSync(file, "utf8").includes(title);
    return titled ? [] : [`${path} has no test named ${JSON.stringify(title)}`];
  });
}

test("there are rows, each with all its cells", () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(13);
  for (const row of ROWS) expect(row.filter((cell) => cell.length > 0)).toHaveLength(5);
});

test.each(ROWS)("%s", (...row) => {
  expect(brokenLinks(row[4] ?? "")).toEqual([]);
});

describe("the check itself", () => {
  test.each([
    ["kept", "no test"],
    ["[a](../test/unit/no-such.test.ts)", "is not there"],
    ["[no such title](../test/unit/replay/answers.test.ts)", "has no test named"],
  ])("finds %s", (cell, fault) => {
    expect(brokenLinks(cell)).toEqual([expect.stringContaining(fault)]);
  });
});
