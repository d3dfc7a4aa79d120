import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { jsonlCodec } from "../../../src/cassette/jsonl/codec.ts";
import { replaceKeeping } from "../../../src/run/keep-unchanged.ts";
import { client, request, result, STDIO, server } from "../../cases/tape.ts";
import { fileOf } from "../cassette/support.ts";

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-keep-"));
  file = join(folder, "a.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const recording = (first: number, text = "same", filler = "") =>
  fileOf(
    jsonlCodec,
    [
      client(request(first, "tools/call", { name: "a" }), { at: first }),
      server(result(first, { text, filler }), { at: first + 1 }),
    ],
    STDIO,
  );

/** Records over what is there; returns why nothing was kept. */
function record(text: string): string | undefined {
  const written = `${file}.recording`;
  writeFileSync(written, text);
  const reason = replaceKeeping({ file, written, codec: jsonlCodec });
  expect(readdirSync(folder)).toEqual(["a.jsonl"]);
  return reason;
}

test("a cassette that stays as it is is not touched", () => {
  writeFileSync(file, recording(1));
  utimesSync(file, 1000, 1000);
  const { ino } = statSync(file);
  expect(record(recording(7))).toBeUndefined();
  expect(readFileSync(file, "utf8")).toBe(recording(1));
  expect(statSync(file)).toMatchObject({ ino, mtimeMs: 1_000_000 });
});

test("what changed is replaced, and a large one too", () => {
  for (const filler of ["", "x".repeat(5_000_000)]) {
    writeFileSync(file, recording(1, "same", filler));
    expect(record(recording(7, "other", filler))).toBeUndefined();
    expect(readFileSync(file, "utf8")).toBe(recording(1, "other", filler));
    expect(record(recording(9, "other", filler))).toBeUndefined();
    expect(readFileSync(file, "utf8")).toBe(recording(1, "other", filler));
  }
});

test("a cassette that cannot be read any more is replaced as a whole, and that is told", () => {
  writeFileSync(file, `${recording(1)}{"at":\n`);
  expect(record(recording(7))).toContain(`${file}:4: `);
  expect(readFileSync(file, "utf8")).toBe(recording(7));
});

test("what a killed recorder left in a spill counts, and is gone then", () => {
  const lines = recording(1).split("\n");
  writeFileSync(file, `${lines[0]}\n`);
  const spill = `${file}.spill.jsonl`;
  const header = fileOf(jsonlCodec, [], STDIO);
  writeFileSync(
    spill,
    `{"after":${(lines[0]?.length as number) + 1}}\n${header}${lines.slice(1).join("\n")}`,
  );
  expect(record(recording(7))).toBeUndefined();
  expect(existsSync(spill)).toBe(false);
  expect(readFileSync(file, "utf8")).toBe(recording(1));
});
