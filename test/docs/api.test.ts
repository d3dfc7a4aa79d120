import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Exported, exportsOf } from "./api/declarations.ts";

/** The entries of package.json, their sources, and what they are for. */
const ENTRIES: Readonly<Record<string, { readonly file: string; readonly what: string }>> = {
  ".": {
    file: "src/index.ts",
    what: "Tapes, scenarios and mocks for any test runner; cassettes as data, for tools that read or write them.",
  },
  "./vitest": {
    file: "src/testing/runners/vitest.ts",
    what: "For vitest: what is opened ends with the test. The import adds the matchers `toHaveReceived`, `toHaveReceivedTimes` and `toHaveNoMisses` to `expect`.",
  },
  "./jest": { file: "src/testing/runners/jest.ts", what: "For jest: the same." },
  "./node-test": {
    file: "src/testing/runners/node-test.ts",
    what: "For `node:test`: the same with the test's context first, and assertions in place of matchers.",
  },
  "./msw": { file: "src/testing/msw.ts", what: "Tapes among the handlers of msw, in Node." },
  "./msw/browser": {
    file: "src/testing/msw-browser.ts",
    what: "Tapes among the handlers of msw, in a page.",
  },
};

const nameOf = (entry: string) => `mcp-vcr${entry.slice(1)}`;

function sectionOf(entry: string): string {
  const { file, what } = ENTRIES[entry] as (typeof ENTRIES)[string];
  return `## ${nameOf(entry)}\n\n${what}\n\n${exportsOf(file).map(described).join("\n")}`;
}

function described({ name, signatures, text, members }: Exported): string {
  const head = signatures.map((signature) => `\`${signature}\``).join("  \n");
  const list = members.map(({ signature, text }) => `* \`${signature}\`${text && `: ${text}`}\n`).join("");
  return `### ${name}\n\n${head}\n${text && `\n${text}\n`}${list && `\n${list}`}`;
}

const HEAD = `# API

Every export of the package, as its source describes it. [testing.md](testing.md) shows how they are used, and
[msw.md](msw.md) those of \`mcp-vcr/msw\`. The package is ES modules, with types.

`;

test("docs/api.md is what the docstrings say", async () => {
  const page = `${HEAD}${Object.keys(ENTRIES).map(sectionOf).join("\n")}`;
  await expect(page).toMatchFileSnapshot(resolve("docs/api.md"));
});

test("has a section for every entry of the package", () => {
  const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
  const entries = Object.keys(exports).filter((entry) => !/^\.\/(schema|package)/.test(entry));
  expect(Object.keys(ENTRIES).sort()).toEqual(entries.sort());
});

test("a name that is handed on and nowhere declared is told", () => {
  const folder = mkdtempSync(join(tmpdir(), "mcp-vcr-api-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "a.ts"), "/** Something. */\nexport const there = 1;\n");
  writeFileSync(join(folder, "index.ts"), 'export { there } from "./a.ts";\n');
  expect(exportsOf(join(folder, "index.ts"))).toMatchObject([{ name: "there", text: "Something." }]);
  writeFileSync(join(folder, "index.ts"), 'export { gone } from "./a.ts";\n');
  expect(() => exportsOf(join(folder, "index.ts"))).toThrow("declares no gone");
});

describe("every export", () => {
  test.each(Object.entries(ENTRIES))("of %s is described", (_entry, { file }) => {
    const all = exportsOf(file);
    expect(all.length).toBeGreaterThan(0);
    const silent = all.filter(
      ({ text, members, signatures }) =>
        text === "" && members.length === 0 && !signatures[0]?.startsWith("type"),
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test.each(["vitest", "jest", "node-test", "msw", "index"])(
    "that %s has when it runs is among them",
    async (name) => {
      const entry = name === "index" ? "." : `./${name}`;
      const { file } = ENTRIES[entry] as (typeof ENTRIES)[string];
      const text = readFileSync(resolve("dist", `${name}.js`), "utf8");
      const list = /export\s*\{([^}]*)\};?\s*(?:\/\/.*)?\s*$/.exec(text)?.[1] ?? "";
      const names = list
        .split(",")
        .map((each) => each.trim().replace(/^.* as /, ""))
        .filter(Boolean);
      expect(names.length).toBeGreaterThan(0);
      expect(exportsOf(file).map((each) => each.name)).toEqual(expect.arrayContaining(names));
    },
  );
});
