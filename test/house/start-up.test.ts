import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { readTree, type SourceTree } from "./source-tree.ts";

/**
 * What every start of the command loads. A session waits for it, so what one command alone needs is imported when that
 * command runs.
 */
const SELDOM = ["scenario", "contract", "drift", "report", "inspect", "check", "convert", "setup", "testing"];

/** Files that a file loads when it is loaded, and those files in turn. */
function loadedWith(start: string, tree: SourceTree): Set<string> {
  const loaded = new Set<string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (loaded.has(path)) continue;
    loaded.add(path);
    const text = tree.get(path);
    if (text === undefined) throw new Error(`${path} is imported, and not there`);
    for (const [, names = "", from = ""] of text.matchAll(
      /^(?:import|export) ([^;"]*?)from "(\.[^"]+)";/gms,
    )) {
      if (!isForTypes(names)) waiting.push(posix.join(posix.dirname(path), from));
    }
  }
  return loaded;
}

function isForTypes(names: string): boolean {
  if (names.startsWith("type ")) return true;
  const listed = /^\{([^}]*)\}/
    .exec(names)?.[1]
    ?.split(",")
    .map((name) => name.trim());
  return listed?.filter((name) => name !== "").every((name) => name.startsWith("type ")) ?? false;
}

function seldomIn(tree: SourceTree, start: string): string[] {
  const folders = new Set(SELDOM);
  const found = [...loadedWith(start, tree)].filter((path) => folders.has(path.split("/")[1] ?? ""));
  return found.sort();
}

/** What a session waits for. */
const STARTS = ["src/cli/main.ts", "src/cli/record-command.ts", "src/cli/serve-command.ts"];

test("the command loads at its start what every command needs", () => {
  const tree = readTree(["src"], [".ts"]);
  const loaded = new Set(STARTS.flatMap((start) => [...loadedWith(start, tree)]));
  expect(loaded).toContain("src/run/serve-cassette.ts");
  expect(STARTS.flatMap((start) => seldomIn(tree, start))).toEqual([]);
});

describe("the check itself", () => {
  const tree = (text: string) =>
    new Map([
      ["src/cli/main.ts", text],
      ["src/contract/rules.ts", "export const x = 1;"],
    ]);

  test.each([
    'import { x } from "../contract/rules.ts";',
    'import {\n  type T,\n  x,\n} from "../contract/rules.ts";',
    'export { x } from "../contract/rules.ts";',
  ])("finds %j", (text) => {
    expect(seldomIn(tree(text), "src/cli/main.ts")).toEqual(["src/contract/rules.ts"]);
  });

  test.each([
    'import type { T } from "../contract/rules.ts";',
    'import { type T, type U } from "../contract/rules.ts";',
    'const load = () => import("../contract/rules.ts");',
  ])("lets pass %j", (text) => {
    expect(seldomIn(tree(text), "src/cli/main.ts")).toEqual([]);
  });
});
