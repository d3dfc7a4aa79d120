import { expect, test } from "vitest";
import { accepts, acceptsWhatMcpDemands, mediaType, parseMediaType } from "../../../src/wire/media-type.ts";

test.each<[string | undefined, string | undefined]>([
  ["application/json", "application/json"],
  ["Application/JSON; charset=utf-8", "application/json"],
  [" application/json ;", "application/json"],
  ["application/json; charset=", "application/json"],
  ['text/plain; a="b,c"', "text/plain"],
  ["text/plain; a=application/json", "text/plain"],
  ["application/json, text/plain", undefined],
  ["application/json; charset=utf-8, text/plain", undefined],
  ["json", undefined],
  ["", undefined],
  [undefined, undefined],
])("mediaType(%j) is %j", (value, essence) => {
  expect(mediaType(value)).toBe(essence);
});

test("parameters are told as sent", () => {
  expect(parseMediaType("text/event-stream;charset=UTF-8")).toEqual({
    essence: "text/event-stream",
    parameters: "charset=UTF-8",
  });
});

test.each<[string | undefined, string, boolean]>([
  ["application/json, text/event-stream", "application/json", true],
  ["application/json,text/event-stream", "text/event-stream", true],
  ["Application/JSON", "application/json", true],
  ["application/json;q=0.5", "application/json", true],
  ["application/json;q=0", "application/json", false],
  ["application/json; q=0.000", "application/json", false],
  ["*/*", "application/json", true],
  ["application/*", "application/json", true],
  ["text/*", "application/json", false],
  ["*/*;q=0, application/json", "application/json", true],
  ["application/json;q=0, */*", "application/json", false],
  ["*/*, application/*;q=0", "application/json", false],
  ["application/json;charset=utf-8", "application/json", true],
  ["application/jsonx", "application/json", false],
  ['text/html;x="application/json,y"', "application/json", false],
  ["", "application/json", false],
  [undefined, "application/json", false],
])("accepts(%j, %j) is %s", (accept, type, expected) => {
  expect(accepts(accept, type)).toBe(expected);
});

test.each<[string, string | undefined, boolean]>([
  ["POST", "application/json, text/event-stream", true],
  ["POST", "*/*", true],
  ["POST", "application/json", false],
  ["POST", "text/event-stream", false],
  ["POST", undefined, false],
  ["GET", "text/event-stream", true],
  ["GET", "application/json", false],
  ["DELETE", undefined, true],
])("%s with Accept %j: %s", (method, accept, expected) => {
  expect(acceptsWhatMcpDemands(method, accept)).toBe(expected);
});
