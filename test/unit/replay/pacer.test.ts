import { expect, test } from "vitest";
import type { Action } from "../../../src/replay/action.ts";
import { Pacer } from "../../../src/replay/pacer.ts";
import { bytesOf, client, notice, request, result, server, tape, textsOf } from "../../cases/tape.ts";

const send = (on: string, text = "n", stream: "own" | "standalone" = "own"): Action => ({
  type: "send",
  bytes: bytesOf(text),
  on,
  stream,
});
const outcome = (on: string, after = 0): Action => ({ type: "outcome", bytes: bytesOf(`=${on}`), on, after });

/** A pacer whose pauses end when they are told to. */
function paced() {
  const done: Action[] = [];
  const pauses: { ms: number; then: () => void; off: boolean }[] = [];
  const pacer = new Pacer(
    (action) => done.push(action),
    (ms, then) => {
      const pause = { ms, then, off: false };
      pauses.push(pause);
      return () => {
        pause.off = true;
      };
    },
  );
  return { pacer, done, pauses, texts: () => textsOf(done.splice(0)) };
}

test("an outcome right after a notification of its exchange waits a moment, and what follows it waits too", () => {
  const { pacer, pauses, texts } = paced();
  for (const action of [send("1"), outcome("1", 3), send("1", "after"), outcome("2")]) pacer.act(action);
  expect(texts()).toEqual(["n", "=2"]);
  expect(pauses.map(({ ms }) => ms)).toEqual([3]);
  pauses[0]?.then();
  expect(texts()).toEqual(["=1", "after"]);
});

test.each([
  [0, 2],
  [5, 5],
  [5000, 10],
])("after %i ms in the recording the pause is %i ms", (after, ms) => {
  const { pacer, pauses } = paced();
  pacer.act(send("1"));
  pacer.act(outcome("1", after));
  expect(pauses[0]?.ms).toBe(ms);
});

test("nothing waits without a notification on its own stream", () => {
  const { pacer, texts } = paced();
  for (const action of [send("1", "n", "standalone"), outcome("1"), outcome("1")]) pacer.act(action);
  expect(texts()).toEqual(["n", "=1", "=1"]);
});

test("what is dropped is not sent, whatever the timer does", () => {
  const { pacer, pauses, texts } = paced();
  for (const action of [send("1"), outcome("1")]) pacer.act(action);
  pacer.drop("1");
  pacer.drop("77");
  expect(pauses[0]?.off).toBe(true);
  pacer.flush();
  expect(texts()).toEqual(["n"]);
});

test("a flush, and a crash, send what waits first", () => {
  const { pacer, done, pauses, texts } = paced();
  for (const action of [send("1"), outcome("1")]) pacer.act(action);
  pacer.flush();
  expect(texts()).toEqual(["n", "=1"]);
  expect(pauses[0]?.off).toBe(true);
  for (const action of [send("2"), outcome("2")]) pacer.act(action);
  pacer.act({ type: "crash", on: undefined, closed: { exit: 1 } });
  expect(done.map(({ type }) => type)).toEqual(["send", "outcome", "crash"]);
});

test("a timer may fire at once", () => {
  const done: Action[] = [];
  const pacer = new Pacer(
    (action) => done.push(action),
    (_ms, then) => {
      then();
      return () => undefined;
    },
  );
  for (const action of [send("1"), outcome("1"), send("1"), outcome("1")]) pacer.act(action);
  expect(textsOf(done)).toEqual(["n", "=1", "n", "=1"]);
});

test("the pause is as long as in the recording; a live cancellation within it wins", () => {
  const pauses: { ms: number; then: () => void }[] = [];
  const token = { _meta: { progressToken: 1 } };
  const progress = notice("notifications/progress", { progressToken: 1, progress: 1 });
  const live = tape([
    client(request(1, "a", token), { at: 1 }),
    server(progress, { at: 10 }),
    server(result(1, "ok"), { at: 16 }),
  ]).connect({
    timer: (ms, then) => {
      pauses.push({ ms, then });
      return () => undefined;
    },
  });
  expect(live.say(request(1, "a", token))).toEqual([progress]);
  expect(pauses[0]?.ms).toBe(6);
  live.say(notice("notifications/cancelled", { requestId: 1 }));
  live.session.flush();
  expect(live.actions()).toEqual([]);
});
