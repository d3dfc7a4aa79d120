import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOwnRules, type OwnSecrets } from "../../../src/redact/own-rules.ts";
import { createRedactor, createRedactorWith } from "../../../src/redact/redactor.ts";

const hash = (text: string): string => createHmac("sha256", "key").update(text).digest("hex");
const sealed = (secret: string): string => `[redacted:${hash(secret).slice(0, 8)}]`;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

const NONE: OwnSecrets = { values: [], patterns: [], keys: [] };
const redactorOf = (secrets: Partial<OwnSecrets>) =>
  createRedactor({ hash, shapes: () => () => [], own: createOwnRules({ ...NONE, ...secrets }) });
const json = (secrets: Partial<OwnSecrets>, text: string) =>
  decoder.decode(redactorOf(secrets).json(encoder.encode(text)));
const plain = (secrets: Partial<OwnSecrets>, text: string) =>
  decoder.decode(redactorOf(secrets).text(encoder.encode(text)));

describe("values", () => {
  const values = ["opensesame", "47111"];
  const s = sealed("opensesame");

  test.each([
    ['{"a":"opensesame"}', `{"a":"${s}"}`],
    ['{"a":"say opensesame twice: opensesame."}', `{"a":"say ${s} twice: ${s}."}`],
    ['{"a":"opens\\u0065same"}', `{"a":"${s}"}`],
    ['{"opensesame":[1]}', `{"${s}":[1]}`],
    ['{"a":"{\\"b\\":\\"opensesame\\"}"}', `{"a":"{\\"b\\":\\"${s}\\"}"}`],
    ['{"n":47111,"m":471112}', `{"n":"${sealed("47111")}","m":471112}`],
    // Where the protocol's own fields are left alone otherwise, too.
    [
      '{"jsonrpc":"2.0","id":1,"result":{"nextCursor":"opensesame-2"}}',
      `{"jsonrpc":"2.0","id":1,"result":{"nextCursor":"${s}-2"}}`,
    ],
    // One secret, one placeholder, whatever it stands under.
    ['{"password":"opensesame"}', `{"password":"${s}"}`],
  ])("%s", (before, after) => {
    expect(json({ values }, before)).toBe(after);
  });

  test("escaped and percent-encoded", () => {
    const value = 'a/b "c"';
    expect(json({ values: [value] }, '{"a":"a\\/b \\"c\\"","b":"?x=a%2Fb%20%22c%22"}')).toBe(
      `{"a":"${sealed(value)}","b":"?x=${sealed(value)}"}`,
    );
    expect(plain({ values: [value] }, '{"cut":"a/b \\"c\\"')).toBe(`{"cut":"${sealed(value)}`);
    expect(redactorOf({ values: [value] }).url(`http://h/?q=${encodeURIComponent(value)}`)).toBe(
      `http://h/?q=${sealed(value)}`,
    );
  });
});

describe("keys", () => {
  const keys = ["pin", "customer.no"];

  test.each([
    [
      '{"pin":"12","PIN":98765,"spin":"12","pin_":"x"}',
      `{"pin":"${sealed("12")}","PIN":"${sealed("98765")}","spin":"12","pin_":"x"}`,
    ],
    ['{"p\\u0069n":"12"}', `{"p\\u0069n":"${sealed("12")}"}`],
    [
      '{"customer.no":["a",{"b":"c"}],"customer-no":"a"}',
      `{"customer.no":["${sealed("a")}",{"b":"c"}],"customer-no":"a"}`,
    ],
    ['[{"name":"pin","value":"12"}]', `[{"name":"pin","value":"${sealed("12")}"}]`],
    ['{"pin":null,"a":{"pin":""}}', '{"pin":null,"a":{"pin":""}}'],
    [
      `{"properties":{"pin":{"type":"string"}},"required":["pin"]}`,
      `{"properties":{"pin":{"type":"string"}},"required":["pin"]}`,
    ],
    ['{"text":"pin: 1234, spin: 5678"}', `{"text":"pin: ${sealed("1234")}, spin: 5678"}`],
  ])("%s", (before, after) => {
    expect(json({ keys }, before)).toBe(after);
  });

  test("in headers, on command lines, in query strings", () => {
    const redactor = redactorOf({ keys });
    expect(redactor.header("Pin", "12")).toBe(sealed("12"));
    expect(redactor.command(["x", "--pin", "12", "--pin=34", "PIN=56", "spin=7"])).toEqual([
      "x",
      "--pin",
      sealed("12"),
      `--pin=${sealed("34")}`,
      `PIN=${sealed("56")}`,
      "spin=7",
    ]);
    expect(redactor.url("http://h/?a=1&pin=12&b=2")).toBe(`http://h/?a=1&pin=${sealed("12")}&b=2`);
  });
});

describe("patterns", () => {
  test("all that is found, or its group", () => {
    expect(json({ patterns: ["ACME-\\d+"] }, '{"a":"x ACME-12 y"}')).toBe(`{"a":"x ${sealed("ACME-12")} y"}`);
    expect(json({ patterns: ["ACME-(\\d+)"] }, '{"a":"x ACME-12 y"}')).toBe(
      `{"a":"x ACME-${sealed("12")} y"}`,
    );
    expect(json({ patterns: ["x*"] }, '{"a":"yxxy"}')).toBe(`{"a":"y${sealed("xx")}y"}`);
  });
});

describe("laws", () => {
  const piece = fc.constantFrom(
    "opensesame",
    "pin",
    "ACME-12",
    "x",
    '"',
    "\\",
    "/",
    "é",
    " ",
    ":",
    "=",
    "1234",
    "[redacted:00000000]",
  );
  const word = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
  const secrets = fc.record({
    values: fc.array(fc.constantFrom("opensesame", 'x"/é', "1234"), { maxLength: 2 }),
    patterns: fc.array(fc.constantFrom("ACME-(\\d+)", "x+", "(?<=n=)\\S+", ".é", "\\S+"), { maxLength: 2 }),
    keys: fc.array(fc.constantFrom("pin", "x"), { maxLength: 2 }),
  });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      word,
      fc.constantFrom(1234, 1, null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(word, tie("value"), { maxKeys: 3 }),
    ),
  })).value;
  const runs = { seed: Number(process.env.FC_SEED ?? 1), numRuns: 500 };

  test("what was redacted stays as it is, and the prefilter misses nothing", () => {
    fc.assert(
      fc.property(secrets, value, (own, message) => {
        const bytes = encoder.encode(JSON.stringify(message));
        const redactor = redactorOf(own);
        const once = redactor.json(bytes);
        expect(decoder.decode(redactor.json(once))).toBe(decoder.decode(once));
        const parts = { hash, shapes: () => () => [], own: createOwnRules(own) };
        expect(decoder.decode(createRedactorWith(parts, () => true).json(bytes))).toBe(decoder.decode(once));
        expect(() => JSON.parse(decoder.decode(once))).not.toThrow();
      }),
      runs,
    );
  });

  test("no value is left in any string", () => {
    fc.assert(
      fc.property(word, word, (before, after) => {
        const text = JSON.stringify({ a: `${before}opensesame${after}`, [`opensesame${after}`]: 1 });
        expect(json({ values: ["opensesame"] }, text)).not.toContain("opensesame");
      }),
      runs,
    );
  });
});
