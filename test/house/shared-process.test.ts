import { describe, expect, test } from "vitest";
import { PURE_FOLDERS } from "./import-order.ts";
import { readTree, type SourceTree } from "./source-tree.ts";

/** Files of tests that share a process (see vitest.config.ts) must change nothing in it that the others would see. */

const CHANGES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["mocks, stubs or fakes", /^import \{[^}]*\bvi\b[^}]*\} from "vitest"/m],
  ["sets the environment", /\bprocess\.env(\.\w+|\[[^\]]+\]) = |\bdelete process\.env/],
  ["changes or hears the process", /\bprocess\.(chdir|on|once|exitCode)\b/],
  ["changes what is global", /\b(globalThis|\w+\.prototype)(\.\w+|\[[^\]]+\]) = |\b(JSON|Math|Date)\.\w+ = /],
];

function changesIn(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) =>
    CHANGES.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${path}: ${what}`),
  );
}

test("tests that share a process leave it as it was", () => {
  const folders = [...PURE_FOLDERS.map((name) => `test/unit/${name}`), "test/property", "test/golden"];
  const tree = readTree(folders, [".ts"]);
  expect(tree.size).toBeGreaterThan(100);
  expect(changesIn(tree)).toEqual([]);
});

describe("the check itself", () => {
  test.each([
    'import { expect, test, vi } from "vitest";',
    'process.env.CI = "true";',
    "delete process.env.CI;",
    'process.chdir("..");',
    "globalThis.fetch = mine;",
    "Array.prototype.at = mine;",
    "JSON.stringify = mine;",
  ])("finds %j", (text) => {
    expect(changesIn(new Map([["a.ts", text]]))).toHaveLength(1);
  });

  test.each([
    'import { expect, test } from "vitest";',
    "const seed = Number(process.env.FC_SEED ?? 1);",
    "expect(globalThis.fetch).toBe(fetch);",
  ])("lets pass %j", (text) => {
    expect(changesIn(new Map([["a.ts", text]]))).toEqual([]);
  });
});
