import { expect, test } from "vitest";
import { type FaultDo, VcrError } from "../../../src/index.ts";
import { conforming } from "../../cases/report-schema.ts";
import { LEGACY, tapeOf } from "./support.ts";

const CALL = { jsonrpc: "2.0", method: "tools/call", params: { name: "count", arguments: {} } } as const;
const DOWN = { faults: [{ on: { method: "tools/call", nth: 1 }, do: { error: { message: "down" } } }] };

/** The answer to a call in process. */
async function called(tape: Awaited<ReturnType<typeof tapeOf>>) {
  const transport = tape.transport();
  const answer = new Promise((resolve, reject) => {
    transport.onmessage = resolve;
    transport.onerror = reject;
    transport.onclose = () => resolve("closed");
  });
  await transport.start();
  await transport.send({ ...CALL, id: 7 });
  return answer;
}

test("a tape answers as a broken server would, and as a whole one after a reset of what it counted", async () => {
  const tape = await tapeOf(LEGACY, { faults: DOWN });
  expect(await called(tape)).toEqual({ jsonrpc: "2.0", id: 7, error: { code: -32603, message: "down" } });
  expect(tape.received).toMatchObject([{ id: 7, method: "tools/call" }]);
  expect(conforming(tape.report()).faults).toMatchObject([{ struck: 1 }]);
  tape.reset();
  expect(tape.report().faults).toMatchObject([{ struck: 0, at: [] }]);
  expect(await called(tape)).toMatchObject({ error: { message: "down" } });
});

const SHOWN: readonly (readonly [FaultDo, string | object])[] = [
  [{ close: "before" }, "closed"],
  [{ crash: 3 }, "closed"],
  [{ wrongId: "x" }, { id: "x" }],
];

test.each(SHOWN)("in process: %j", async (does, seen) => {
  const tape = await tapeOf(LEGACY, { faults: { faults: [{ on: { method: "tools/call" }, do: does }] } });
  const answer = await called(tape);
  if (typeof seen === "string") expect(answer).toBe(seen);
  else expect(answer).toMatchObject(seen);
});

test("in process garbage is the transport's error, and a delay takes its time", async () => {
  const garbage = await tapeOf(LEGACY, { faults: { faults: [{ do: { delay: "30ms", malformed: true } }] } });
  await expect(called(garbage)).rejects.toBeInstanceOf(SyntaxError);
});

test("over fetch: a status, and a connection that breaks before and in the middle of the answer", async () => {
  const each: readonly FaultDo[] = [{ status: 503 }, { close: "before" }, { close: "mid-stream" }];
  const faults = each.map((does, index) => ({
    on: { method: "initialize", nth: index + 1, across: "all" } as const,
    do: does,
  }));
  const tape = await tapeOf(LEGACY, { faults: { faults } });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "b", version: "1" } };
  const open = () =>
    tape.fetch("http://mock/mcp", {
      method: "POST",
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    });
  expect((await open()).status).toBe(503);
  await expect(open()).rejects.toThrow(/^fetch failed$/);
  const half = await open();
  expect(half.status).toBe(200);
  await expect(half.text()).rejects.toThrow();
  expect((await open()).ok).toBe(true);
});

test("what cannot be shown one way is refused that way alone", async () => {
  const tape = await tapeOf(LEGACY, { faults: "rate-limited" });
  expect(() => tape.transport()).toThrow(/status cannot be shown in process/);
  expect(() => tape.command).toThrow(/over stdio/);
  expect(await tape.url).toMatch(/^http/);
});

test("faults that are none are refused with their place", async () => {
  const wrong = tapeOf(LEGACY, { faults: { faults: [{ do: { hangs: true } as FaultDo }] } });
  await expect(wrong).rejects.toThrow(
    /the faults of the test:5:10: do has no "hangs" \(did you mean hang\?\)/,
  );
  await expect(tapeOf(LEGACY, { faults: "nowhere.yaml" })).rejects.toBeInstanceOf(VcrError);
});
