import { expect, test } from "vitest";
import { VcrError } from "../../../src/errors.ts";
import { encodeSse } from "../../../src/wire/sse-encode.ts";
import type { SseEvent } from "../../../src/wire/sse-framer.ts";
import { bytesOf, textOf } from "../../cases/framing.ts";

test.each<[string, SseEvent, string]>([
  ["a message", { name: "message", id: "1", data: bytesOf("{}") }, "event: message\nid: 1\ndata: {}\n\n"],
  ["a priming event", { id: "x", retry: 500, data: bytesOf("") }, "id: x\nretry: 500\ndata: \n\n"],
  ["a retry alone", { retry: 0, data: undefined }, "retry: 0\n\n"],
  ["an empty id", { id: "", data: undefined }, "id: \n\n"],
  ["lines", { data: bytesOf("a\n\nb\n") }, "data: a\ndata: \ndata: b\ndata: \n\n"],
  [
    "every line break as one",
    { data: bytesOf("a\rb\r\nc\n\rd") },
    "data: a\ndata: b\ndata: c\ndata: \ndata: d\n\n",
  ],
])("%s", (_name, event, expected) => {
  expect(textOf(encodeSse(event))).toBe(expected);
});

test.each<[string, SseEvent]>([
  ["a line break in the name", { name: "a\ndata: forged", data: undefined }],
  ["an empty name", { name: "", data: bytesOf("x") }],
  ["a line break in the id", { id: "a\rb", data: undefined }],
  ["NUL in the id", { id: "a\0", data: undefined }],
  ["a retry below zero", { retry: -1, data: undefined }],
  ["a broken retry", { retry: 1.5, data: undefined }],
  ["nothing", { data: undefined }],
])("refuses %s", (_name, event) => {
  expect(() => encodeSse(event)).toThrow(VcrError);
});
