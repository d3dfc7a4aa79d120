import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/protocol/canonical.ts";
import { diffJson, pointerOf } from "../../src/protocol/json-diff.ts";
import type { JsonValue } from "../../src/protocol/message.ts";
import { scanJson } from "../../src/protocol/scan-json.ts";
import { bytesOf, jsonText, numberToken, runs } from "./json-texts.ts";

const value = fc.jsonValue({ maxDepth: 4, noUnicodeString: false }) as fc.Arbitrary<JsonValue>;

/** A value and another that is the same, nearly the same, or a stranger. */
const pair = value.chain((a) => fc.tuple(fc.constant(a), fc.oneof(fc.constant(a), nearTo(a), value)));

/** The value with one place in it changed, or with an empty container exchanged for another. */
function nearTo(a: JsonValue): fc.Arbitrary<JsonValue> {
  return fc.tuple(fc.nat(20), fc.constantFrom<JsonValue>(null, "", 0, [], {})).map(([at, other]) => {
    let count = 0;
    const walk = (place: JsonValue): JsonValue => {
      if (count++ === at) return other;
      if (Array.isArray(place)) return place.map(walk);
      if (typeof place !== "object" || place === null) return place;
      return Object.fromEntries(Object.entries(place).map(([key, child]) => [key, walk(child)]));
    };
    return walk(a);
  });
}

/** Slow and plain: equality by value. */
function same(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((x, i) => same(x, b[i] as JsonValue));
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  const right = new Map(Object.entries(b));
  return (
    left.length === right.size && left.every(([k, x]) => right.has(k) && same(x, right.get(k) as JsonValue))
  );
}

test("canonical texts are equal exactly when the values are, and so are empty diffs", () => {
  let equal = 0;
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const expected = same(a, b);
      if (expected) equal++;
      expect(canonicalJson(a) === canonicalJson(b)).toBe(expected);
      expect(diffJson(a, b).length === 0).toBe(expected);
    }),
    runs(1000),
  );
  expect(equal).toBeGreaterThan(150);
  expect(equal).toBeLessThan(850);
});

/** The same value spelt otherwise: members shuffled, numbers and strings respelt, white space strewn in. */
function respelt(place: JsonValue, random: () => number): string {
  const space = () => ["", " ", "\n\t"][Math.floor(random() * 3)];
  const list = (parts: string[]) => parts.join(`${space()},${space()}`);
  if (Array.isArray(place)) return `[${space()}${list(place.map((child) => respelt(child, random)))}]`;
  if (typeof place === "number") return respeltNumber(place, random);
  if (typeof place === "string") return respeltString(place, random);
  if (place === null || typeof place === "boolean") return String(place);
  const members = Object.entries(place).map(
    ([key, child]) => `${respeltString(key, random)}${space()}:${space()}${respelt(child, random)}`,
  );
  return `{${list(members.sort(() => random() - 0.5))}${space()}}`;
}

function respeltNumber(number: number, random: () => number): string {
  const [mantissa = "", power = "0"] = JSON.stringify(number).split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const sign = number < 0 ? "-" : "";
  const exponent = Number(power);
  const spellings = [
    JSON.stringify(number),
    `${sign}${whole}.${fraction}${"0".repeat(30)}e${exponent}`,
    `${sign}${BigInt(whole + fraction)}000E${exponent - fraction.length - 3}`,
    `${sign}0.0${whole}${fraction}e${exponent + whole.length + 1}`,
  ];
  return spellings[Math.floor(random() * spellings.length)] as string;
}

function respeltString(text: string, random: () => number): string {
  const units = [...Array(text.length).keys()].map((index) => text.charCodeAt(index));
  if (random() < 0.5) return JSON.stringify(text);
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
}

test("canonical text does not depend on spelling, and bytes give what the value gives", () => {
  fc.assert(
    fc.property(
      value,
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
      (a, stream) => {
        const text = respelt(a, () => stream.next().value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(a)));
        expect(canonicalJson(bytesOf(text))).toBe(canonicalJson(a));
      },
    ),
    runs(800),
  );
});

test("canonical text is a fixed point, and means what JSON.parse reads where numbers fit", () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const canonical = canonicalJson(bytesOf(text));
      expect(canonicalJson(bytesOf(canonical))).toBe(canonical);
      if (!scanJson(bytesOf(text)).harmed)
        expect(canonical).toBe(canonicalJson(JSON.parse(text) as JsonValue));
      expect(same(JSON.parse(canonical) as JsonValue, JSON.parse(text) as JsonValue)).toBe(true);
    }),
    runs(1000),
  );
});

/** A decimal as an exact fraction: digits times ten to the exponent. */
function exact(token: string): { digits: bigint; exponent: number } {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return {
    digits: BigInt(whole.replace("-", "") + fraction) * (whole.startsWith("-") ? -1n : 1n),
    exponent: Number(exponent) - fraction.length,
  };
}

function sameNumber(a: string, b: string): boolean {
  const x = exact(a);
  const y = exact(b);
  const low = Math.min(x.exponent, y.exponent);
  return x.digits * 10n ** BigInt(x.exponent - low) === y.digits * 10n ** BigInt(y.exponent - low);
}

test("canonical numbers are equal exactly when their exact values are", () => {
  fc.assert(
    fc.property(numberToken, numberToken, (a, b) => {
      const left = canonicalJson(bytesOf(a));
      expect(sameNumber(left, a)).toBe(true);
      expect(left === canonicalJson(bytesOf(b))).toBe(sameNumber(a, b));
    }),
    runs(3000),
  );
});

test("every difference names a place where the values differ", () => {
  fc.assert(
    fc.property(pair, ([a, b]) => {
      const differences = diffJson(a, b);
      for (const { pointer, kind, before, after } of differences) {
        expect(before).toBe(at(a, pointer));
        expect(after).toBe(at(b, pointer));
        expect(kind).toBe(before === undefined ? "added" : after === undefined ? "removed" : "changed");
      }
      expect(new Set(differences.map(({ pointer }) => pointer)).size).toBe(differences.length);
      expect(diffJson(a, b, { limit: 2 })).toEqual(differences.slice(0, 2));
    }),
    runs(800),
  );
});

function at(root: JsonValue, pointer: string): JsonValue | undefined {
  let place: JsonValue | undefined = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    place = (place as Record<string, JsonValue>)[key];
  }
  return place;
}

test("omitting a place is taking it out", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), fc.nat(), (object, pick) => {
      const keys = Object.keys(object);
      const gone = keys[pick % Math.max(1, keys.length)] ?? "none";
      const rest = Object.fromEntries(Object.entries(object).filter(([key]) => key !== gone));
      const omit = (pointer: string) => pointer === pointerOf([gone]);
      expect(canonicalJson(object, { omit })).toBe(canonicalJson(rest));
      expect(canonicalJson(bytesOf(JSON.stringify(object)), { omit })).toBe(canonicalJson(rest));
    }),
    runs(500),
  );
});
