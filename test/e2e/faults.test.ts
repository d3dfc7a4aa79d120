import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { FAULTS } from "../../src/faults/table.ts";
import type { Report } from "../../src/replay/report.ts";
import { conforming } from "../cases/report-schema.ts";
import { tempFolder } from "./support/cassette.ts";
import { cassetteOf, complaintsOf, faultsFile, outcomeOf } from "./support/faulty.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { NODE, run, start } from "./support/program.ts";
import { connect, type Way } from "./support/sdk.ts";
import { Talk } from "./support/talk.ts";
import { type Client, type Era, LISTEN, serve } from "./support/walk.ts";

/** Every fault as published clients see it of the built command: each is told what a real broken server would tell it. */

type LaneDoor = "stdio" | "http" | "sse";

interface Lane extends Client {
  readonly door: LaneDoor;
}

const LANES: readonly Lane[] = [
  { sdk: "1", era: "legacy", door: "stdio" },
  { sdk: "2", era: "legacy", door: "stdio" },
  { sdk: "2", era: "modern", door: "stdio" },
  { sdk: "1", era: "legacy", door: "http" },
  { sdk: "2", era: "legacy", door: "http" },
  { sdk: "2", era: "modern", door: "http" },
  { sdk: "1", era: "legacy", door: "sse" },
];

const nameOf = ({ sdk, era, door }: Lane) => `SDK ${sdk}, ${era}, ${door}`;

interface Row {
  /** Also the name of the tool that it strikes, the first time. */
  readonly name: string;
  readonly does: object;
  readonly patience?: number;
  readonly abortAfter?: number;
  readonly lanes?: (lane: Lane) => boolean;
  /** What becomes of the struck call. */
  readonly sees: RegExp | Readonly<Partial<Record<LaneDoor, RegExp>>>;
  /** Of the same call again. */
  readonly again?: RegExp;
  /** What clients are told besides: those of SDK 2 pass over some of it. */
  readonly complains?: RegExp;
}

const SHORT = 150;
const LATEST = { timeout: 10_000, interval: 20 };
const FINE = /^fine$/;
const LATE = /^timed out$/;
const NO_JSON = { stdio: LATE, sse: LATE, http: /JSON/ };
const onHttp = ({ door }: Lane) => door === "http";
const onStdio = ({ door }: Lane) => door === "stdio";
const overHttp = ({ door }: Lane) => door !== "stdio";
const inSession = ({ door, era }: Lane) => door === "http" && era === "legacy";
const STRANGER = /unknown message ID/;

const ROWS: readonly Row[] = [
  { name: "delay", does: { delay: "1s" }, patience: SHORT, sees: LATE },
  { name: "jitter", does: { jitter: "20ms" }, sees: FINE },
  { name: "hang", does: { hang: true }, patience: SHORT, sees: LATE },
  { name: "slow", does: { slow: { bytes: 16, every: "100ms" } }, patience: SHORT, sees: LATE },
  {
    name: "answerAfterCancel",
    does: { answerAfterCancel: true },
    abortAfter: SHORT,
    lanes: ({ era, door }) => era === "legacy" || door === "stdio",
    sees: /^given up$/,
    complains: STRANGER,
  },
  {
    name: "error",
    does: { error: { code: -32050, message: "down" } },
    sees: /^-32050 (MCP error -32050: )?down$/,
  },
  { name: "toolError", does: { toolError: "no such city" }, sees: /^tool error: no such city$/ },
  { name: "malformed", does: { malformed: true }, patience: SHORT, sees: NO_JSON },
  { name: "truncate", does: { truncate: true }, patience: SHORT, sees: NO_JSON },
  { name: "wrongId", does: { wrongId: 424242 }, patience: SHORT, sees: LATE, complains: STRANGER },
  { name: "duplicate", does: { duplicate: true }, sees: FINE, complains: STRANGER },
  { name: "oversized", does: { oversized: "1mb" }, sees: /^1048581 characters$/ },
  { name: "noise", does: { noise: "Server running on stdio" }, lanes: onStdio, sees: FINE },
  {
    name: "status",
    does: { status: { code: 503, body: "gone fishing" } },
    lanes: overHttp,
    sees: /gone fishing/,
  },
  { name: "close before", does: { close: "before" }, lanes: onHttp, sees: /^fetch failed$/ },
  { name: "close mid-stream", does: { close: "mid-stream" }, lanes: onHttp, sees: /^terminated$/ },
  { name: "close after", does: { close: "after" }, lanes: onHttp, sees: FINE },
  { name: "cut", does: { cut: { retry: "20ms" } }, lanes: inSession, sees: FINE },
  // From here on nothing more comes.
  {
    name: "sessionLost",
    does: { sessionLost: true },
    lanes: ({ era, door }) => door === "sse" || (era === "legacy" && door === "http"),
    sees: /Session not found/,
    again: /Session not found/,
  },
];

const NEVER = { on: { method: "tools/call", name: "nobody" }, do: { delay: "1s" } };

const rowsOf = (lane: Lane) => ROWS.filter(({ lanes }) => lanes?.(lane) !== false);
const laid = (rows: readonly Row[]) =>
  rows.map(({ name, does }) => ({ on: { method: "tools/call", name, nth: 1 }, do: does }));

interface Seen {
  readonly outcome: string;
  readonly again: string;
  readonly complaints: readonly string[];
}

/** Calls every tool of the lane twice, and answers what became of it. */
async function seen(lane: Lane, way: Way): Promise<Map<string, Seen>> {
  const sdk = await connect(lane, way);
  const complaints = complaintsOf(sdk);
  const all = new Map<string, Seen>();
  for (const { name, patience, abortAfter, complains } of rowsOf(lane)) {
    const outcome = await outcomeOf(sdk, name, { patience, abortAfter });
    const again = await outcomeOf(sdk, name);
    // What comes late may come on a connection of its own, and later than the answer to the next call.
    if (complains) await vi.waitUntil(() => complaints.length > 0, LATEST).catch(() => undefined);
    all.set(name, { outcome, again, complaints: complaints.splice(0) });
  }
  await sdk.client.close();
  return all;
}

function expectAll(lane: Lane, all: ReadonlyMap<string, Seen>): void {
  for (const { name, sees, again, complains } of rowsOf(lane)) {
    const found = all.get(name) as Seen;
    const wanted = sees instanceof RegExp ? sees : (sees[lane.door] ?? FINE);
    expect.soft(found.outcome, `${nameOf(lane)}: ${name}`).toMatch(wanted);
    expect.soft(found.again, `${nameOf(lane)}: ${name}, again`).toMatch(again ?? FINE);
    if (complains)
      expect.soft(found.complaints.join("\n"), `${nameOf(lane)}: ${name}, besides`).toMatch(complains);
  }
}

/** Over HTTP one server serves all clients of an era; faults are counted for each by itself. */
async function overHttpIn(era: Era): Promise<void> {
  const lanes = LANES.filter((lane) => lane.era === era && overHttp(lane));
  const rows = ROWS.filter((row) => lanes.some((lane) => rowsOf(lane).includes(row)));
  const report = join(tempFolder(), "report.json");
  const faults = faultsFile([...laid(rows), NEVER]);
  const file = cassetteOf(
    era,
    ROWS.map(({ name }) => name),
  );
  const server = start([...serve(file, "--faults", faults, "--report", report), ...LISTEN]);
  const url = await server.url();
  const ways = { http: url, sse: url.replace(/\/mcp$/, "/sse") };
  await Promise.all(
    lanes.map(async (lane) => {
      const door = lane.door === "sse" ? "sse" : "http";
      expectAll(lane, await seen(lane, { url: ways[door], transport: door }));
    }),
  );
  const { code, stderr } = await server.stop();
  expect(code).toBe(0);
  expect(stderr).toContain("never struck: every tools/call nobody: the answer comes 1s late");
  const written = conforming(JSON.parse(readFileSync(report, "utf8")) as Report);
  for (const [index, { name }] of rows.entries()) {
    const struck = lanes.filter((lane) => rowsOf(lane).some((row) => row.name === name)).length;
    const at = [{ label: `tools/call ${name}`, times: struck }];
    expect.soft(written.faults[index], `${era} report: ${name}`).toMatchObject({ struck, at });
  }
  expect(written.faults.at(-1)).toMatchObject({ struck: 0, at: [] });
}

const onlyStdio = (lane: Lane) => lane.door === "stdio";

async function overStdio(lane: Lane): Promise<void> {
  const rows = rowsOf(lane);
  const file = cassetteOf(
    lane.era,
    rows.map(({ name }) => name),
  );
  const command = [NODE, ...serve(file, "--faults", faultsFile(laid(rows)))];
  expectAll(lane, await seen(lane, { command }));
}

describe("faults, as clients see them", () => {
  test("over HTTP, 2025-11-25: Streamable HTTP and HTTP+SSE", () => overHttpIn("legacy"));
  test("over HTTP, 2026-07-28", () => overHttpIn("modern"));
  test("over stdio", () => Promise.all(LANES.filter(onlyStdio).map(overStdio)).then(() => undefined));

  test("every fault of the table is among them", () => {
    const shown = ROWS.map(({ does }) => `${Object.keys(does)[0]} ${Object.values(does)[0]}`);
    for (const { name, value } of FAULTS) {
      const isShown = shown.some((row) => row.startsWith(`${name} `) && row.includes(value ?? ""));
      expect(isShown || DEADLY.some(({ does }) => name in does), name).toBe(true);
    }
  });
});

/** What ends a server over stdio: what its client sees, what it wrote, and how it ended. */
const DEADLY = [
  { does: { close: "before" }, sees: /^connection closed$/, stdout: /^$/, code: 0 },
  {
    does: { close: "mid-stream" },
    sees: /^connection closed$/,
    stdout: /^\{"jsonrpc":"2.0","id":1,"result":\{"con$/,
    code: 0,
  },
  { does: { close: "after" }, sees: FINE, stdout: /"fine"\}\]\}\}\n$/, code: 0 },
  { does: { crash: 7 }, sees: /^connection closed$/, stdout: /^$/, code: 7 },
] as const;

describe("what ends the server", () => {
  const CALL = { name: "t", arguments: {} };

  test.each(DEADLY)("over stdio: $does", async ({ does, sees, stdout, code }) => {
    const file = cassetteOf("legacy", ["t"]);
    const args = serve(file, "--faults", faultsFile([{ on: { method: "tools/call" }, do: does }]));
    const clients = [LANES[0], LANES[1]].map(async (lane) => {
      const sdk = await connect(lane as Lane, { command: [NODE, ...args] });
      const outcome = await outcomeOf(sdk, "t");
      await sdk.client.close();
      return outcome;
    });
    const program = start(args);
    const talk = new Talk(program);
    await talk.initialize();
    const before = program.stdout.length;
    talk.raw(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: CALL })}\n`);
    const ended = await program.ended;
    expect(ended.stdout.subarray(before).toString()).toMatch(stdout);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: "" });
    for (const outcome of await Promise.all(clients)) expect(outcome).toMatch(sees);
  });

  test("over HTTP a crash takes every client along", async () => {
    const file = cassetteOf("legacy", ["t", "hang"]);
    const faults = faultsFile([
      { on: { method: "tools/call", name: "hang" }, do: { hang: true } },
      { on: { method: "tools/call", name: "t" }, do: { crash: 7 } },
    ]);
    const server = start([...serve(file, "--faults", faults), ...LISTEN]);
    const url = await server.url();
    const [waiting, calling] = await Promise.all([
      connect(LANES[3] as Lane, { url }),
      connect(LANES[4] as Lane, { url }),
    ]);
    const hung = outcomeOf(waiting, "hang");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await outcomeOf(calling, "t")).toBe("fetch failed");
    expect(await hung).toMatch(/fetch failed|terminated/);
    expect(await server.ended).toMatchObject({ code: 7, stderr: "" });
    await Promise.all([waiting.client.close(), calling.client.close()]);
  });
});

test("a connection that closes after its answer takes no other one along", async () => {
  const faults = faultsFile([
    { on: { method: "tools/call", name: "late" }, do: { cut: { retry: "20ms" } } },
    { on: { method: "tools/call", name: "t" }, do: { close: "after" } },
  ]);
  const server = start([...serve(cassetteOf("legacy", ["t", "late"]), "--faults", faults), ...LISTEN]);
  const url = await server.url();
  const talk = new HttpTalk(url);
  const session = (await talk.initialize()).headers.get("mcp-session-id") ?? "";
  const params = (name: string) => ({ name, arguments: {} });
  const late = await talk.post({ jsonrpc: "2.0", id: 1, method: "tools/call", params: params("late") });
  const closed = await talk.post({ jsonrpc: "2.0", id: 2, method: "tools/call", params: params("t") });
  expect([closed.headers.get("connection"), closed.messages]).toMatchObject([
    "close",
    [{ id: 2, result: {} }],
  ]);
  const lastEventId = /^id: ?(.+)$/m.exec(late.text)?.[1] ?? "";
  const headers = { accept: "text/event-stream", "mcp-session-id": session, "last-event-id": lastEventId };
  expect(await (await fetch(url, { headers })).text()).toContain("fine");
  await server.stop();
});

test("HTTP statuses come with their headers", async () => {
  const faults = faultsFile([
    { on: { method: "tools/call", nth: 1 }, do: { status: 401 } },
    { on: { method: "tools/call", nth: 2 }, do: { delay: "20ms", status: { code: 429, retryAfter: 2 } } },
  ]);
  const server = start([...serve(cassetteOf("legacy", ["t"]), "--faults", faults), ...LISTEN]);
  const talk = new HttpTalk(await server.url());
  await talk.initialize();
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t", arguments: {} } };
  const unauthorized = await talk.post(call);
  expect([unauthorized.status, unauthorized.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringContaining('Bearer error="invalid_token"'),
  ]);
  const limited = await talk.post(call);
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "2"]);
  expect((await talk.post(call)).messages).toMatchObject([{ result: { content: [{ text: "fine" }] } }]);
  await server.stop();
});

describe("before anything is served", () => {
  const file = () => cassetteOf("legacy", ["t", "t", "t"]);
  const dry = (faults: string, ...more: string[]) =>
    run(serve(file(), "--faults", faults, "--dry-run", ...more));

  test("a dry run says what would be struck, and what never", async () => {
    const faults = faultsFile([
      { on: { method: "tools/call", nth: 2 }, do: { hang: true } },
      { on: { method: "tools/list" }, do: { hang: true } },
    ]);
    const { code, stdout, stderr } = await dry(faults);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout.toString().replaceAll(faults, "faults.yaml")).toBe(
      [
        "faults.yaml:1:57  the 2nd tools/call: the answer never comes",
        '  would strike tools/call t {"name":"t","arguments":{}}',
        "faults.yaml:1:107  every tools/list: the answer never comes",
        "  would never strike: 0 recorded requests are meant",
        "",
      ].join("\n"),
    );
  });

  test("what cannot be shown there is told of, with what can", async () => {
    const { code, stderr } = await dry(faultsFile([{ do: { status: 503 } }]));
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /faults\.yaml:1:20: status cannot be shown over stdio: there are no HTTP statuses\n/,
    );
    expect(stderr).toMatch(/Possible instead: error, or close: before\.\n/);
    const cut = await run([
      ...serve(cassetteOf("modern", ["t"]), "--faults", faultsFile([{ do: { cut: true } }])),
      ...LISTEN,
    ]);
    expect(cut.code).toBe(2);
    expect(cut.stderr).toContain("cut cannot be shown over HTTP in the 2026-07-28 revision");
  });

  test("a file that is wrong ends with exit code 3, and a name that is none too", async () => {
    const wrong = await dry(faultsFile([{ do: { hangs: true } }]));
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toMatch(/faults\.yaml:1:20: do has no "hangs" \(did you mean hang\?\)/);
    const missing = await dry("flakey");
    expect(missing.code).toBe(3);
    expect(missing.stderr).toMatch(/flakey: there is no such file \(did you mean flaky\?\)/);
  });
});
