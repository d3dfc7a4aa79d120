import { expect, test } from "vitest";
import { SseFramer } from "../../../src/wire/sse-framer.ts";
import { bytesOf, eventsOf, textOf } from "../../cases/framing.ts";

type Seen = { name?: string; id?: string; retry?: number; data: string | undefined };

function read(...chunks: string[]): { events: Seen[]; cutOff: boolean } {
  const { events, cutOff } = eventsOf(chunks.map(bytesOf));
  return {
    events: events.map((event) => ({ ...event, data: event.data && textOf(event.data) }) as Seen),
    cutOff,
  };
}

test.each<[string, string, Seen[]]>([
  ["data", "data: x\n\n", [{ data: "x" }]],
  ["no space after the colon", "data:x\n\n", [{ data: "x" }]],
  ["only one space is dropped", "data:  x\n\n", [{ data: " x" }]],
  ["data lines are joined", "data: a\ndata\ndata: b\n\n", [{ data: "a\n\nb" }]],
  ["a colon in data", "data: a:b\n\n", [{ data: "a:b" }]],
  [
    "every field",
    "event: message\nid: 7\nretry: 250\ndata: {}\n\n",
    [{ name: "message", id: "7", retry: 250, data: "{}" }],
  ],
  ["CR", "data: a\r\rdata: b\r\r", [{ data: "a" }, { data: "b" }]],
  ["CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", [{ data: "a" }, { data: "b" }]],
  ["endings mixed", "data: a\r\ndata: b\rdata: c\n\r\n", [{ data: "a\nb\nc" }]],
  ["BOM at the start", "\ufeffdata: a\n\n", [{ data: "a" }]],
  ["BOM elsewhere names no field", "data: a\n\n\ufeffdata: b\n\n", [{ data: "a" }]],
  ["comments", ": keepalive\n\n:\n\ndata: a\n: between\n\n", [{ data: "a" }]],
  ["unknown fields", "colour: red\n\nDATA: x\n\ndat: y\n\n", []],
  ["a priming event, with empty data", "id: x\ndata:\n\n", [{ id: "x", data: "" }]],
  ["data without colon is empty data", "data\n\n", [{ data: "" }]],
  ["an id alone is told", "id: x\n\n", [{ id: "x", data: undefined }]],
  ["a retry alone is told", "retry: 10\n\n", [{ retry: 10, data: undefined }]],
  ["an empty id resets", "id\ndata: a\n\n", [{ id: "", data: "a" }]],
  ["an id with NUL is ignored", "id: a\0b\ndata: a\n\n", [{ data: "a" }]],
  ["a retry of other than digits is ignored", "retry: 1e3\nretry: -1\nretry:\ndata: a\n\n", [{ data: "a" }]],
  [
    "the last id and name count",
    "id: 1\nid: 2\nevent: a\nevent: b\n\n",
    [{ name: "b", id: "2", data: undefined }],
  ],
  ["an empty name is none", "event: a\nevent:\ndata: x\n\n", [{ data: "x" }]],
  ["blank lines between", "\n\n\ndata: a\n\n\n\ndata: b\n\n", [{ data: "a" }, { data: "b" }]],
  [
    "a name does not stay for the next event",
    "event: a\ndata: 1\n\ndata: 2\n\n",
    [{ name: "a", data: "1" }, { data: "2" }],
  ],
])("%s", (_name, stream, events) => {
  expect(read(stream)).toEqual({ events, cutOff: false });
  expect(read(...stream)).toEqual({ events, cutOff: false });
});

test.each<[string, boolean]>([
  ["data: a\n\ndata: b\n", true],
  ["data: a\n\nda", true],
  ["data: a\n\nid: 1", true],
  ["data: a\n\n", false],
  ["data: a\n\n: keepal", false],
  ["", false],
])("%j cut off: %s", (stream, cutOff) => {
  expect(read(stream).cutOff).toBe(cutOff);
});

test("an LF in the next chunk belongs to the CR before it, any other byte does not", () => {
  expect(read("data: a\r", "\n", "data: b\r", "\n\r", "\n").events).toEqual([{ data: "a\nb" }]);
  expect(read("data: a\r", "", "\n\n").events).toEqual([{ data: "a" }]);
  expect(read("data: a\r", "data: b\r", "\r").events).toEqual([{ data: "a\nb" }]);
});

test("an event ends with the CR, without waiting for what follows", () => {
  const seen: unknown[] = [];
  new SseFramer().push(bytesOf("data: a\r\r"), (event) => seen.push(event));
  expect(seen).toHaveLength(1);
});

test("one data line within one chunk is a view of it", () => {
  const chunk = bytesOf("data: hello\n\n");
  const views: (Uint8Array | undefined)[] = [];
  new SseFramer().push(chunk, ({ data }) => views.push(data));
  expect(views[0]?.buffer).toBe(chunk.buffer);
});

test("data that is no UTF-8 passes unchanged", () => {
  const [event] = eventsOf([bytesOf("data: "), Uint8Array.of(0xff, 0xc3), bytesOf("\n\n")]).events;
  expect(event?.data).toEqual(Uint8Array.of(0xff, 0xc3));
});

test("is as new after the end", () => {
  const framer = new SseFramer();
  const seen: unknown[] = [];
  framer.push(bytesOf("id: 1\ndata: lost"), (event) => seen.push(event));
  expect(framer.end()).toBe(true);
  framer.push(bytesOf("\ufeffdata: a\n\n"), ({ data }) => seen.push(data && textOf(data)));
  expect([framer.end(), seen]).toEqual([false, ["a"]]);
});

test("20 MB of data in 64 KB chunks comes whole, on one line and on many", () => {
  const long = new Uint8Array(65_536).fill(0x78);
  const one = eventsOf([bytesOf("data: "), ...Array.from({ length: 320 }, () => long), bytesOf("\n\n")]);
  expect(one.events.map(({ data }) => data?.length)).toEqual([320 * 65_536]);
  const short = bytesOf("data: xxxxxxxxx\n".repeat(4096));
  const many = eventsOf([...Array.from({ length: 320 }, () => short), bytesOf("\n")]);
  expect(many.events.map(({ data }) => data?.length)).toEqual([320 * 4096 * 10 - 1]);
});
