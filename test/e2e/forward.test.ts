import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCassette, tempFolder } from "./support/cassette.ts";
import { freePort, NODE, start } from "./support/program.ts";
import {
  ask,
  type Client,
  clientTransport,
  type Door,
  everyday,
  type Heard,
  LISTEN,
  PATIENCE_MS,
  record,
  serve,
  type Target,
  walk,
  walkHearing,
} from "./support/walk.ts";

/**
 * A recording of part of what a client asks, served with the real server behind it: the client sees what the server
 * alone would have shown it, and from then on the cassette holds all of it.
 */

type Visit = (target: Target) => Promise<Heard>;

interface Ran extends Heard {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into reports freely
  readonly report: any;
}

/** The client that asked what a cassette of this repository holds. */
const asks =
  (name: string): Visit =>
  (target) =>
    ask(name, target);

/** Lets a client visit `serve` with these flags, over stdio or HTTP; both must end well. */
async function served(
  visit: Visit,
  { file, door, flags }: { file: string; door: Door; flags: readonly string[] },
): Promise<Ran> {
  const to = `${file}.report.json`;
  const serving = serve(file, "--report", to);
  const report = () => JSON.parse(readFileSync(to, "utf8"));
  if (door === "stdio") return { ...(await visit({ program: [...serving, ...flags] })), report: report() };
  const server = start([...serving, ...LISTEN, ...flags]);
  const { lines, stderr } = await visit({ url: await server.url(), transport: clientTransport(door) });
  expect(stderr).toBe("");
  const ended = await server.stop();
  expect(ended.code).toBe(0);
  return { lines, report: report(), stderr: ended.stderr };
}

/** Serves part of a recording with the server behind, then what has become of it alone. */
async function appendThenReplay(
  visit: Visit,
  { file, door, behind }: { file: string; door: Door; behind: readonly string[] },
) {
  const appended = await served(visit, { file, door, flags: ["--mode", "append", ...behind] });
  expect(appended.report).toMatchObject({ misses: [], repeats: [] });
  const { forwarded } = appended.report;
  expect(forwarded.length).toBeGreaterThan(0);
  expect(forwarded.filter(({ appended: kept }: { appended: boolean }) => !kept)).toEqual([]);
  expect(appended.stderr).toMatch(/is not recorded: asking the real server .*; its answers are appended\.\n/);
  expect(appended.stderr).toMatch(
    /requests were asked of the real server .*, \d+ appended to .*tape\.\w+\n$/,
  );
  expect((await readCassette(file)).truncated).toEqual([]);
  const replayed = await served(visit, { file, door, flags: ["--strict"] });
  expect(replayed.report).toMatchObject({
    misses: [],
    repeats: [],
    forwarded: [],
    differentAnswers: [],
    unused: [],
  });
  expect(replayed.stderr).toBe("");
  return { appended, replayed };
}

/** Nested requests, progress, log lines, cancellation, subscriptions, polls, pages, exact numbers, state. */
const SCENES =
  "cancel,elicit,sample,roots,plan,progress,log,subscribe,announce,poll,parallel,exact numbers,login,tools list".split(
    ",",
  );

interface Row {
  readonly name: string;
  readonly client: Client;
  /** How the real server is reached, and how the client comes. */
  readonly server: Door;
  readonly door: Door;
}

const ROWS: readonly Row[] = [
  { name: "SDK 1, all over stdio", client: { sdk: "1", era: "legacy" }, server: "stdio", door: "stdio" },
  {
    name: "SDK 2, modern, HTTP behind stdio",
    client: { sdk: "2", era: "modern" },
    server: "json",
    door: "stdio",
  },
  {
    name: "SDK 2, legacy, stdio behind HTTP",
    client: { sdk: "2", era: "legacy" },
    server: "stdio",
    door: "http",
  },
];

describe("the walk prints the same lines from part of a recording with the server behind, and then without it", () => {
  test.each(ROWS)("$name", { timeout: PATIENCE_MS }, async ({ client, server, door }) => {
    const file = join(tempFolder(), "tape.yaml");
    const whole: Visit = (target) => walkHearing({ ...client, only: SCENES }, target);
    const part = { ...client, only: ["poll", "login"] };
    const program = everyday(client.era, server);
    const expectSame = async (direct: Heard, behind: readonly string[]) => {
      const { appended, replayed } = await appendThenReplay(whole, { file, door, behind });
      expect(appended.lines).toBe(direct.lines);
      expect(replayed.lines).toBe(direct.lines);
    };
    if (server === "stdio") {
      await walk(part, { program: record(file, program) });
      await expectSame(await whole({ program }), ["--", NODE, ...program]);
      return;
    }
    const url = await start(program).url();
    const transport = clientTransport(server);
    const recorder = start(record(file, { url }));
    await walk(part, { url: await recorder.url(), transport });
    await recorder.stop();
    await expectSame(await whole({ url, transport }), ["--url", url]);
  });
});

/** The cassettes of this repository up to one exchange: what follows is still to be asked. */
function partOf(name: string, upTo: string): string {
  const file = join(tempFolder(), "tape.yaml");
  const text = readFileSync(`cassettes/${name}`, "utf8");
  const end = text.indexOf(`--- # client: ${upTo}\n`);
  expect(end).toBeGreaterThan(0);
  writeFileSync(file, `${text.slice(0, end)}...\n`);
  return file;
}

/** What the client was answered. When it is told of progress, and asked for its roots, is a matter of time. */
const answersIn = (lines: string) =>
  lines.split("\n").filter((line) => !/^(asked roots\/list|progress )/.test(line));

const bin = (name: string) => join("node_modules/.bin", `mcp-server-${name}`);

describe("published servers", () => {
  test("everything over stdio: progress, elicitation and sampling", { timeout: PATIENCE_MS }, async () => {
    const file = partOf("everything.yaml", "tools/call trigger-long-running-operation");
    const behind = ["--", NODE, bin("everything"), "stdio"];
    const { appended, replayed } = await appendThenReplay(asks("everything.yaml"), {
      file,
      door: "stdio",
      behind,
    });
    expect(answersIn(replayed.lines)).toEqual(answersIn(appended.lines));
    expect(appended.lines).toMatch(/^asked elicitation\/create\n(.*\n)*asked sampling\/createMessage\n/m);
  });

  test("everything over HTTP", { timeout: PATIENCE_MS }, async () => {
    const file = partOf("everything-http.yaml", "tools/call trigger-long-running-operation");
    const port = await freePort();
    const everything = start([bin("everything"), "streamableHttp"], { env: { PORT: String(port) } });
    await everything.complained(`${port}`);
    const behind = ["--url", `http://127.0.0.1:${port}/mcp`];
    const { appended, replayed } = await appendThenReplay(asks("everything-http.yaml"), {
      file,
      door: "http",
      behind,
    });
    expect(answersIn(replayed.lines)).toEqual(answersIn(appended.lines));
    expect(appended.lines).toMatch(/^asked elicitation\/create\n(.*\n)*asked sampling\/createMessage\n/m);
  });

  test("memory: all of its state, of which nothing was recorded", { timeout: PATIENCE_MS }, async () => {
    const file = partOf("memory.yaml", "tools/call read_graph");
    const env = ["env", `MEMORY_FILE_PATH=${join(tempFolder(), "memory.json")}`];
    const behind = ["--", ...env, NODE, bin("memory")];
    const { appended, replayed } = await appendThenReplay(asks("memory.yaml"), {
      file,
      door: "stdio",
      behind,
    });
    expect(replayed.lines).toBe(appended.lines);
    const graphs = [...appended.lines.matchAll(/"read_graph".*?"structuredContent":(.*)\}$/gm)];
    expect(graphs.map(([, graph]) => JSON.parse(graph as string).entities.length)).toEqual([0, 2, 1]);
  });
});
