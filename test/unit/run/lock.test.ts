import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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

/** Ends a recording in which the server said something, so that it is kept. */
function finish(cassette: CassetteFile): void {
  const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","method":"n"}');
  cassette.add({ at: 0, from: "server", session: 1, body: { form: "message", bytes } });
  expect(cassette.close()).toBe(true);
}

test("two recorders do not write one cassette at once, and nothing is left behind", async () => {
  const first = await open("once");
  for (const mode of ["append", "all"] as const) {
    await expect(open(mode)).rejects.toThrow(`is being recorded by another mcp-vcr (process ${process.pid})`);
  }
  finish(first);
  finish(await open("append"));
  finish(await open("all"));
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("the lock of a process that is gone does not count", async () => {
  finish(await open("once"));
  writeFileSync(`${file}.lock`, "999999999");
  finish(await open("append"));
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
  finish(await open("once"));
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("a recording in which the server said nothing leaves what was there before", async () => {
  const silent = async (mode: RecordMode) => {
    const cassette = await open(mode);
    cassette.add({ at: 0, from: "server", session: 1, closed: { exit: 1 } });
    return cassette.close();
  };
  expect(await silent("once")).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  finish(await open("once"));
  const before = readFileSync(file, "utf8");
  expect(await silent("all")).toBe(false);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect(readdirSync(folder)).toEqual(["a.yaml"]);
});

test("a folder that cannot be made is said to be the trouble", async () => {
  writeFileSync(join(folder, "f"), "");
  await expect(CassetteFile.open(join(folder, "f/a.yaml"), "once", HEADER)).rejects.toThrow("the folder");
});
