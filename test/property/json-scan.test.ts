import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textOf } from "../../src/protocol/message.ts";
import { findSpan, memberSpans, replaceSpans, scanJson } from "../../src/protocol/scan-json.ts";
import { bytesOf, jsonText, lead, mutatedText, objectText, runs, tokensOf } from "./json-texts.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

function parsesStrictly(bytes: Uint8Array): boolean {
  try {
    return parses(strict.decode(bytes));
  } catch {
    return false;
  }
}

const plain = (count: number): number[] => new Array(count).fill(0x78);

/** A string at an odd place of a larger buffer. */
function quoted(inside: readonly number[], at: number): Uint8Array {
  const buffer = new Uint8Array(at + inside.length + 7).fill(0x22);
  buffer.set(inside, at + 1);
  return buffer.subarray(at, at + inside.length + 2);
}

const LONE_ESCAPE = /\p{Surrogate}/u;

describe("the verdict", () => {
  test.each([
    ["JSON", jsonText, 800],
    ["changed JSON", mutatedText, 3000],
    ["any text", fc.string({ unit: "binary" }), 1000],
  ] as const)("is that of JSON.parse on %s", (_, texts, count) => {
    fc.assert(
      fc.property(texts, lead, (text, at) => {
        expect(scanJson(bytesOf(text, at)).valid).toBe(parses(text));
      }),
      runs(count),
    );
  });

  test("on any bytes is that of a strict decoder and JSON.parse", () => {
    const odd = fc.constantFrom(0x22, 0x5c, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff);
    const edge = fc.constantFrom(0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf);
    const inside = fc.array(fc.oneof(odd, edge, edge), { maxLength: 5 });
    fc.assert(
      fc.property(fc.nat(70), inside, fc.nat(70), lead, (before, middle, after, at) => {
        const bytes = quoted([...plain(before), ...middle, ...plain(after)], at);
        expect(scanJson(bytes).valid).toBe(parsesStrictly(bytes));
      }),
      runs(3000),
    );
  });

  test("on a long string of many odd characters is that of a strict decoder and JSON.parse", () => {
    const characters =
      '# ] ! é € 😀 日本 \\n \\" \\\\ \\/ \\t \\u00e9 \\uD83D\\uDE00 \\u0022 \\ud83d \u007f'.split(" ");
    const wrong = fc.constantFrom(
      [0x1f],
      [0x0a],
      [0x80],
      [0xc2],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
      [0xf0, 0x9f],
      [0x5c],
      [0x5c, 0x75, 0x31, 0x32],
    );
    const right = fc.constantFrom(...characters).map((text) => [...encoder.encode(text)]);
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.nat(9).map(plain) },
      { weight: 40, arbitrary: right },
      { weight: 1, arbitrary: wrong },
    );
    const counts = { valid: 0, invalid: 0 };
    fc.assert(
      fc.property(fc.array(piece, { minLength: 12, maxLength: 40 }), lead, (pieces, at) => {
        const bytes = quoted([...plain(48), ...pieces.flat()], at);
        const expected = parsesStrictly(bytes);
        counts[expected ? "valid" : "invalid"]++;
        const { valid, harmed } = scanJson(bytes, true);
        expect(valid).toBe(expected);
        if (valid) expect(harmed).toBe(LONE_ESCAPE.test(JSON.parse(textOf(bytes))));
      }),
      runs(3000),
    );
    expect(Math.min(counts.valid, counts.invalid)).toBeGreaterThan(500);
  });
});

test("long keys that are spelt differently and denote the same are harm, others are none", () => {
  const piece = fc.constantFrom("aaaa", "é", "😀", "#");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), lead, (pieces, same, at) => {
      const key = `${"k".repeat(50)}${pieces.join("")}`;
      const again = `${key.slice(1)}${same ? "" : "!"}`;
      expect(scanJson(bytesOf(`{"${key}":1,"\\u006b${again}":2}`, at), true).harmed).toBe(same);
      expect(scanJson(bytesOf(`{"${key}\\n":1,"${key}${same ? "\\n" : "n"}":2}`, at), true).harmed).toBe(
        same,
      );
    }),
    runs(500),
  );
});

test("harm is what JSON.parse and JSON.stringify do to the tokens, and lone surrogates", () => {
  let harmedTexts = 0;
  fc.assert(
    fc.property(jsonText, lead, (text, at) => {
      const tokens = tokensOf(text);
      const again = tokensOf(JSON.stringify(JSON.parse(text)));
      const expected =
        tokens.some((token) => LONE_ESCAPE.test(token)) || tokens.join("\n") !== again.join("\n");
      if (expected) harmedTexts++;
      expect(scanJson(bytesOf(text, at)).harmed).toBe(expected);
    }),
    runs(2000),
  );
  expect(harmedTexts).toBeGreaterThan(200);
  expect(harmedTexts).toBeLessThan(1800);
});

test("members of the root are those of JSON.parse", () => {
  fc.assert(
    fc.property(objectText, lead, (text, at) => {
      const bytes = bytesOf(text, at);
      const { members } = scanJson(bytes);
      const value = JSON.parse(text) as Record<string, unknown>;
      for (const name of ["jsonrpc", "id", "method", "params", "result", "error"] as const) {
        const span = members[name];
        expect(span === undefined).toBe(!Object.hasOwn(value, name));
        if (span) expect(JSON.parse(textOf(bytes.subarray(span.start, span.end)))).toEqual(value[name]);
      }
    }),
    runs(500),
  );
});

type Step = string | number;

function pathsOf(value: unknown): Step[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const steps: [Step, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...steps.flatMap(([step, child]) => pathsOf(child).map((path) => [step, ...path]))];
}

/** First, last, and some between. */
function fewOf<T>(all: readonly T[], count: number): T[] {
  const stride = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % stride === 0 || index === all.length - 1);
}

function valueAt(value: unknown, path: readonly Step[]): unknown {
  return path.reduce((place, step) => (place as Record<Step, unknown>)[step], value);
}

test("findSpan finds what JSON.parse has at each path, and nothing else", () => {
  fc.assert(
    fc.property(jsonText, lead, (text, at) => {
      const bytes = bytesOf(text, at);
      const value: unknown = JSON.parse(text);
      for (const path of fewOf(pathsOf(value), 6)) {
        const span = findSpan(bytes, path);
        expect(span).toBeDefined();
        if (!span) continue;
        const found = textOf(bytes.subarray(span.start, span.end));
        expect(JSON.parse(found)).toEqual(valueAt(value, path));
        expect(found).toBe(found.trim());
        expect(findSpan(bytes, [...path, "no such key"])).toBeUndefined();
        expect(findSpan(bytes, [...path, 99])).toBeUndefined();
        for (const cut of path.keys()) {
          const outer = findSpan(bytes, path.slice(0, cut));
          expect(outer && findSpan(bytes, path.slice(cut), outer)).toEqual(span);
        }
      }
    }),
    runs(500),
  );
});

test("memberSpans gives the members of an object in order, and nothing of other texts", () => {
  fc.assert(
    fc.property(fc.oneof(objectText, mutatedText), lead, (text, at) => {
      const bytes = bytesOf(text, at);
      const members = memberSpans(bytes);
      const isObject = parses(text) && text.trim().startsWith("{");
      expect(members !== undefined).toBe(isObject);
      if (!members) return;
      const entries = members.map(({ key, value }) => {
        return [key, JSON.parse(textOf(bytes.subarray(value.start, value.end)))];
      });
      expect(Object.fromEntries(entries)).toEqual(JSON.parse(text));
      for (const { keyStart } of members) expect(bytes[keyStart]).toBe(0x22);
    }),
    runs(1000),
  );
});

test("replaceSpans is cutting and joining the text", () => {
  const replacements = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.uint8Array({ maxLength: 6 })), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), replacements, (bytes, gaps) => {
      const expected: number[] = [];
      const spans = [];
      let from = 0;
      for (const [skip, length, replacement] of gaps) {
        const start = Math.min(bytes.length, from + skip);
        const end = Math.min(bytes.length, start + length);
        expected.push(...bytes.subarray(from, start), ...replacement);
        spans.push({ span: { start, end }, replacement });
        from = end;
      }
      expected.push(...bytes.subarray(from));
      expect([...replaceSpans(bytes, spans)]).toEqual(expected);
    }),
    runs(500),
  );
});
