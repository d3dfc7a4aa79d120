import { describe, expect, test } from "vitest";
import { eachMessage, jsonOf, type Message, readMessage, textOf } from "../../../src/protocol/message.ts";

const encoder = new TextEncoder();

function read(text: string): Message {
  return readMessage(encoder.encode(text));
}

/** Kind, id token, method. */
function facts({ kind, id, method }: Message) {
  return [kind, id, method];
}

describe("kinds", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}', ["request", "1", "ping"]],
    [
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      ["notification", undefined, "notifications/initialized"],
    ],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', ["response", "1", undefined]],
    ['{"jsonrpc":"2.0","id":1,"result":null}', ["response", "1", undefined]],
    ['{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}}', ["response", undefined, undefined]],
    ['{"jsonrpc":"2.0","id":null,"error":{}}', ["response", "null", undefined]],
    ['{"id":1,"method":"a","result":1}', ["request", "1", "a"]],
    ['{"id":1,"method":7,"result":1}', ["response", "1", undefined]],
    ['{"method":"a","id":null}', ["request", "null", "a"]],
    ['{"method":"","id":0}', ["request", "0", ""]],
    ['{"id":1,"method":"a","x":{"id":2,"method":"b"},"y":[]}', ["request", "1", "a"]],
    ['{"id":1,"id":2,"method":"a","method":"b"}', ["request", "2", "b"]],
    ['{"id":1}', ["malformed", undefined, undefined]],
    ['{"id":1,"method":7}', ["malformed", undefined, undefined]],
    ["{}", ["malformed", undefined, undefined]],
    ['"text"', ["malformed", undefined, undefined]],
    ["", ["malformed", undefined, undefined]],
    ["starting on port 3000", ["malformed", undefined, undefined]],
    ['{"id":1,"method":"a"', ["malformed", undefined, undefined]],
    ['\ufeff{"id":1,"method":"a"}', ["malformed", undefined, undefined]],
    ["[]", ["batch", undefined, undefined]],
    ['[{"id":1,"method":"a"}]', ["batch", undefined, undefined]],
  ])("%s", (text, expected) => {
    expect(facts(read(text))).toEqual(expected);
  });

  test("a response with an error says so", () => {
    expect(read('{"id":1,"error":{}}').isError).toBe(true);
    expect(read('{"id":1,"result":{},"error":{}}').isError).toBe(true);
    expect(read('{"id":1,"result":{"isError":true}}').isError).toBe(false);
    expect(read('{"id":1,"method":"a","error":{}}').isError).toBe(false);
  });

  test("bytes that are no UTF-8 are kept as they are", () => {
    const bytes = Uint8Array.of(0x7b, 0xff, 0x7d);
    const message = readMessage(bytes);
    expect(message.kind).toBe("malformed");
    expect(message.bytes).toBe(bytes);
  });
});

describe("ids", () => {
  test.each([
    "0",
    "1",
    "-1",
    "1.0",
    "9007199254740993",
    '"1"',
    '""',
    '"é"',
    "null",
    "true",
    '{"a": 1}',
    '["\\u0061"]',
  ])("%s stays as it was sent", (token) => {
    expect(read(`{"method":"a", "id" : ${token} }`).id).toBe(token);
    expect(read(`{"result":1,"id":${token}}`).id).toBe(token);
  });

  test("a string is one id however its characters are escaped", () => {
    expect(read('{"result":1,"id":"\\u00e9\\/1"}').id).toBe(read('{"method":"a","id":"é/1"}').id);
    expect(read('{"result":1,"id":"\\u0031"}').id).not.toBe(read('{"method":"a","id":1}').id);
    expect(read('{"result":1,"id":"\\ud83d"}').id).toBe('"\\ud83d"');
  });
});

test("a method is what its string denotes", () => {
  expect(read('{"m\\u0065thod":"tools\\/c\\u0061ll","id":1}').method).toBe("tools/call");
});

test("jsonOf parses the whole, and throws on what is no JSON", () => {
  expect(jsonOf(read('{"id":1,"method":"a"}'))).toEqual({ id: 1, method: "a" });
  expect(() => jsonOf(read("noise"))).toThrow(SyntaxError);
  expect(() => jsonOf(readMessage(Uint8Array.of(0x22, 0xff, 0x22)))).toThrow(SyntaxError);
});

describe("batches", () => {
  test("give their messages with their exact bytes", () => {
    const batch = read('[ {"id":1,"method":"a"} ,{"method":"b"},7, [] ]');
    const messages = [...eachMessage(batch)];
    expect(messages.map(({ bytes }) => textOf(bytes))).toEqual([
      '{"id":1,"method":"a"}',
      '{"method":"b"}',
      "7",
      "[]",
    ]);
    expect(messages.map(facts)).toEqual([
      ["request", "1", "a"],
      ["notification", undefined, "b"],
      ["malformed", undefined, undefined],
      ["batch", undefined, undefined],
    ]);
  });

  test("of nothing have no messages, and a single message is its own", () => {
    expect([...eachMessage(read("[]"))]).toEqual([]);
    const single = read('{"id":1,"method":"a"}');
    expect([...eachMessage(single)]).toEqual([single]);
  });
});
