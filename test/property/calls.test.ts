import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonlCodec } from "../../src/cassette/jsonl/codec.ts";
import { yamlCodec } from "../../src/cassette/yaml/codec.ts";
import type { Entry } from "../../src/exchange/entry.ts";
import { readMessage } from "../../src/protocol/message.ts";
import { CassetteBytes } from "../../src/replay/cassette-bytes.ts";
import { questionOf } from "../../src/replay/key.ts";
import { hashOfKey, plainKey, plainKeyHash } from "../../src/replay/plain-key.ts";
import { Recording } from "../../src/replay/recording.ts";
import { bytesOf, client, STDIO, server } from "../cases/tape.ts";

/** Recordings of many calls leave most of them undecoded; nobody must be able to tell. */

const check = <T>(property: fc.IProperty<T>, numRuns = 500): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns });

const anyKey = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "aa",
    "arguments",
    "name",
    "_meta",
    "inputResponses",
    "z",
    "10",
    "9",
    "é",
    "😀",
    "",
    "\t",
    "A b",
  ),
  fc.string({ maxLength: 3 }),
);
const anyLeaf = fc.oneof(
  fc.constantFrom(
    "0",
    "-0",
    "1",
    "-1",
    "1.0",
    "1.5",
    "0.1",
    "1e5",
    "1E5",
    "1e21",
    "100000000000000000000",
    "9007199254740993",
    "12345678901234567",
    "-0.0000001",
  ),
  fc.constantFrom(
    "true",
    "false",
    "null",
    "{}",
    "[]",
    '""',
    '"\\u0061"',
    '"\\n"',
    '"é"',
    '"\u2028"',
    '"\u007f"',
  ),
  fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => JSON.stringify(text)),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => JSON.stringify(n)),
);
const { value: anyValue } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyLeaf,
    fc.array(tie("value"), { maxLength: 3 }).map((all) => `[${all.join(",")}]`),
    fc
      .tuple(fc.array(fc.tuple(anyKey, tie("value")), { maxLength: 4 }), fc.boolean())
      .map(([members, isSorted]) =>
        objectOf(isSorted ? members.sort(([a], [b]) => (a < b ? -1 : 1)) : members),
      ),
  ),
}));
const objectOf = (members: readonly (readonly [string, string])[]): string =>
  `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
const anyParams = fc.oneof(
  anyValue,
  fc.tuple(anyValue, anyValue).map(([name, args]) => `{"name":${name},"arguments":${args}}`),
  fc.tuple(fc.array(fc.tuple(anyKey, anyValue), { maxLength: 9 })).map(([members]) => objectOf(members)),
);
const anyMethod = fc.constantFrom(
  "tools/call",
  "prompts/get",
  "resources/read",
  "completion/complete",
  "tools/list",
);

test("a key that is had without parsing is the one that parsing gives", () => {
  let plain = 0;
  check(
    fc.property(anyMethod, anyParams, (method, params) => {
      const span = { start: 0, end: bytesOf(params).length };
      const key = plainKey(bytesOf(params), method, span);
      const hash = plainKeyHash(bytesOf(params), method, span);
      expect(hash).toBe(key === undefined ? undefined : hashOfKey(key));
      if (key === undefined) return;
      plain += 1;
      // White space makes it no plain spelling any more.
      const spaced = readMessage(
        bytesOf(`{"id":1,"method":"${method}","params":${params.replace("{", "{ ")}}`),
      );
      expect(plainKey(spaced.bytes, method, spaced.scan.members.params ?? span)).toBeUndefined();
      const { label: _label, ...slow } = questionOf(spaced);
      expect(slow).toEqual({
        key,
        inputs: undefined,
        without: undefined,
        client: undefined,
        withToken: false,
        era: "legacy",
      });
    }),
    3000,
  );
  // What is never seen proves nothing.
  expect(plain).toBeGreaterThan(300);
});

const anyId = fc.constantFrom("1", "2", "3", "17", '"1"', "0", "1.0", "01", "9007199254740993");
const aCall = fc
  .tuple(fc.constantFrom("1", "2", "17"), fc.constantFrom("a", "b", "c"), fc.boolean(), fc.constantFrom(1, 2))
  .map(([id, name, fails, session]): Entry[] => [
    client(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":{"n":1}}}`,
      { session },
    ),
    server(
      fails ? `{"id":${id},"error":{"code":1,"message":"no"}}` : `{"result":{},"jsonrpc":"2.0","id":${id}}`,
      { session },
    ),
  ]);
const anyRequest = fc
  .tuple(
    anyId,
    fc.constantFrom("tools/call", "subscriptions/listen", "resources/subscribe", "initialize"),
    fc.constantFrom(
      '{"name":"a","arguments":{"n":1}}',
      '{"arguments":{"n": 1},"name":"a"}',
      '{"uri":"u"}',
      '{"name":"a","arguments":{"n":1},"_meta":{"progressToken":1}}',
    ),
  )
  .map(([id, method, params]) =>
    client(`{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`),
  );
const anyOther = fc.oneof(
  anyRequest,
  anyId.map((id) => server(`{"jsonrpc":"2.0","id":${id},"result":{}}`)),
  anyId.map((id) => server(`{"jsonrpc":"2.0","id":${id},"method":"elicitation/create","params":{}}`)),
  anyId.map((id) => client(`{"jsonrpc":"2.0","id":${id},"result":{"action":"accept"}}`)),
  anyId.map((id) =>
    client(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`),
  ),
  anyId.map((id) =>
    server(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id}}}`),
  ),
  fc.constantFrom(
    client('{"jsonrpc":"2.0","method":"notifications/initialized"}'),
    server('{"jsonrpc":"2.0","method":"notifications/message","params":{}}'),
    server('{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"u"}}'),
    server('{"jsonrpc":"2.0","error":{"code":1,"message":"no"}}'),
    server("noise"),
    client('[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"n":1}}}]'),
    { at: 0, from: "client", session: 1, closed: { reason: "eof" } } satisfies Entry,
    { at: 0, from: "server", session: 1, closed: { exit: 1 } } satisfies Entry,
  ),
);
const anyTape = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: aCall }, { weight: 1, arbitrary: anyOther.map((entry) => [entry]) }),
    { maxLength: 14 },
  )
  .map((all) => all.flat());

const cassetteOf = (entries: readonly Entry[]): Uint8Array => {
  let text = "";
  const sink = {
    text: (some: string) => {
      text += some;
    },
    bytes: (some: Uint8Array) => {
      text += new TextDecoder("utf-8", { ignoreBOM: true }).decode(some);
    },
  };
  jsonlCodec.header(STDIO, sink);
  const encoder = jsonlCodec.encoder();
  for (const entry of entries) encoder.encode(entry, sink);
  return bytesOf(text);
};

/** All that a recording tells. */
function toldBy(recording: Recording, notices: readonly string[]) {
  return {
    exchanges: recording.exchanges,
    byKey: new Map([...recording.byKey()].sort(([a], [b]) => (a < b ? -1 : 1))),
    era: recording.era,
    notices: notices.map((notice) => notice.replaceAll(/^[^:]*:/gm, "")),
  };
}

function readFrom(entries: readonly Entry[], calls: "calls" | "entries") {
  const notices: string[] = [];
  const bytes = cassetteOf(entries);
  const source = new CassetteBytes({ file: "a.jsonl", bytes, codec: jsonlCodec, onTruncated: () => {} });
  const plain = new CassetteBytes({
    file: "a.jsonl",
    bytes,
    codec: { ...jsonlCodec, callDecoder: undefined as never },
    onTruncated: () => {},
  });
  const recording = new Recording(calls === "calls" ? source : plain, (notice) => notices.push(notice));
  return { recording, notices };
}

test("a recording of which calls are left undecoded tells the same as one that is decoded", () => {
  check(
    fc.property(anyTape, (entries) => {
      const [some, all] = [readFrom(entries, "calls"), readFrom(entries, "entries")];
      expect(toldBy(some.recording, some.notices)).toEqual(toldBy(all.recording, all.notices));
    }),
    2000,
  );
});

test("and finds the same under each key, whichever is asked first", () => {
  check(
    fc.property(anyTape, fc.array(fc.nat()), (entries, order) => {
      const [some, all] = [readFrom(entries, "calls").recording, readFrom(entries, "entries").recording];
      const keys = [...all.byKey()].map(([key]) => key);
      for (const index of [...order, ...keys.keys()]) {
        const key = keys[index % Math.max(1, keys.length)] ?? "none";
        expect(some.answersTo(key)?.all).toEqual(all.answersTo(key)?.all);
      }
      expect([...some.byKey()].length).toBe(keys.length);
      expect(some.exchanges).toEqual(all.exchanges);
    }),
    1000,
  );
});

test("calls are left undecoded", () => {
  const bytes = cassetteOf(fc.sample(aCall, { numRuns: 50, seed: 1 }).flat());
  const source = new CassetteBytes({ file: "a.jsonl", bytes, codec: jsonlCodec, onTruncated: () => {} });
  const found = [...source.next(1000), ...source.next(1000)];
  expect(found.filter((each) => "hash" in each).length).toBeGreaterThan(40);
  expect(yamlCodec.callDecoder).toBeUndefined();
});
