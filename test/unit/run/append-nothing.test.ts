import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Header } from "../../../src/exchange/entry.ts";
import { CassetteFile } from "../../../src/run/cassette-file.ts";

const HEADER: Header = {
  recorded: "2026-11-30T09:00:00.000Z",
  recorder: "mcp-vcr/0.1.0",
  source: { transport: "stdio", command: ["node", "server.js"] },
};

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-append-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BODY = { form: "message", bytes: new TextEncoder().encode('{"jsonrpc":"2.0","method":"n"}') } as const;

async function recorded(file: string): Promise<Buffer> {
  const cassette = await CassetteFile.open(file, "once", HEADER);
  cassette.add({ at: 0, from: "server", session: 1, body: BODY });
  expect(cassette.close()).toBe(true);
  return readFileSync(file);
}

/** A client that comes and goes, before a server that does too. */
async function goOnWithNothing(file: string): Promise<boolean> {
  const cassette = await CassetteFile.open(file, "append", HEADER);
  cassette.add({ at: 9, from: "client", session: 2, closed: { reason: "eof" } });
  cassette.flush();
  cassette.add({ at: 9, from: "server", session: 2, closed: { exit: 0 } });
  return cassette.close();
}

test.each(["a.yaml", "a.jsonl"])("nothing is appended to %s when the server said nothing", async (name) => {
  const file = join(folder, name);
  const before = await recorded(file);
  expect(await goOnWithNothing(file)).toBe(false);
  expect(readFileSync(file)).toEqual(before);
});

test("an end without its newline stays as it was, too", async () => {
  const file = join(folder, "a.yaml");
  const text = (await recorded(file)).toString().replace(/\n$/, "");
  writeFileSync(file, text);
  await goOnWithNothing(file);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("what a client alone said is kept where it was asked for", async () => {
  const file = join(folder, "a.jsonl");
  const before = await recorded(file);
  const cassette = await CassetteFile.open(file, "append", HEADER);
  cassette.add({ at: 9, from: "client", session: 2, body: BODY });
  cassette.keep();
  expect(cassette.close()).toBe(true);
  expect(readFileSync(file).length).toBeGreaterThan(before.length);
});
