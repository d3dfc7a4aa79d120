import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Header } from "../../../src/exchange/entry.ts";
import { CassetteFile } from "../../../src/run/cassette-file.ts";
import type { RecordMode } from "../../../src/run/cassette-open.ts";

const HEADER: Header = {
  recorded: "2026-11-30T09:00:00.000Z",
  recorder: "mcp-vcr/0.1.0",
  source: { transport: "stdio", command: ["node", "server.js"] },
};

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-lock-"));
  file = join(folder, "a.yaml");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (mode: RecordMode) => CassetteFile.open(file, mode, HEADER);

test("two recorders do not write one cassette at once, and nothing is left behind", async () => {
  const first = await open("once");
  for (const mode of ["append", "all"] as const) {
    await expect(open(mode)).rejects.toThrow(`is being recorded by another mcp-vcr (process ${process.pid})`);
  }
  first.close();
  (await open("append")).close();
  (await open("all")).close();
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("the lock of a process that is gone does not count", async () => {
  (await open("once")).close();
  writeFileSync(`${file}.lock`, "999999999");
  (await open("append")).close();
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test("what is no cassette is not replaced, a folder is named, an empty file is as good as none", async () => {
  writeFileSync(file, "precious: data\n");
  await expect(open("all")).rejects.toThrow("is no cassette, and is not replaced by one");
  rmSync(file);
  mkdirSync(file);
  for (const mode of ["once", "all", "append"] as const)
    await expect(open(mode)).rejects.toThrow("is a folder");
  rmSync(file, { recursive: true });
  writeFileSync(file, "");
  (await open("once")).close();
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("a folder that cannot be made is said to be the trouble", async () => {
  writeFileSync(join(folder, "f"), "");
  await expect(CassetteFile.open(join(folder, "f/a.yaml"), "once", HEADER)).rejects.toThrow("the folder");
});
