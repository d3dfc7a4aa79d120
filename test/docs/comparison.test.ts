import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { FOREIGN_NAMES } from "../../src/convert/names.ts";
import { FAULT_NAMES } from "../../src/faults/table.ts";

const PAGE = "docs/comparison.md";
const page = readFileSync(PAGE, "utf8");
/** Rows of the table, cell by cell. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe(PAGE, () => {
  test("says of each tool in which version it was read, and fills every cell", () => {
    const [head = [], , versions = []] = rows;
    expect(versions[1]).toBe(manifest.version);
    for (const version of versions.slice(2))
      expect(version).toMatch(/^\d+\.\d+\.\d+(,| of) .*20\d\d-\d\d-\d\d$/);
    for (const row of rows) expect(row).toHaveLength(head.length);
    expect(rows.flat().filter((cell) => cell === "")).toHaveLength(1);
  });

  test("names whatever convert reads, and counts the faults there are", () => {
    for (const name of FOREIGN_NAMES) expect(page).toContain(name.split(" ")[0]);
    expect(page).toContain(`| ${FAULT_NAMES.length} kinds, `);
  });

  test("its links within the project lead somewhere", () => {
    const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) =>
      join(dirname(PAGE), path),
    );
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((path) => !existsSync(path))).toEqual([]);
  });
});
