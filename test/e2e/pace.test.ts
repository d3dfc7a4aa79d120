import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Report } from "../../src/replay/report.ts";
import { conforming } from "../cases/report-schema.ts";
import { tempFolder } from "./support/cassette.ts";
import { HttpTalk } from "./support/http-talk.ts";
import { leftBehind, NODE, run, start } from "./support/program.ts";
import { connect } from "./support/sdk.ts";
import { INITIALIZE, Talk } from "./support/talk.ts";
import { everyday, LISTEN, record, serve } from "./support/walk.ts";

/** A recording in which one answer took an hour. */
function slowTape(): string {
  const file = join(tempFolder(), "slow.jsonl");
  const call = (id: number, name: string) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: {} },
  });
  const answer = (id: number, value: object) => ({ jsonrpc: "2.0", id, result: value });
  const entries = [
    { at: 1, from: "client", message: { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE } },
    { at: 2, from: "server", message: answer(1, { protocolVersion: "2025-11-25", capabilities: {} }) },
    { at: 10, from: "client", message: call(2, "slow") },
    { at: 3_600_010, from: "server", message: answer(2, { content: [] }) },
    { at: 3_600_020, from: "client", message: call(3, "quick") },
    { at: 3_600_021, from: "server", message: answer(3, { content: [] }) },
  ];
  const source = { transport: "stdio", command: ["node", "slow.js"] };
  const header = { "mcp-vcr": 1, recorded: "2026-11-30T09:00:00.000Z", recorder: "mcp-vcr/0.1.0", source };
  writeFileSync(file, [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

const ask = (id: number, name: string) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: {} } })}\n`;

test("what waits for its time delays nothing else, and comes at once at the end of stdin", async () => {
  const talk = new Talk(start(serve(slowTape(), "--pace", "recorded")));
  talk.raw(ask(8, "slow"));
  expect(await talk.call("quick")).toMatchObject({ result: { content: [] } });
  const { code, stdout, stderr } = await talk.program.finish();
  expect(
    stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 8]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("whoever is asked to end does not wait for it", async () => {
  const talk = new Talk(start(serve(slowTape(), "--pace", "recorded")));
  talk.raw(ask(8, "slow"));
  await talk.call("quick");
  const { code, stdout } = await talk.program.stop();
  expect(code).toBe(0);
  expect(stdout.toString()).not.toContain('"id":8');
  expect(leftBehind(talk.program)).toEqual([]);
});

test("over HTTP too; a pace so fast that an hour is nothing, and a cap, bring it", async () => {
  const mock = start(serve(slowTape(), "--pace", "recorded", ...LISTEN));
  const talk = new HttpTalk(await mock.url());
  await talk.initialize();
  const slow = talk.call("slow").catch(() => "broken off");
  expect((await talk.call("quick")).result).toEqual({ content: [] });
  expect(await mock.stop()).toMatchObject({ code: 0, stderr: "" });
  expect(await slow).toBe("broken off");
  for (const pace of ["1000000x", "recorded,max=20ms"]) {
    const fast = new Talk(start(serve(slowTape(), "--pace", pace)));
    expect((await fast.call("slow")).result).toEqual({ content: [] });
    await fast.program.finish();
  }
});

test("what is no pace is refused, with what is one", async () => {
  const { code, stderr } = await run(serve(slowTape(), "--pace", "fast"));
  expect(code).toBe(2);
  expect(stderr).toContain("--pace fast: not a pace");
  expect(stderr).toContain("recorded,max=5s");
});

test("a client that starts the server twice, to ask first, leaves the report of the session proper", async () => {
  const folder = tempFolder();
  const [file, report] = [join(folder, "twice.yaml"), join(folder, "report.json")];
  const session = async (program: readonly string[]) => {
    const command = [NODE, ...program];
    const sdk = await connect({ sdk: "2", era: "modern" }, { command }, { siblingProbe: true });
    const { content } = await sdk.request("tools/call", { name: "echo", arguments: { text: "hello" } });
    await sdk.client.close();
    return content;
  };
  const recorded = await session(record(file, everyday("modern", "stdio")));
  expect(await session(serve(file, "--report", report))).toEqual(recorded);
  const { sessions, misses, unused } = conforming(JSON.parse(readFileSync(report, "utf8")) as Report);
  expect({ sessions, misses, unused }).toEqual({ sessions: 1, misses: [], unused: [] });
});
