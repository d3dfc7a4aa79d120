import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tempFolder } from "./support/cassette.ts";
import { fixture, freePort, run, start } from "./support/program.ts";
import { verify } from "./support/verify.ts";
import { type Door, type Era, everyday, record } from "./support/walk.ts";

interface Recorded {
  readonly name: string;
  readonly command: readonly string[];
  readonly http?: { readonly path: string };
}

const { CASSETTES, ENV, FILES, prepareFiles } = (await import(fixture("cassettes.mjs"))) as {
  CASSETTES: readonly Recorded[];
  ENV: Readonly<Record<string, string>>;
  FILES: string;
  prepareFiles: () => void;
};

/** `verify` at the very server that was recorded: nothing is found. */

describe("a server that is the same", () => {
  const ALL = fixture("drives/everyday.yaml");
  const SOME = fixture("drives/verified.yaml");
  const DOORS: readonly { era: Era; door: Door; steps: string }[] = [
    { era: "legacy", door: "stdio", steps: ALL },
    { era: "modern", door: "json", steps: ALL },
    { era: "legacy", door: "http", steps: SOME },
    { era: "modern", door: "stdio", steps: SOME },
    { era: "legacy", door: "sse", steps: SOME },
  ];

  test.each(DOORS)("$era over $door: no difference", async ({ era, door, steps }) => {
    const file = join(tempFolder(), "everyday.yaml");
    const real = door === "stdio" ? undefined : start(everyday(era, door));
    const server = real ? [await real.url()] : everyday(era, door);
    const way = real ? { url: server[0] as string } : server;
    const drive = ["--drive", steps, "--era", era];
    expect(await run(record(file, way, ...drive))).toMatchObject({ code: 0 });
    const verified = await verify(file, server, "--yes");
    expect(verified).toMatchObject({ code: 0, stderr: "", verdict: "same", changes: [], withheld: [] });
    expect(verified.compared).toMatchObject({ tools: 21 });
  });
});

test("a server whose answers are longer than what a pipe holds: no difference", async () => {
  const folder = tempFolder();
  const [file, steps] = [join(folder, "long.jsonl"), join(folder, "steps.yaml")];
  const server = [fixture("servers/long-answers.mjs"), "300000"];
  const calls = ["north", "east", "south", "west"].map((name) => `  - call: ${name}\n`);
  writeFileSync(steps, `steps:\n${calls.join("")}`);
  expect(await run(record(file, server, "--drive", steps))).toMatchObject({ code: 0 });
  const verified = await verify(file, server, "--yes");
  expect(verified).toMatchObject({
    code: 0,
    stderr: "",
    verdict: "same",
    changes: [],
    withheld: [],
    notes: [],
  });
  expect(verified.compared).toMatchObject({ exchanges: 4 });
});

describe("the cassettes of this repository, at the servers they are of", () => {
  beforeEach(prepareFiles);
  afterEach(() => rmSync(FILES, { recursive: true, force: true }));

  test.each(CASSETTES)("$name: no difference", async ({ name, command, http }) => {
    const [, program = "", ...args] = command;
    const port = http && (await freePort());
    const real = http && start([program, ...args], { env: { PORT: String(port) } });
    await real?.complained("listening");
    const server = http ? [`http://127.0.0.1:${port}${http.path}`] : [program, ...args];
    const file = join(tempFolder(), name);
    cpSync(`cassettes/${name}`, file);
    const verified = await verify(file, { server, env: ENV }, "--yes", "--update");
    expect(verified).toMatchObject({ code: 0, verdict: "same", withheld: [], notes: [] });
    expect(verified.stderr).toBe(`mcp-vcr: ${file} is up to date\n`);
    expect(verified.compared.exchanges).toBeGreaterThan(6);
    // Over HTTP, what came on several streams may have come in another order.
    if (!http) expect(readFileSync(file, "utf8")).toBe(readFileSync(`cassettes/${name}`, "utf8"));
  });
});
