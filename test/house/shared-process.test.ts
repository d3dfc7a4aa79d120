import { describe, expect, test } from "vitest";
import { APART, E2E_FOLDER, SHARED_FOLDERS } from "./shared-process.ts";
import { readTree, type SourceTree } from "./source-tree.ts";

/** Files of tests that share a process (see vitest.config.ts) must change nothing in it that the others would see. */

const CHANGES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["mocks, stubs or fakes", /\bvi\.(?!wait(For|Until)\b)/],
  ["sets the environment", /\bprocess\.env(\.\w+|\[[^\]]+\]) = |\bdelete process\.env/],
  ["changes or hears the process", /\bprocess\.(chdir|on|once|exitCode)\b/],
  ["changes what is global", /\b(globalThis|\w+\.prototype)(\.\w+|\[[^\]]+\]) = |\b(JSON|Math|Date)\.\w+ = /],
];

function changesIn(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) => {
    const code = text.replace(TEXTS, '""');
    return CHANGES.filter(([, pattern]) => pattern.test(code)).map(([what]) => `${path}: ${what}`);
  });
}

/** What tests write into files and give to programs is not theirs. */
const TEXTS = /`(\\.|[^`\\])*`|"(\\.|[^"\\\n])*"/g;

test("tests that share a process leave it as it was", () => {
  const tree = readTree([...SHARED_FOLDERS, E2E_FOLDER], [".ts"]);
  expect(tree.size).toBeGreaterThan(200);
  const changed = changesIn(tree).map((change) => change.split(":")[0] ?? "");
  expect([...new Set(changed)]).toEqual(APART);
});

describe("the check itself", () => {
  test.each([
    "vi.useFakeTimers();",
    'vi.spyOn(process.stderr, "write").mockReturnValue(true);',
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
    "await vi.waitUntil(() => existsSync(file));",
    'const SERVER = `process.on("SIGTERM", () => {});`;',
    "const seed = Number(process.env.FC_SEED ?? 1);",
    "expect(globalThis.fetch).toBe(fetch);",
  ])("lets pass %j", (text) => {
    expect(changesIn(new Map([["a.ts", text]]))).toEqual([]);
  });
});
