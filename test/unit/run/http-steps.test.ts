import { expect, test } from "vitest";
import type { Seen } from "../../../src/run/entry-sink.ts";
import { HttpTap } from "../../../src/run/http-tap.ts";
import { Room } from "../../../src/wire/room.ts";

const POST = ["Host", "server.test", "Content-Type", "application/json"];
const ask = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{}}`;
const reply = (id: number, size: number): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"text":"${String(id).repeat(size)}"}}`;
const LARGE = 300_000;

/** A tap whose rests last until they are ended, and the bodies that it recorded. */
function bench(fails = false) {
  const bodies: string[] = [];
  const faults: unknown[] = [];
  const resting: (() => void)[] = [];
  const sink = {
    add: ({ raw }: Seen) => {
      if (fails && raw && raw.length > LARGE) throw new Error("disk full");
      bodies.push(Buffer.from(raw ?? []).toString());
    },
    fail: (error: unknown) => faults.push(error),
  };
  const tap = new HttpTap({
    upstream: new URL("http://server.test/mcp"),
    sink,
    room: new Room(),
    rest: () => new Promise((resolve) => resting.push(resolve)),
    defer: (start) => start(),
  });
  const exchange = (id: number, type: string, chunks: readonly string[]) => {
    const passing = tap.request({ method: "POST", path: "/mcp", headers: POST, connection: tap });
    passing?.requestBody(Buffer.from(ask(id)));
    passing?.requestEnd();
    passing?.response(200, ["Content-Type", type]);
    for (const chunk of chunks) passing?.responseBody(Buffer.from(chunk));
    passing?.responseEnd("end");
  };
  return { tap, bodies, faults, resting, exchange };
}

function halves(text: string): [string, string] {
  return [text.slice(0, 200_000), text.slice(200_000)];
}

test.each([
  ["application/json", (text: string) => halves(text)],
  ["text/event-stream", (text: string) => halves(`data: ${text}\n\n`)],
])("a large body as %s is recorded after a rest, and what comes meanwhile after it", async (type, sent) => {
  const { tap, bodies, resting, exchange } = bench();
  exchange(0, "application/json", [reply(0, 1)]);
  exchange(1, type, sent(reply(1, LARGE)));
  exchange(2, type, sent(reply(2, LARGE)));
  exchange(3, "application/json", [reply(3, 1)]);
  expect(bodies).toEqual([ask(0), reply(0, 1), ask(1)]);
  expect(resting).toHaveLength(1);
  resting.pop()?.();
  await expect.poll(() => resting).toHaveLength(1);
  expect(bodies).toEqual([ask(0), reply(0, 1), ask(1), reply(1, LARGE), ask(2)]);
  resting.pop()?.();
  await tap.settled();
  expect(bodies.slice(4)).toEqual([ask(2), reply(2, LARGE), ask(3), reply(3, 1)]);
});

test("where much waits already, nothing rests", async () => {
  const { tap, bodies, resting, exchange } = bench();
  exchange(1, "application/json", halves(reply(1, LARGE)));
  for (let id = 2; id < 100; id++) exchange(id, "application/json", [reply(id, 1)]);
  exchange(100, "application/json", halves(reply(100, LARGE)));
  for (let id = 101; id < 200; id++) exchange(id, "application/json", [reply(id, 1)]);
  resting.pop()?.();
  await tap.settled();
  expect(resting).toEqual([]);
  expect(bodies).toHaveLength(2 * 199);
  expect(bodies[199]).toBe(reply(100, LARGE));
});

test("a fault after a rest ends the recording", async () => {
  const { tap, faults, resting, exchange } = bench(true);
  exchange(1, "application/json", halves(reply(1, LARGE)));
  resting.pop()?.();
  await tap.settled();
  expect(faults).toEqual([new Error("disk full")]);
});
