import { describe, expect, test } from "vitest";
import { type Message, readMessage } from "../../../src/protocol/message.ts";
import { askedOf, askedTextOf, canonicalAnswer, questionOf } from "../../../src/replay/key.ts";
import { bytesOf, notice, request } from "../../cases/tape.ts";

const read = (text: string): Message => readMessage(bytesOf(text));
const call = (params: string): Message => read(`{"id":1,"method":"tools/call","params":${params}}`);
const keyOf = (params: string): string => questionOf(call(params)).key;
const P = "io.modelcontextprotocol/";

describe("equal questions", () => {
  test.each([
    ["{}", '{"_meta":{}}'],
    ["{}", '{"_meta":{"progressToken":1}}'],
    ["{}", '{"_meta":{"progressToken":9007199254740993}}'],
    ['{"a":1,"b":2}', '{ "b":2, "a" : 1 }'],
    ['{"a":1}', '{"a":1.0}'],
    ['{"a":100}', '{"a":1e2}'],
    ['{"a":"é"}', '{"a":"\\u00e9"}'],
    ['{"a":2}', '{"a":1,"a":2}'],
    ['{"a":1}', '{"a":1,"_meta":{"traceparent":"00-x","tracestate":"y","baggage":"z"}}'],
    [
      `{"_meta":{"${P}protocolVersion":"2026-07-28"}}`,
      `{"_meta":{"${P}protocolVersion":"2026-07-28","${P}clientInfo":{"name":"x"},"${P}clientCapabilities":{},"${P}logLevel":"debug"}}`,
    ],
    ['{"inputResponses":{"a":1}}', '{"inputResponses":{"a":2}}'],
    ['{"name":"n"}', '{"name":"n","arguments":{}}'],
    ['{"name":"n","big":9007199254740993}', '{"name":"n","big":9007199254740993,"arguments":{}}'],
  ])("%s and %s", (a, b) => {
    expect(keyOf(a)).toBe(keyOf(b));
  });

  test("no params and empty ones, over all ids", () => {
    expect(questionOf(read('{"method":"a","id":1}')).key).toBe(keyOf("{}").replace("tools/call", "a"));
  });

  test.each([
    [
      "initialize",
      { protocolVersion: "1", capabilities: {}, clientInfo: { name: "a" } },
      { protocolVersion: "2", capabilities: { roots: {} }, clientInfo: { name: "b" } },
    ],
  ])("%s, whatever the client is and may do", (method, a, b) => {
    const [one, other] = [a, b].map(
      (params) => questionOf(read(JSON.stringify(request(1, method, params)))).key,
    );
    expect(one).toBe(other);
  });

  test("cancellations of requests, which have each client's own ids", () => {
    const [one, other] = [1, "x"].map(
      (requestId) => questionOf(read(JSON.stringify(notice("notifications/cancelled", { requestId })))).key,
    );
    expect(one).toBe(other);
  });
});

test.each(["tools/call", "prompts/get", "completion/complete"])(
  "no arguments and an empty object of them in %s",
  (method) => {
    const [none, empty] = [{ name: "n" }, { name: "n", arguments: {} }].map(
      (params) => questionOf(read(JSON.stringify(request(1, method, params)))).key,
    );
    expect(none === empty).toBe(method !== "completion/complete");
  },
);

describe("different questions", () => {
  test.each([
    ['{"a":9007199254740993}', '{"a":9007199254740992}'],
    ['{"name":"n"}', '{"name":"n","arguments":null}'],
    ['{"name":"n"}', '{"name":"n","arguments":[]}'],
    [
      '{"a":9007199254740993,"_meta":{"progressToken":1}}',
      '{"a":9007199254740992,"_meta":{"progressToken":1}}',
    ],
    [`{"_meta":{"${P}protocolVersion":"2026-07-28"}}`, `{"_meta":{"${P}protocolVersion":"2026-12-01"}}`],
    ['{"level":"debug"}', '{"level":"bogus"}'],
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":null}', "{}"],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ["[]", "{}"],
    ["null", "{}"],
    ['{"_meta":{"my.own/tenant":1}}', '{"_meta":{"my.own/tenant":2}}'],
    ['{"_meta":{"my.own/tenant":9007199254740993}}', '{"_meta":{"my.own/tenant":9007199254740992}}'],
    ['{"arguments":{"_meta":{"progressToken":1}}}', '{"arguments":{"_meta":{"progressToken":2}}}'],
    ['{"arguments":{"inputResponses":1}}', '{"arguments":{"inputResponses":2}}'],
    ['{"level":"debug"}', '{"level":"error"}'],
    ['{"__proto__":1}', '{"__proto__":2}'],
    ['{"inputResponses":{"a":1}}', '{"inputResponses":{"b":1}}'],
    ['{"inputResponses":{"a,b":1}}', '{"inputResponses":{"a":1,"b":1}}'],
    ['{"inputResponses":{}}', "{}"],
    ['{"cursor":""}', "{}"],
    // The era is part of the question.
    [`{"_meta":{"${P}protocolVersion":"2026-07-28"}}`, "{}"],
  ])("%s and %s", (a, b) => {
    expect(keyOf(a)).not.toBe(keyOf(b));
  });

  test.each(["constructor", "__proto__", "toString"])("a method may be called %s", (method) => {
    const key = questionOf(read(JSON.stringify(request(1, method, { a: 1 })))).key;
    expect(key).toBe(`${method} {"a":1}`);
  });

  test("text that is no message is its own question", () => {
    expect(questionOf(read("{nope")).key).not.toBe(questionOf(read("{nope ")).key);
  });
});

describe("what else a question tells", () => {
  test("the client's name, in both eras", () => {
    const info = { version: "1", name: "t" };
    const legacy = read(JSON.stringify(request(0, "initialize", { clientInfo: info })));
    const modern = call(`{"_meta":{"${P}clientInfo":${JSON.stringify(info)}}}`);
    const client = { info: '{"name":"t","version":"1"}', name: '"t"' };
    expect(questionOf(legacy).client).toEqual(client);
    expect(questionOf(modern).client).toEqual(client);
    expect(questionOf(call('{"clientInfo":{"name":"t"}}')).client).toBeUndefined();
  });

  test("the input of a retry, canonical", () => {
    expect(questionOf(call('{"inputResponses":{"b":1,"a":{}}}')).inputs).toBe('{"a":{},"b":1}');
  });
});

describe("what was asked, for people", () => {
  test("params without the protocol's own", () => {
    const meta = { progressToken: 1, "my.own/tenant": 2 };
    const asked = call(JSON.stringify({ name: "a", inputResponses: { x: 1 }, _meta: meta }));
    expect(askedOf(asked)).toEqual({ name: "a", inputResponses: { x: 1 }, _meta: { "my.own/tenant": 2 } });
    expect(askedTextOf(asked)).toBeUndefined();
    expect(askedOf(read('{"id":1,"method":"a"}'))).toEqual({});
  });

  test("numbers that JavaScript cannot hold keep their digits", () => {
    const asked = call('{"s":"1.50 \\"9007199254740993","n":[9007199254740993,-0.10,1e400,7]}');
    expect(askedOf(asked)).toEqual({
      s: '1.50 "9007199254740993',
      n: ["9007199254740993", -0.1, "1e+400", 7],
    });
    expect(askedTextOf(asked)).toBe('{"n":[9007199254740993,-0.1,1e+400,7],"s":"1.50 \\"9007199254740993"}');
  });
});

test("answers of the client compare by value, exactly", () => {
  const answer = (text: string) => canonicalAnswer(read(`{"id":1,${text}}`));
  expect(answer('"result":{"a":1,"b":[]}')).toBe(answer('"result":{"b":[],"a":1.0}'));
  expect(answer('"result":{"a":9007199254740993}')).not.toBe(answer('"result":{"a":9007199254740992}'));
  expect(answer('"error":{"code":1}')).not.toBe(answer('"result":{"code":1}'));
});
