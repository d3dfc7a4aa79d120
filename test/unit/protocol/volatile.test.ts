import { expect, test } from "vitest";
import { readMessage } from "../../../src/protocol/message.ts";
import { volatilesOf } from "../../../src/protocol/volatile.ts";

const encoder = new TextEncoder();
const placesIn = (text: string, method?: string) =>
  volatilesOf(readMessage(encoder.encode(text)), method).map(({ path }) => path);

test.each([
  ["where the protocol has it", '{"id":1,"result":{"taskId":"t"}}', ["result/taskId"]],
  ["a key that is written with escapes", '{"id":1,"result":{"task\\u0049d":"t"}}', ["result/taskId"]],
  ["with white space around", '{"id":1,"result":{ "taskId" : "t" }}', ["result/taskId"]],
  [
    "in a list",
    '{"id":1,"result":{"content":[{"annotations":{"lastModified":"2026-11-30"}}]}}',
    ["result/content/0/annotations/lastModified"],
  ],
  [
    "a name with a slash",
    '{"id":1,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}}',
    ["result/_meta/io.modelcontextprotocol/subscriptionId"],
  ],
  ["a name that is a text", '{"id":1,"result":{"content":"taskId"}}', []],
  ["a name in a text that is JSON", '{"id":1,"result":{"content":[{"text":"{\\"taskId\\":1}"}]}}', []],
  ["at another place", '{"id":1,"result":{"structuredContent":{"taskId":1}}}', []],
  ["of another method", '{"id":1,"result":{"nextCursor":"c"}}', []],
])("%s", (_, text, paths) => {
  expect(placesIn(text, "tools/call")).toEqual(paths);
});

test("cursors are those of lists", () => {
  expect(placesIn('{"id":1,"result":{"nextCursor":"c"}}', "tools/list")).toEqual(["result/nextCursor"]);
});
