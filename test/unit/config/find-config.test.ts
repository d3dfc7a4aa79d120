import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findConfig, SEARCH_PLACES } from "../../../src/config/find-config.ts";

/** A repository with these files, and a function that finds from a folder of it. */
function repository(...files: (string | readonly [string, string])[]) {
  const root = mkdtempSync(join(tmpdir(), "mcp-vcr-find-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "packages/a/test"), { recursive: true });
  for (const each of files) {
    const [file, text] = typeof each === "string" ? [each, ""] : each;
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return (folder: string) => findConfig(join(root, folder))?.slice(root.length + 1);
}

const OTHER = ["package.json", '{ "name": "mcp-vcr", "dependencies": { "mcp-vcr": "1" } }'] as const;

describe("findConfig", () => {
  test.each(SEARCH_PLACES.slice(1))("finds %s", (place) => {
    expect(repository(place, ".git/x", OTHER)("packages/a")).toBe(place);
  });

  test("finds the member of package.json, and passes one without it by", () => {
    expect(repository([OTHER[0], '{ "mcp-vcr": {} }'], ".git/x")("")).toBe("package.json");
    expect(repository(OTHER, ".git/x")("")).toBeUndefined();
    expect(repository([OTHER[0], '{ "mcp-vcr" '], ".git/x")("")).toBe("package.json");
  });

  test("the nearest counts, up to the root of the repository", () => {
    const find = repository(
      ".mcp-vcrrc",
      "packages/a/mcp-vcr.config.ts",
      "packages/b/.git/x",
      "packages/b/c/x",
    );
    expect(find("packages/a/test")).toBe("packages/a/mcp-vcr.config.ts");
    expect(find("packages")).toBe(".mcp-vcrrc");
    expect(find("packages/b/c")).toBeUndefined();
  });

  test("two in one folder are refused", () => {
    const find = repository(".mcp-vcrrc", "mcp-vcr.config.ts");
    expect(() => find("packages")).toThrow("holds several configurations: mcp-vcr.config.ts, .mcp-vcrrc");
  });
});
