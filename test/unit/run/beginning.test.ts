import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { codecFor } from "../../../src/cassette/codecs.ts";
import { VcrError } from "../../../src/errors.ts";
import { type Beginning, beginningOf } from "../../../src/run/beginning.ts";
import { CassetteFile } from "../../../src/run/cassette-file.ts";
import { LEGACY } from "../testing/support.ts";

const [HEADER = "", INITIALIZE = "", RESULT = ""] = LEGACY;
const entry = (from: "client" | "server", more: object) => JSON.stringify({ at: 1, from, ...more });
const said = (from: "client" | "server", message: object, more: object = {}) =>
  entry(from, { ...more, message: { jsonrpc: "2.0", ...message } });

const PROBE = said("client", { id: "p", method: "server/discover", params: {} });
const UNKNOWN = said("server", { id: "p", error: { code: -32601, message: "Method not found" } });
const REFUSED = said("server", { id: 0, error: { code: -32602, message: "no key" } });
const EOF = entry("client", { closed: { reason: "eof" } });
const FAILED = [HEADER, INITIALIZE, REFUSED];

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-vcr-beginning-"));
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

function fileOf(lines: readonly string[]): string {
  const file = join(folder, "a.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

const failed = (why: string): Beginning => ({ kind: "failed", why });

const ROWS: readonly [what: string, lines: readonly string[], expected: Beginning | undefined][] = [
  ["a header alone", [HEADER], { kind: "nothing" }],
  ["a probe", [HEADER, PROBE, UNKNOWN, EOF], { kind: "probe" }],
  ["a refusal", FAILED, failed('was refused: "no key"')],
  [
    "a refusal, and an end",
    [...FAILED, entry("server", { closed: { exit: 1 } })],
    failed('was refused: "no key"'),
  ],
  ["a refusal after a probe", [HEADER, PROBE, UNKNOWN, INITIALIZE, REFUSED], failed('was refused: "no key"')],
  [
    "a server that ended",
    [HEADER, INITIALIZE, entry("server", { text: "Traceback" }), entry("server", { closed: { exit: 3 } })],
    failed("got no answer from a server that ended with exit code 3"),
  ],
  ["a server that said nothing", [HEADER, INITIALIZE, EOF], failed("got no answer")],
  [
    "HTTP that refuses, and a client that looks further",
    [
      HEADER,
      said("client", { id: 0, method: "initialize" }, { http: { path: "/mcp" } }),
      entry("server", { on: 0, http: { status: 401 } }),
      entry("client", { http: { method: "GET", path: "/mcp" } }),
      entry("server", { on: "get", http: { status: 405 } }),
    ],
    failed("was answered with status 401"),
  ],
  ["a session", [HEADER, INITIALIZE, RESULT], undefined],
  ["a session after a refusal", [...FAILED, INITIALIZE, RESULT], undefined],
  [
    "a client that goes on all the same",
    [...FAILED, said("client", { id: 1, method: "tools/list" })],
    undefined,
  ],
  ["a ping alone", [HEADER, said("client", { id: 1, method: "ping" })], undefined],
  ["a batch", [HEADER, entry("client", { message: [] })], undefined],
  [
    "a modern server that refuses the older opening",
    [HEADER, PROBE, said("server", { id: "p", result: {} }), INITIALIZE, REFUSED],
    undefined,
  ],
  ["a look over HTTP", [HEADER, entry("client", { http: { method: "GET", path: "/mcp" } })], undefined],
];

test.each(ROWS)("%s", async (_what, lines, expected) => {
  const file = fileOf(lines);
  expect(beginningOf(file, await codecFor(file))).toEqual(expected);
});

describe("a cassette in which initialize failed", () => {
  const open = async (file: string, mode: "once" | "append" | "all") => {
    const header = { ...JSON.parse(HEADER), recorded: "2027-01-01T00:00:00.000Z" };
    const cassette = await CassetteFile.open(file, mode, header);
    const add = (line: string) => {
      const { from, message } = JSON.parse(line);
      const bytes = new TextEncoder().encode(JSON.stringify(message));
      cassette.add({ at: 0, session: 1 + cassette.base.sessions, from, body: { form: "message", bytes } });
    };
    return { cassette, add };
  };

  test.each(["once", "append"] as const)("is recorded anew by %s, which is told", async (mode) => {
    const file = fileOf(FAILED);
    const { cassette, add } = await open(file, mode);
    for (const line of [INITIALIZE, RESULT]) add(line);
    expect([cassette.close(), cassette.failed]).toEqual([true, undefined]);
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")).toHaveLength(4);
    expect([text.includes("no key"), text.includes("2027")]).toEqual([false, true]);
    expect(process.stderr.write).toHaveBeenCalledExactlyOnceWith(
      `mcp-vcr: ${file} is recorded anew: in it initialize was refused: "no key"\n`,
    );
  });

  test("takes no cassette's place, and says that none came about", async () => {
    const file = fileOf(LEGACY);
    const { cassette, add } = await open(file, "all");
    for (const line of [INITIALIZE, REFUSED]) add(line);
    expect([cassette.close(), cassette.failed]).toEqual([false, 'was refused: "no key"']);
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual([
      `${LEGACY.join("\n")}\n`,
      ["a.jsonl"],
    ]);
    rmSync(file);
    const again = await open(file, "all");
    for (const line of [INITIALIZE, REFUSED]) again.add(line);
    expect([again.cassette.close(), again.cassette.failed, existsSync(file)]).toEqual([
      true,
      'was refused: "no key"',
      true,
    ]);
  });

  test("is left to whoever records it", async () => {
    const file = fileOf(FAILED);
    const { cassette } = await open(file, "once");
    await expect(open(file, "once")).rejects.toThrow("is being recorded by another");
    cassette.discard();
    const whole = fileOf(LEGACY);
    await expect(open(whole, "once")).rejects.toBeInstanceOf(VcrError);
    expect(readFileSync(whole, "utf8")).toBe(`${LEGACY.join("\n")}\n`);
  });
});
