import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CassetteSource } from "../../../src/run/cassette-source.ts";
import { FileBytes } from "../../../src/run/file-bytes.ts";
import { entriesOf } from "../../cases/entries-of.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-bytes-"));
  file = join(folder, "a.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TEXT = "0123456789".repeat(100);

test("a file comes as far as it is asked for, and whole in the end", () => {
  writeFileSync(file, TEXT);
  const read = new FileBytes(file);
  read.readTo(10);
  expect(read.bytes.subarray(0, 10).toString()).toBe("0123456789");
  read.readTo(5);
  read.readTo(TEXT.length);
  expect(read.bytes.toString()).toBe(TEXT);
});

test("another file in its place does not matter", () => {
  writeFileSync(file, TEXT);
  const read = new FileBytes(file);
  read.readTo(10);
  writeFileSync(`${file}.new`, TEXT.toUpperCase());
  renameSync(`${file}.new`, file);
  read.readTo(TEXT.length);
  expect(read.bytes.toString()).toBe(TEXT);
});

test.each<[string, () => void]>([
  ["longer", () => appendFileSync(file, "x")],
  ["shorter", () => truncateSync(file, 500)],
  ["another of the same length", () => writeFileSync(file, TEXT.replaceAll("0", "x"))],
])("a file that becomes %s while it is read is told of", (_, change) => {
  writeFileSync(file, TEXT);
  const read = new FileBytes(file);
  read.readTo(10);
  change();
  expect(() => read.readTo(TEXT.length)).toThrow("a.jsonl: the file was changed while it was read");
});

/** 5 MB. */
const ENTRIES = 5000;

test("a large cassette holds what is in it", async () => {
  const header = { "mcp-vcr": 1, recorded: "2026-11-30T09:00:00.000Z", recorder: "mcp-vcr/0.1.0" };
  const lines = [JSON.stringify({ ...header, source: { transport: "stdio", command: ["node"] } })];
  const message = { jsonrpc: "2.0", method: "n", params: { text: "x".repeat(1000) } };
  for (let at = 0; at < ENTRIES; at++) lines.push(JSON.stringify({ at, from: "server", message }));
  writeFileSync(file, `${lines.join("\n")}\n`);
  const source = await CassetteSource.open(file, () => {});
  const times = entriesOf(source).map(({ at }) => at);
  expect(times).toEqual(Array.from({ length: ENTRIES }, (_, at) => at));
  expect(JSON.parse(Buffer.from(source.entryAt(ENTRIES - 1).body?.bytes ?? []).toString())).toEqual(message);
});
