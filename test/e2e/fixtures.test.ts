import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";

/** The fixtures by themselves: what later tests compare against must be the same in every run. */

const fixture = (path: string) => fileURLToPath(new URL(`../fixtures/${path}`, import.meta.url));
const EVERYDAY = fixture("servers/everyday.mjs");
const WALK = fixture("clients/walk.mjs");
const PATIENCE_MS = 120_000;

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});

interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function run(args: string[]): Promise<Finished> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  running.push(child);
  const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  child.stdout.on("data", (chunk: Buffer) => chunks.stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.stderr.push(chunk));
  const [code] = (await once(child, "close")) as [number | null];
  return {
    code,
    stdout: Buffer.concat(chunks.stdout).toString(),
    stderr: Buffer.concat(chunks.stderr).toString(),
  };
}

/** Starts a server that prints `{"url":...}` when it listens. */
async function listen(args: string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  running.push(child);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return (JSON.parse(line) as { url: string }).url;
}

const COMBINATIONS = [
  { name: "SDK 1, legacy, stdio", client: ["--sdk", "1"], server: [] },
  { name: "SDK 1, legacy, HTTP with SSE", client: ["--sdk", "1"], server: ["--transport", "http"] },
  {
    name: "SDK 1, legacy, HTTP with JSON",
    client: ["--sdk", "1"],
    server: ["--transport", "http", "--json"],
  },
  { name: "SDK 1, legacy, HTTP+SSE pair", client: ["--sdk", "1"], server: ["--transport", "sse"] },
  { name: "SDK 2, legacy, stdio", client: ["--sdk", "2"], server: [] },
  { name: "SDK 2, legacy, HTTP with SSE", client: ["--sdk", "2"], server: ["--transport", "http"] },
  {
    name: "SDK 2, legacy, HTTP with JSON",
    client: ["--sdk", "2"],
    server: ["--transport", "http", "--json"],
  },
  { name: "SDK 2, legacy, HTTP+SSE pair", client: ["--sdk", "2"], server: ["--transport", "sse"] },
  { name: "SDK 2, modern, stdio", client: ["--sdk", "2", "--era", "modern"], server: ["--era", "modern"] },
  {
    name: "SDK 2, modern, HTTP with SSE",
    client: ["--sdk", "2", "--era", "modern"],
    server: ["--era", "modern", "--transport", "http"],
  },
  {
    name: "SDK 2, modern, HTTP with JSON",
    client: ["--sdk", "2", "--era", "modern"],
    server: ["--era", "modern", "--transport", "http", "--json"],
  },
];

/** What any transport prints in an era; the first combination of the era writes it. */
const printed = new Map<string, string>();

describe("the walk prints the same lines in every run and over every transport", () => {
  for (const { name, client, server } of COMBINATIONS) {
    test(name, { timeout: PATIENCE_MS }, async () => {
      const transport = server.includes("--transport") ? server[server.indexOf("--transport") + 1] : "stdio";
      const target =
        transport === "stdio"
          ? ["--", process.execPath, EVERYDAY, ...server]
          : ["--transport", String(transport), "--url", await listen([EVERYDAY, ...server])];

      const first = await run([WALK, ...client, ...target]);
      expect(first.stderr).toBe("");
      expect(first.code).toBe(0);
      const again = await run([WALK, ...client, "--ids", "offset:1000", "--order", "7", ...target]);
      expect(again).toEqual(first);

      const era = client.includes("modern") ? "modern" : "legacy";
      if (!printed.has(era)) printed.set(era, first.stdout);
      expect(first.stdout).toBe(printed.get(era));
      expect(first.stdout.split("\n").length).toBeGreaterThan(100);
    });
  }
});

test("the walk fails where the server is not what it expects", async () => {
  const server = ["--", process.execPath, fixture("servers/exits-with-code.mjs"), "5"];
  const { code, stdout, stderr } = await run([WALK, "--sdk", "1", ...server]);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).not.toBe("");
});

describe("numbers JavaScript cannot hold are on the wire as they were written", () => {
  const exact = '"big":9007199254740993,"one":1.0,"small":1e-7';
  for (const era of ["legacy", "modern"]) {
    test(`${era}, stdio`, async () => {
      const client = [fixture("clients/raw-stdio.mjs"), "--era", era];
      const { code, stdout } = await run([...client, "--", process.execPath, EVERYDAY, "--era", era]);
      expect(code).toBe(0);
      expect(stdout).toContain(exact);
    });
    for (const body of [[], ["--json"]]) {
      test(`${era}, HTTP ${body.join("")}`, async () => {
        const url = await listen([EVERYDAY, "--era", era, "--transport", "http", ...body]);
        const { code, stdout } = await run([fixture("clients/raw-http.mjs"), "--era", era, "--url", url]);
        expect(code).toBe(0);
        expect(stdout).toContain(exact);
      });
    }
  }
});
