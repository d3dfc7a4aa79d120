import { describe, expect, test } from "vitest";
import { type HttpLane, HttpLanes, type RequestSigns } from "../../../src/run/http-lanes.ts";

const socket = (): object => ({});
const post = (connection: object, ids: string[], more: Partial<RequestSigns> = {}): RequestSigns => ({
  connection,
  method: "POST",
  ids,
  ...more,
});
const initialize = (connection: object, id: string, clientInfo = '{"name":"a"}'): RequestSigns =>
  post(connection, [id], { initialize: id, clientInfo });
const get = (connection: object, more: Partial<RequestSigns> = {}): RequestSigns => ({
  connection,
  method: "GET",
  ids: [],
  ...more,
});

/** Takes a lane and lets the request succeed. */
function done(lanes: HttpLanes, signs: RequestSigns): HttpLane {
  const lane = lanes.take(signs);
  for (const id of signs.ids) lane.answered(id, false);
  return lane;
}

describe("with session ids", () => {
  test("each initialize opens a lane, and the id leads back to it over any connection", () => {
    const lanes = new HttpLanes();
    const shared = socket();
    const one = done(lanes, initialize(shared, "0"));
    lanes.nameSession(one, "s-1");
    const two = done(lanes, initialize(shared, "0"));
    lanes.nameSession(two, "s-2");
    expect([one.number, two.number]).toEqual([1, 2]);
    expect(lanes.take(post(shared, ["1"], { sessionId: "s-1" }))).toBe(one);
    expect(lanes.take(post(socket(), ["1"], { sessionId: "s-2" }))).toBe(two);
    expect(lanes.take(get(socket(), { sessionId: "s-2" }))).toBe(two);
  });

  test("an initialize that was refused is tried again in its lane", () => {
    const lanes = new HttpLanes();
    const first = lanes.take(initialize(socket(), "0"));
    first.release(["0"]);
    const again = done(lanes, initialize(socket(), "0"));
    expect(again).toBe(first);
    expect(done(lanes, initialize(socket(), "0"))).not.toBe(first);
  });

  test("a probe of the other era and the initialize after it are one client", () => {
    const lanes = new HttpLanes();
    const connection = socket();
    const clientInfo = '{"name":"a"}';
    const probe = lanes.take(post(connection, ['"probe"'], { clientInfo }));
    probe.answered('"probe"', true);
    expect(lanes.take(initialize(connection, "0"))).toBe(probe);
  });

  test("an unknown id goes by its connection, an ended one stays with its lane", () => {
    const lanes = new HttpLanes();
    const connection = socket();
    const one = done(lanes, initialize(connection, "0"));
    lanes.nameSession(one, "s-1");
    expect(lanes.take(post(connection, ["1"], { sessionId: "bad" }))).toBe(one);
    expect(lanes.ofSession("bad")).toBeUndefined();
    expect(lanes.take(post(socket(), ["2"], { sessionId: "bad" })).number).toBe(2);
  });

  test("the first lane that a session id was given to keeps it", () => {
    const lanes = new HttpLanes();
    const one = done(lanes, initialize(socket(), "0"));
    lanes.nameSession(one, "s");
    const two = done(lanes, initialize(socket(), "0"));
    lanes.nameSession(two, "s");
    expect(lanes.ofSession("s")).toBe(one);
  });

  test("equal ids at once in one session are told apart by the lane", () => {
    const lanes = new HttpLanes();
    const one = done(lanes, initialize(socket(), "0"));
    lanes.nameSession(one, "s");
    expect(lanes.take(post(socket(), ["7"], { sessionId: "s" }))).toBe(one);
    expect(lanes.take(post(socket(), ["7"], { sessionId: "s" }))).not.toBe(one);
    expect(lanes.take(post(socket(), ['"7"'], { sessionId: "s" }))).toBe(one);
  });
});

describe("the HTTP+SSE pair", () => {
  test("each stream is a lane, and its endpoint leads back to it", () => {
    const lanes = new HttpLanes();
    const [a, b, posts] = [socket(), socket(), socket()];
    const one = lanes.take(get(a));
    one.streams += 1;
    lanes.nameEndpoint(one, "/m?s=1");
    const two = lanes.take(get(b));
    two.streams += 1;
    lanes.nameEndpoint(two, "/m?s=2");
    expect([one.number, two.number]).toEqual([1, 2]);
    expect(lanes.take(post(posts, ["0"], { endpoint: "/m?s=1" }))).toBe(one);
    expect(lanes.take(post(posts, ["0"], { endpoint: "/m?s=2" }))).toBe(two);
  });

  test("a stream on a connection that posts for another client is a new lane", () => {
    const lanes = new HttpLanes();
    const one = lanes.take(get(socket()));
    one.streams += 1;
    lanes.nameEndpoint(one, "/m?s=1");
    const pooled = socket();
    done(lanes, post(pooled, ["0"], { endpoint: "/m?s=1" }));
    expect(lanes.take(get(pooled))).not.toBe(one);
  });

  test("the stream after an initialize that found nobody is the same client", () => {
    const lanes = new HttpLanes();
    const probe = lanes.take(initialize(socket(), "0"));
    probe.release(["0"]);
    expect(lanes.take(get(socket()))).toBe(probe);
  });
});

describe("without session ids", () => {
  const info = { clientInfo: '{"name":"a"}' };
  const other = { clientInfo: '{"name":"b"}' };

  test("one client on several connections stays in one lane", () => {
    const lanes = new HttpLanes();
    const a = lanes.take(post(socket(), ["0"], info));
    expect(lanes.take(post(socket(), ["1"], info))).toBe(a);
  });

  test("another name is another lane, on the same connection too", () => {
    const lanes = new HttpLanes();
    const shared = socket();
    const a = done(lanes, post(shared, ["0"], info));
    const b = done(lanes, post(shared, ["0"], other));
    expect(b).not.toBe(a);
    expect(done(lanes, post(shared, ["1"], info))).toBe(a);
  });

  test("no two outstanding requests in a lane have equal ids", () => {
    const lanes = new HttpLanes();
    const taken = Array.from({ length: 5 }, () => lanes.take(post(socket(), ["0"], info)));
    expect(taken.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    taken[2]?.answered("0", false);
    expect(lanes.take(post(socket(), ["0"], info))).toBe(taken[2]);
  });

  test("a request that says nothing of its client joins the lane used last", () => {
    const lanes = new HttpLanes();
    done(lanes, initialize(socket(), "0"));
    const second = done(lanes, initialize(socket(), "0", '{"name":"b"}'));
    expect(done(lanes, post(socket(), ["1"]))).toBe(second);
    expect(lanes.take(get(socket()))).toBe(second);
  });

  test("memory is bounded, and what is under way is not forgotten", () => {
    const lanes = new HttpLanes();
    const clientInfo = '{"name":"busy"}';
    const busy = lanes.take(post(socket(), ["0"], { clientInfo }));
    for (let n = 0; n < 10_500; n++) done(lanes, post(socket(), ["0"], { clientInfo: String(n) }));
    expect(lanes.take(post(socket(), ["1"], { clientInfo }))).toBe(busy);
    expect(lanes.take(post(socket(), ["1"], { clientInfo: "0" })).number).toBe(10_502);
  });
});

test("a lane knows which stream an event came on, for the latest events", () => {
  const lane = new HttpLanes().take(post(socket(), ["0"]));
  lane.sawEvent("e1", { id: "0" });
  for (let n = 0; n < 5000; n++) lane.sawEvent(`g${n}`, "get");
  expect(lane.streamOf("g4999")).toBe("get");
  expect(lane.streamOf("e1")).toBeUndefined();
});
