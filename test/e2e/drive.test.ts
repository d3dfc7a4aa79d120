import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bodiesOf, readCassette, tempFolder } from "./support/cassette.ts";
import { type Driven, drive, driveReplay } from "./support/drive.ts";
import { CLI, fixture, leftBehind, run, start } from "./support/program.ts";
import { type Door, type Era, everyday, record } from "./support/walk.ts";

/** The recorder as the client: what it drives at a server it can drive at the replay, and the same is said. */

const EVERYDAY = fixture("drives/everyday.yaml");
const bin = (name: string) => fixture(`../../node_modules/.bin/mcp-server-${name}`);
const server = (name: string, ...args: string[]) => [fixture(`servers/${name}.mjs`), ...args];

/** So that the mock is asked as the server was: a cassette answers in either era. */
const LEGACY = ["--era", "legacy"];

describe("a drive file, at the everyday server", () => {
  const ROWS: readonly { era: Era; door: Door; flags?: string[] }[] = [
    { era: "legacy", door: "stdio", flags: LEGACY },
    { era: "legacy", door: "http", flags: LEGACY },
    { era: "legacy", door: "sse", flags: LEGACY },
    { era: "modern", door: "stdio", flags: ["--era", "modern"] },
    // Answers that are alone as JSON, the others as events.
    { era: "modern", door: "json" },
  ];

  test.each(ROWS)("$era over $door", async ({ era, door, ...more }) => {
    const of = { file: join(tempFolder(), "drive.jsonl"), drive: EVERYDAY, ...more };
    const real = door === "stdio" ? undefined : start(everyday(era, door));
    const target: Driven = real ? { url: await real.url() } : everyday(era, door);
    const recorded = await drive(of, target);
    await real?.stop();
    expect(recorded.stderr).not.toContain("failed");
    expect(recorded).toMatchObject({ code: 0 });
    expect(recorded.stdout.toString()).toBe("");

    const said = bodiesOf((await readCassette(of.file)).entries, "server").join("\n");
    for (const text of [
      "Hello",
      "You said: decline",
      "Ada goes to Oslo: An umbrella (1 roots)",
      "done badly",
    ]) {
      expect(said).toContain(text);
    }
    expect(said).toContain("notifications/resources/updated");
    expect(said.match(/notifications\/progress/g)).toHaveLength(4);
    expect(await driveReplay(of, door === "stdio" ? "stdio" : "http")).toMatchObject({ code: 0 });
  });
});

test("credentials that a server over HTTP demands are sent, and not recorded", async () => {
  const real = start(everyday("legacy", "json"));
  const upstream = new URL(await real.url());
  const gate = createServer((request, response) => {
    if (request.headers.authorization !== "Bearer s3cret-s3cret") return response.writeHead(401).end();
    const { method, url, headers } = request;
    const passed = httpRequest(new URL(url ?? "", upstream), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    return request.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(gate, "listening");
  const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}${upstream.pathname}`;
  const of = { file: join(tempFolder(), "gated.yaml"), drive: "auto" };
  expect(await drive(of, { url })).toMatchObject({ code: 4 });
  const flags = ["--header", "Authorization: Bearer s3cret-s3cret"];
  const driven = await drive({ ...of, flags }, { url });
  gate.close();
  gate.closeAllConnections();
  await real.stop();
  expect(driven).toMatchObject({ code: 0 });
  const text = readFileSync(of.file, "utf8");
  expect(text).toContain("tools/list");
  expect(text).not.toContain("s3cret");
  // The server did not know the question which era it speaks.
  expect(text).not.toContain("server/discover");
});

describe("--drive auto", () => {
  test("at a file server", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "files"));
    writeFileSync(join(folder, "files/notes.md"), "# Notes\n");
    const of = { file: join(folder, "filesystem.yaml"), drive: "auto", flags: LEGACY };
    const { code, stderr } = await drive(of, [bin("filesystem"), join(folder, "files")]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("1 page, 14 tools") });
    expect(stderr).toMatch(/left out: tools\/call .*read_text_file.*: needs path/);
    expect(stderr).toContain("left out: resources/list: the server does not declare resources");
    const asked = bodiesOf((await readCassette(of.file)).entries, "client").join("\n");
    expect(asked).toContain('"name":"list_allowed_directories"');
    expect(asked).not.toContain("write_file");
    expect(await driveReplay(of, "stdio")).toMatchObject({ code: 0 });
  });

  test("at a memory server, which is found as it was left", async () => {
    const folder = tempFolder();
    const of = { file: join(folder, "memory.yaml"), drive: "auto", flags: LEGACY };
    const env = { MEMORY_FILE_PATH: join(folder, "memory.json") };
    expect(await drive(of, [bin("memory")], { env })).toMatchObject({ code: 0 });
    expect(existsSync(env.MEMORY_FILE_PATH)).toBe(false);
    expect(await driveReplay(of, "stdio")).toMatchObject({ code: 0 });
  });

  test("at a modern server, all pages of it", async () => {
    const of = { file: join(tempFolder(), "everyday.yaml"), drive: "auto" };
    const { stderr } = await drive(of, everyday("modern", "stdio"));
    expect(stderr).toContain("3 pages, 21 tools");
    expect(stderr).toContain("2 pages, 3 templates");
    const asked = bodiesOf((await readCassette(of.file)).entries, "client").join("\n");
    expect(asked.match(/"method":"resources\/read"/g)).toHaveLength(7);
    expect(await driveReplay(of, "stdio")).toMatchObject({ code: 0 });
  });
});

describe("what goes wrong", () => {
  const write = (folder: string, text: string) => {
    const file = join(folder, "calls.yaml");
    writeFileSync(file, text);
    return file;
  };

  test("a drive file with a mistake: exit code 2, the place, and nothing is started", async () => {
    const folder = tempFolder();
    const file = write(folder, "- list: tools\n- cal: forecast\n");
    const { code, stderr } = await drive({ file: join(folder, "a.yaml"), drive: file }, server("weather"));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${file}:2:3: a step has no "cal" (did you mean call?)`),
    });
    expect(readdirSync(folder)).toEqual(["calls.yaml"]);
  });

  test.each([
    ["a drive file that is not there", ["--drive", "nowhere.yaml"], "or auto to walk discovery"],
    ["--era without a drive", ["--era", "legacy"], "--era goes with --drive"],
    ["--header without a drive", ["--header", "a: b"], "--header goes with --drive"],
    ["--header over stdio", ["--drive", "auto", "--header", "a: b"], "--header goes with --url"],
    ["a header that is none", ["--drive", "auto", "--header", "a b"], "Give NAME: VALUE"],
    ["an era that is none", ["--drive", "auto", "--era", "old"], "legacy, modern"],
  ])("%s: exit code 2", async (_name, flags, says) => {
    const cwd = tempFolder();
    const { code, stderr } = await run([CLI, "record", ...flags, "--", "node", "x.js"], { cwd });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test("--listen, which is for clients: exit code 2", async () => {
    const url = { url: "http://127.0.0.1:9/mcp" };
    const { code, stderr } = await drive({ file: "a.yaml", drive: "auto", flags: ["--listen", "0"] }, url);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("with --drive the recorder is"),
    });
  });

  test("an expectation that is not met: exit code 1, with the step's place, and all is recorded", async () => {
    const folder = tempFolder();
    const drives = write(
      folder,
      "- call: forecast\n  arguments: { city: Atlantis }\n  expect: result\n- auto\n",
    );
    const of = { file: join(folder, "a.yaml"), drive: drives };
    const { code, stderr } = await drive(of, server("weather"));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(
        `failed: ${drives}:1: call forecast: expected a result, got tool error: no such city: Atlantis`,
      ),
    });
    expect(readFileSync(of.file, "utf8")).toContain("# client: resources/read weather://stations");
  });

  test.each([
    ["cannot be started", ["-e", "0", "--", "x"], "the server ended with exit code 0"],
    ["cannot be reached", { url: "http://127.0.0.1:9/mcp" }, "connection refused"],
    ["speaks the other era", server("weather"), "-32022"],
  ] as const)("a server that %s: exit code 4, and no cassette", async (_name, target, says) => {
    const folder = tempFolder();
    const of = { file: join(folder, "a.yaml"), drive: "auto", flags: ["--era", "legacy"] };
    const { code, stderr } = await drive(of, target);
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(says) });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("a server that dies on the way: exit code 4, and the recording holds what it said", async () => {
    const folder = tempFolder();
    const drives = write(folder, "- list: tools\n- call: crash\n- list: tools\n");
    const of = { file: join(folder, "a.yaml"), drive: drives };
    const { code, stderr } = await drive(of, server("crashes-mid-answer"));
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining("not driven to its end: the server ended with exit code 7"),
    });
    expect((await readCassette(of.file)).entries.at(-1)?.closed).toEqual({ exit: 7 });
  });

  test("a server that does not end with its stdin is ended", async () => {
    const of = { file: join(tempFolder(), "a.yaml"), drive: "auto" };
    const recorder = start(record(of.file, server("ignores-eof"), "--drive", "auto"));
    const { code, stderr } = await recorder.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("ignores-eof: SIGTERM") });
    expect(leftBehind(recorder)).toEqual([]);
  });

  test("a drive that is interrupted: exit code 1, and a complete cassette", async () => {
    const folder = tempFolder();
    const drives = write(folder, "- list: tools\n- wait: 60m\n- list: tools\n");
    const file = join(folder, "a.yaml");
    const recorder = start(record(file, server("weather"), "--drive", drives));
    await recorder.complained("tools/list");
    const { code, stderr } = await recorder.stop("SIGINT");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("not driven to its end: interrupted"),
    });
    expect((await readCassette(file)).truncated).toEqual([]);
    expect(leftBehind(recorder)).toEqual([]);
  });
});
