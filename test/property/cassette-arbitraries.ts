import fc from "fast-check";
import type { Body, Entry } from "../../src/exchange/entry.ts";
import type { JsonValue } from "../../src/protocol/message.ts";
import { bytesOf, jsonBody } from "../unit/cassette/support.ts";

/** Pieces that mean something to YAML, JSON, JavaScript or an editor. */
const PIECES = [
  ..."\n\n\n\n  \t\r#:-?,[]{}&*!|>'\"%@`\\~=<0123.e+_/aA$",
  ..."\u0000\u0007\u007f\u0085\u00a0\u2028\u2029\ufeff\ufffe\u200dé日😀",
  ": ",
  " #",
  "- ",
  "? ",
  "---",
  "...",
  "--- ",
  "\n---\n",
  "\n...\n",
  "# x",
  "<<",
  "null",
  "yes",
  "no",
  "on",
  "y",
  "True",
  ".inf",
  ".nan",
  "0x1f",
  "0o7",
  "1.0",
  "1e5",
  "12:30:45",
  "2025-06-18",
  "2001-12-14 21:59:43",
  "+1",
  "-1",
  "1_000",
  "__proto__",
  "constructor",
  "!!str",
  "&a",
  "*a",
  "{a",
  "a: b",
  "\\u0000",
  "\r\n",
  "  x",
  "x  ",
] as const;

const surrogates = fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 4 });

/** Any string, lone surrogates included. */
const anyString = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom(...PIECES), maxLength: 8 }) },
  { weight: 2, arbitrary: fc.constantFrom(...PIECES) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
  { weight: 2, arbitrary: fc.lorem({ mode: "sentences", maxCount: 3 }) },
  { weight: 1, arbitrary: surrogates.map((units) => String.fromCharCode(...units)) },
  { weight: 1, arbitrary: fc.string({ minLength: 1000, maxLength: 1100 }) },
);

/** Any string that UTF-8 can carry. */
export const anyText = anyString.map((text) => text.replace(/\p{Cs}/gu, "\ufffd"));

const anyKey = fc.oneof(
  fc.constantFrom("a", "b", "type", "text", "id", "1", "0", "10", "on", "__proto__"),
  anyString,
);

/** Any JSON value; keys keep their order where JavaScript lets them. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthIdentifier: "json", withCrossShrink: true },
    anyString,
    fc.constantFrom(null, true, false, 0, -1, 1e21, 1e-7, 123.456, Number.MAX_SAFE_INTEGER),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.array(tie("value"), { depthIdentifier: "json", maxLength: 6 }),
    fc
      .array(fc.tuple(anyKey, tie("value")), { depthIdentifier: "json", maxLength: 6 })
      .map((pairs) => Object.fromEntries(pairs)),
  ),
})).value;

const anyMessage = fc.oneof(
  fc.record(
    {
      jsonrpc: fc.constant("2.0"),
      id: fc.oneof(fc.integer(), anyString),
      method: anyString,
      params: anyJson,
      result: anyJson,
    },
    { requiredKeys: ["jsonrpc"] },
  ) as fc.Arbitrary<JsonValue>,
  anyJson,
);

const anyBody: fc.Arbitrary<Body> = fc.oneof(
  { weight: 4, arbitrary: anyMessage.map((value) => jsonBody(JSON.stringify(value))) },
  { weight: 1, arbitrary: anyJson.map((value) => jsonBody(JSON.stringify(value, null, " "))) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        "9007199254740993",
        "1.0",
        '{"a":1,"a":2}',
        '["\\ud800"]',
        '{"b":1,"1":2}',
        " [ -0 ]\n",
        '"\\u0041"',
      )
      .map((text): Body => ({ form: "json", bytes: bytesOf(text) })),
  },
  { weight: 2, arbitrary: anyText.map((text): Body => ({ form: "text", bytes: bytesOf(text) })) },
  { weight: 1, arbitrary: fc.uint8Array().map((bytes): Body => ({ form: "base64", bytes })) },
);

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

const anyOn: fc.Arbitrary<Entry["on"]> = fc.oneof(
  fc.constantFrom("get" as const, "delete" as const, "post" as const),
  fc
    .oneof(
      fc.constantFrom(
        '"get"',
        '"delete"',
        "null",
        "9007199254740993",
        "1.0",
        "0",
        '""',
        '"1"',
        "1",
        '"yes"',
        "-7",
        '"\\u0061"',
        "true",
      ),
      anyString.map((text) => JSON.stringify(text)),
      fc.integer().map(String),
    )
    .map((id) => ({ id })),
);

export const anyEntry: fc.Arbitrary<Entry> = fc.record(
  {
    at: fc.nat(),
    from: fc.constantFrom("client" as const, "server" as const),
    session: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1e9 })),
    on: optional(anyOn),
    http: optional(
      fc.record(
        {
          method: anyString,
          path: anyString,
          status: fc.integer({ min: 100, max: 599 }),
          headers: fc.dictionary(anyString, anyString, { noNullPrototype: true }),
        },
        { requiredKeys: [] },
      ),
    ),
    event: optional(fc.record({ name: anyString, id: anyString, retry: fc.nat() }, { requiredKeys: [] })),
    body: optional(anyBody),
    closed: optional(
      fc.record({ exit: fc.integer(), signal: anyString, reason: anyString }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: ["at", "from", "session"] },
);
