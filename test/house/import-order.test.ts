import { describe, expect, test } from "vitest";
import { EXCEPTIONS, findFaults, readFacts } from "./import-order.ts";
import { readTree } from "./source-tree.ts";

test("every folder of src imports only from its left, and the core touches no Node", () => {
  const tree = readTree(["src"], [".ts"]);
  expect(tree.size).toBeGreaterThan(0);
  expect(findFaults(tree, EXCEPTIONS)).toEqual([]);
});

function faultsOf(files: Record<string, string>): string[] {
  return findFaults(new Map(Object.entries(files)));
}

describe("the check itself", () => {
  const leaf = "export const x = 1;";

  test.each([
    ["static", 'import { x } from "../cli/x.ts"; x;'],
    ["for types", 'import type { x } from "../cli/x.ts"; export type T = typeof x;'],
    ["re-exported", 'export * from "../cli/x.ts";'],
    ["dynamic", 'export const load = () => import("../cli/x.ts");'],
    ["in a type", 'export type T = import("../cli/x.ts").X;'],
  ])("finds an import from the right: %s", (_, text) => {
    expect(faultsOf({ "src/wire/a.ts": text, "src/cli/x.ts": leaf })).toEqual([
      "src/wire/a.ts: imports src/cli/x.ts; wire may import only from its left in ORDER",
    ]);
  });

  test.each([
    ["node:fs", 'import { readFileSync } from "node:fs"; readFileSync;'],
    ["fs/promises", 'import "fs/promises";'],
    ["path", 'export const load = () => import("path");'],
    ["node:stream", 'import type { Readable } from "node:stream"; export type R = Readable;'],
    ["process", "export const a = process.env.HOME;"],
    ["Buffer", "export const a = (b: Buffer) => b;"],
    ["Buffer", "export const a = { Buffer };"],
    ["setTimeout", "setTimeout(() => {}, 1);"],
    ["NodeJS", "export type T = NodeJS.Timeout;"],
    ["Date.now", "export const t = Date.now();"],
    ["new Date()", "export const t = new Date();"],
    ["Math.random", "export const t = Math.random();"],
    ["crypto", "export const t = crypto.randomUUID();"],
    ["performance", "export const t = globalThis ? performance.now() : 0;"],
  ])("finds %s in the core", (name, text) => {
    const faults = faultsOf({ "src/replay/a.ts": text });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(`src/replay/a.ts: uses ${name};`);
    expect(faultsOf({ "src/cli/a.ts": text })).toEqual([]);
  });

  test("an exception covers its one use, and is a fault when nothing needs it", () => {
    const exceptions = new Map([["src/wire/a.ts: Math.random", "a reason"]]);
    const text = "export const r = Math.random();";
    expect(findFaults(new Map([["src/wire/a.ts", text]]), exceptions)).toEqual([]);
    expect(findFaults(new Map([["src/wire/b.ts", text]]), exceptions)).toHaveLength(2);
  });

  test("an exception covers a computed import too", () => {
    const files = new Map([["src/run/a.ts", "export const f = (n: string) => import(n);"]]);
    const exceptions = new Map([["src/run/a.ts: (computed)", "a reason"]]);
    expect(findFaults(files, exceptions)).toEqual([]);
    expect(findFaults(new Map([["src/run/a.ts", "export const f = 1;"]]), exceptions)).toHaveLength(1);
  });

  test("a file beside the folders is core, and imports no folder", () => {
    expect(faultsOf({ "src/clock.ts": "export const now = () => Date.now();" })).toHaveLength(1);
    expect(faultsOf({ "src/clock.ts": 'import "./cli/x.ts";', "src/cli/x.ts": leaf })).toHaveLength(1);
    expect(faultsOf({ "src/index.ts": 'export * from "./cli/x.ts";', "src/cli/x.ts": leaf })).toEqual([]);
  });

  test("finds circles, unknown folders, files that are not there, computed names, and the entry imported", () => {
    const circle = { "src/wire/a.ts": 'import "./b.ts";', "src/wire/b.ts": 'import "./a.ts";' };
    expect(faultsOf(circle)).toEqual(["import circle: src/wire/a.ts -> src/wire/b.ts -> src/wire/a.ts"]);
    expect(faultsOf({ "src/utils/a.ts": leaf })[0]).toMatch('the folder "utils" has no place in ORDER');
    expect(faultsOf({ "src/wire/a.ts": 'import "./gone.ts";' })[0]).toMatch("which is no file of src");
    expect(faultsOf({ "src/run/a.ts": "export const f = (n: string) => import(n);" })[0]).toMatch(
      "computed name",
    );
    const entry = { "src/cli/a.ts": 'import "../index.ts";', "src/index.ts": leaf };
    expect(faultsOf(entry)[0]).toMatch("imports the library's entry");
  });

  test("is not misled by comments, strings, members, and names of its own", () => {
    const text = `
      // import "node:fs"; process.exit()
      export const a = "process.env", b = \`Buffer \${a}\`, c = /require("fs")/;
      export interface Q { process(): void; readonly Buffer: string }
      export const f = (process: string, module = 1) => process + module;
      export const g = ({ crypto, fetch = 1, x: [console] }: any) => [crypto, fetch, console];
      export const d = (q: Q) => q.process(), when = new Date(0), s = { setTimeout: 1 };`;
    expect(faultsOf({ "src/wire/a.ts": text })).toEqual([]);
  });

  test("an import from the left, from beside, and of a package is fine", () => {
    const text = 'import "../protocol/x.ts"; import "./b.ts"; import "../errors.ts"; import "js-yaml";';
    const files = {
      "src/wire/a.ts": text,
      "src/wire/b.ts": leaf,
      "src/protocol/x.ts": leaf,
      "src/errors.ts": leaf,
    };
    expect(faultsOf(files)).toEqual([]);
  });

  test("throws at text that does not parse", () => {
    expect(() => readFacts("export const = ;")).toThrow();
  });
});
