import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import { Guestbook } from "../../cases/guestbook.ts";
import { client, notice, request, result, server } from "../../cases/tape.ts";

const META = { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } };
const poll = (id: number, answer: string): Entry[] => [
  client(request(id, "tools/call", { name: "poll", ...META })),
  server(result(id, answer)),
];
const RECORDED: readonly Entry[] = [
  client(request("probe", "server/discover", META)),
  server(result("probe", {})),
  ...poll(1, "working 1"),
  ...poll(2, "working 2"),
  ...poll(3, "done"),
];
/** A client that polls as it is recorded, and what it hears. */
const THREE = ["working 1", "working 2", "done"];

describe("modern clients", () => {
  test("of different names are each as if alone, over whatever connection and with whatever ids", () => {
    const door = new Guestbook(RECORDED);
    const one = {};
    const heard = [0, 1, 2].map((turn) =>
      ["a", "b", undefined].map((name) => door.poll({ name, id: turn, over: one })),
    );
    expect(heard).toEqual(THREE.map((answer) => [answer, answer, answer]));
  });

  test("that come one after the other are each as if alone", () => {
    const door = new Guestbook(RECORDED);
    for (const over of [{}, {}]) {
      door.discover({ name: "a", id: "probe", over });
      expect([0, 1, 2].map((id) => door.poll({ name: "a", id, over }))).toEqual(THREE);
      door.disconnected(over);
    }
  });

  test("that come one after the other over connections that others keep are told apart by their ids", () => {
    const door = new Guestbook(RECORDED);
    const over = {};
    for (let time = 0; time < 3; time++) {
      door.discover({ name: "a", id: "probe", over });
      expect([0, 1, 2].map((id) => door.poll({ name: "a", id, over }))).toEqual(THREE);
    }
  });

  test("of one name at once, whose ids tell nothing, hear nothing older than before", () => {
    const door = new Guestbook(RECORDED);
    for (const id of ["p", "q"]) door.discover({ name: "a", id, over: {} });
    const heard = [10, 20, 11, 21].map((id) => door.poll({ name: "a", id, over: {} }));
    expect(heard).toEqual(["working 1", "working 2", "done", "done"]);
  });

  test("that use one id for all, each time over a connection of its own, reach the end of polling", () => {
    const door = new Guestbook(RECORDED);
    const heard = THREE.map(() => {
      const over = {};
      const answer = door.poll({ name: "curl", id: 1, over });
      door.disconnected(over);
      return answer;
    });
    expect(heard).toEqual(THREE);
  });

  test("have asked too often when it is certain that one of them has, and not before (--strict)", () => {
    const door = new Guestbook(RECORDED, { strict: true });
    const over = {};
    const poll = (...ids: number[]) => ids.map((id) => door.poll({ name: "a", id, over }));
    door.discover({ name: "a", id: "probe", over });
    poll(1, 2, 3);
    door.discover({ name: "a", id: "probe", over });
    // Some of these are the second one's for certain, and the last three may be from either.
    poll(1, 2, 30, 31, 32);
    expect(door.misses).toBe(0);
    poll(3);
    expect(door.misses).toBe(0);
    poll(1);
    expect(door.misses).toBe(1);
  });
});

test("a client hears all that it listens for, and of clients that cannot be told apart each does", () => {
  const told = (method: string) =>
    notice(method, { _meta: { "io.modelcontextprotocol/subscriptionId": "l" } });
  const listen = request("l", "subscriptions/listen", META);
  const touch = request(5, "tools/call", { name: "touch", ...META });
  const door = new Guestbook([
    client(listen),
    server(told("notifications/subscriptions/acknowledged")),
    client(touch),
    server(told("notifications/resources/updated")),
    server(result(5, "touched")),
  ]);
  const [one, two, other] = ["a", "a", "b"].map((name) => door.open({ name, said: listen, over: {} }));
  for (const each of [one, two, other]) expect(each?.splice(0)).toHaveLength(1);
  door.open({ name: "a", said: touch, over: {} });
  expect([one, two, other].map((heard) => heard?.length)).toEqual([1, 1, 0]);
});
