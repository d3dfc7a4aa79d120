import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { recordCall } from "./support/calls.ts";
import { tempFolder } from "./support/cassette.ts";
import { type Ended, run, start } from "./support/program.ts";
import { Talk } from "./support/talk.ts";
import { LISTEN, serve } from "./support/walk.ts";

/** Cassettes that cannot be served, and those that can in part. */

const CODECS = ["yaml", "jsonl"] as const;

describe("files that cannot be served end with exit code 3, the place and a hint", () => {
  const HEADER =
    "mcp-vcr: 1\nrecorded: 2026-11-30T09:00:00.000Z\nrecorder: x/1\nsource: { transport: stdio, command: [x] }\n";
  const entry = (id: number) =>
    `--- # client: ping\nat: ${id}\nfrom: client\nmessage:\n  jsonrpc: "2.0"\n  id: ${id}\n  method: ping\n`;
  const JSONL_HEADER =
    '{"mcp-vcr":1,"recorded":"2026-11-30T09:00:00.000Z","recorder":"x/1","source":{"transport":"stdio","command":["x"]}}\n';
  /** Longer than what is read before the first answer. */
  const LONG = Array.from({ length: 8000 }, (_, id) => entry(id)).join("");

  const ROWS: readonly { name: string; file: string; text?: string; says: RegExp }[] = [
    {
      name: "missing",
      file: "a.yaml",
      says: /a\.yaml: there is no such file\nRecord it: npx mcp-vcr record -o .*a\.yaml -- COMMAND; without a client, --drive auto before the --\.\n$/,
    },
    { name: "empty", file: "a.yaml", text: "", says: /a\.yaml(:1)?(:1)?: .+\n.+/ },
    { name: "not a cassette", file: "a.yaml", text: "hello: world\n", says: /a\.yaml:1(:1)?: .+\n.+/ },
    {
      name: "no YAML",
      file: "a.yaml",
      text: `${HEADER}--- # x\nat: 1\nfrom: client\nmessage: { a: [1, }\n...\n`,
      says: /a\.yaml:8(:\d+)?: .+/,
    },
    {
      name: "an unknown key",
      file: "a.yaml",
      text: `${HEADER}${entry(1)}form: x\n...\n`,
      says: /a\.yaml:12(:\d+)?: .*"form".*did you mean from.*\n/,
    },
    {
      name: "a newer format",
      file: "a.yaml",
      text: HEADER.replace("mcp-vcr: 1", "mcp-vcr: 2") + entry(1),
      says: /a\.yaml:1(:\d+)?: .*2.*\n.+/,
    },
    {
      name: "a newer format, .jsonl",
      file: "a.jsonl",
      text: JSONL_HEADER.replace('"mcp-vcr":1', '"mcp-vcr":2'),
      says: /a\.jsonl:1(:\d+)?: .*2.*\n.+/,
    },
    {
      name: "no JSON, further on than what is read at first, and nothing is asked",
      file: "a.jsonl",
      text: `${JSONL_HEADER}${'{"at":1,"from":"server","message":{"method":"n"}}\n'.repeat(400)}nope\n`,
      says: /a\.jsonl:402(:\d+)?: .+\n.+/,
    },
    {
      name: "no JSON",
      file: "a.jsonl",
      text: `${JSONL_HEADER}{"at":1,"from":"client",}\n`,
      says: /a\.jsonl:2(:\d+)?: .+\n.+/,
    },
  ];

  const serveBroken = async (row: (typeof ROWS)[number], ...flags: string[]): Promise<Ended> => {
    const folder = tempFolder();
    const file = join(folder, row.file);
    if (row.text !== undefined) writeFileSync(file, row.text);
    return run(serve(file, ...flags));
  };

  test.each(ROWS)("$name", async (row) => {
    for (const flags of [[], LISTEN]) {
      const { code, stdout, stderr } = await serveBroken(row, ...flags);
      expect({ code, stdout: stdout.toString() }).toEqual({ code: 3, stdout: "" });
      expect(stderr).toMatch(/^mcp-vcr: /);
      expect(stderr).toMatch(row.says);
      expect(stderr).not.toContain("    at ");
    }
  });

  test.each(["stdio", "http"])("broken far behind, over %s", async (door) => {
    const file = join(tempFolder(), "a.yaml");
    writeFileSync(file, `${HEADER}${LONG}--- # x\nat: never\nfrom: client\n...\n`);
    const program = start(serve(file, ...(door === "http" ? LISTEN : [])));
    // Over stdio the client is answered before the whole file is read, and is still there when the fault is met.
    if (door === "stdio") program.child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const { code, stderr } = await program.ended;
    expect(code).toBe(3);
    expect(stderr).toMatch(/^mcp-vcr: .*a\.yaml:56006(:\d+)?: .+\n$/);
  });

  test("a folder is no cassette", async () => {
    const folder = join(tempFolder(), "a.yaml");
    mkdirSync(folder);
    const { code, stderr } = await run(serve(folder));
    expect(code).toBe(3);
    expect(stderr).toContain(`mcp-vcr: ${folder}: `);
  });
});

test.each(CODECS)(
  "a cassette that was cut off is served, with a warning that names the place, .%s",
  async (codec) => {
    const file = join(tempFolder(), `cut.${codec}`);
    await recordCall(file, "a");
    const lines = readFileSync(file, "utf8").split("\n").length;
    truncateSync(file, statSync(file).size - 12);
    const program = start(serve(file));
    const talk = new Talk(program);
    await talk.initialize();
    expect((await talk.call("ask", { tag: "a" })).result.content[0].text).toBe('answer to {"tag":"a"}');
    const { code, stderr } = await program.finish();
    expect(code).toBe(0);
    const [, line] =
      /^mcp-vcr: .*cut\.\w+:(\d+): the last entry is cut off \(.+\) and left out\n$/.exec(stderr) ?? [];
    expect(Number(line)).toBeGreaterThan(lines - 8);
    expect(Number(line)).toBeLessThanOrEqual(lines);
  },
);
