import { homedir } from "node:os";
import { describe, expect, test } from "vitest";
import { findLongFiles, findMachinePaths, MOST_LINES } from "./size.ts";
import { ROOT, readTree } from "./source-tree.ts";

test("no file of src is longer than a reader holds in the head", () => {
  expect(findLongFiles(readTree(["src"], [".ts"]))).toEqual([]);
});

test("no file names a folder of the machine it was written on", () => {
  const places = [
    "src",
    "test",
    "cassettes",
    "docs",
    "README.md",
    "CHANGELOG.md",
    "package.json",
    "build.mjs",
    "build",
  ];
  const tree = readTree(places, [".ts", ".mjs", ".json", ".md", ".yaml", ".jsonl", ".txt"]);
  expect(tree.size).toBeGreaterThan(10);
  expect(findMachinePaths(tree, [ROOT, `${homedir()}/`])).toEqual([]);
});

describe("the checks themselves", () => {
  test("find a file with one line too many", () => {
    const tree = new Map([
      ["src/long.ts", "x\n".repeat(MOST_LINES + 1)],
      ["src/longest.ts", "x\n".repeat(MOST_LINES + 100)],
      ["src/just.ts", "x\n".repeat(MOST_LINES)],
    ]);
    expect(findLongFiles(tree)).toEqual([
      "src/longest.ts: 400 lines, at most 300; one file, one thing",
      "src/long.ts: 301 lines, at most 300; one file, one thing",
    ]);
  });

  test("find a path of this machine", () => {
    const tree = new Map([["src/a.ts", `one\nexport const p = "${ROOT}x";\n`]]);
    expect(findMachinePaths(tree, [ROOT])).toEqual([`src/a.ts:2: holds ${ROOT}, a path of one machine`]);
  });
});
