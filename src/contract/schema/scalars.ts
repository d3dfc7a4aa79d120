import { rowOf } from "../../protocol/member.ts";
import type { Case } from "./case.ts";
import { sampleOfPattern } from "./pattern.ts";

/** Characters beyond which no text is made, and where it must be so long, or is asked for. */
const LONGEST_TEXT = 5000;
const LONGEST_WANTED = 2_000_000;

/** A text of each format that ajv-formats checks. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ["2020-01-01", "1999-12-31"],
  time: ["00:00:00Z"],
  "date-time": ["2020-01-01T00:00:00Z", "1999-12-31T23:59:59+01:00"],
  "iso-time": ["00:00:00"],
  "iso-date-time": ["2020-01-01T00:00:00"],
  duration: ["P1D"],
  uri: ["a:b", "https://example.com/"],
  "uri-reference": ["a", "https://example.com/"],
  "uri-template": ["a"],
  url: ["https://example.com/"],
  email: ["a@b.co"],
  hostname: ["a"],
  ipv4: ["1.1.1.1", "255.0.0.9"],
  ipv6: ["::1"],
  regex: ["a"],
  uuid: ["00000000-0000-4000-8000-000000000000", "ffffffff-ffff-1fff-bfff-ffffffffffff"],
  "json-pointer": ["/a", ""],
  "relative-json-pointer": ["0"],
  byte: ["YQ==", ""],
};
const TEXTS = [
  "",
  "a",
  "A",
  "0",
  " ",
  "-",
  "é",
  "a b",
  "not it",
  "a@b.co",
  "https://example.com/",
  "2020-01-01",
];

/** Likely, not sure, to be numbers of a case: its edges, and what stands beside them. */
export function numbersOf({ bounds, integer, multiples }: Case): number[] {
  const edges = Object.values(bounds).flatMap((edge) => [edge, edge + 1, edge - 1, edge + 0.5, edge - 0.5]);
  const whole = multiples.flatMap((each) => {
    const low = bounds.minimum ?? bounds.exclusiveMinimum ?? 0;
    return [0, each, Math.ceil(low / each) * each, (Math.ceil(low / each) + 1) * each];
  });
  const all = [0, 1, ...whole, ...edges.sort((a, b) => Math.abs(a) - Math.abs(b)), -1, 0.5, 1e6];
  return integer ? all.filter(Number.isInteger) : all;
}

/** Likely texts of a case; `matching` are some that fit all its patterns. */
export function textsOf(
  { bounds, patterns, formats }: Case,
  lengths: readonly number[],
  matching: readonly string[],
): string[] {
  const { minLength = 0, maxLength } = bounds;
  const asked = [minLength, ...lengths].filter((length) => length <= LONGEST_WANTED);
  const own = maxLength !== undefined && maxLength <= LONGEST_TEXT ? [maxLength] : [];
  const edges = [...new Set([...asked.slice(0, 1), ...own, ...asked.slice(1)])].filter(
    (length) => length >= 0,
  );
  const plain = [...TEXTS, ...edges.map((length) => "a".repeat(length))];
  const matched = patterns.flatMap(sampleOfPattern);
  return [...formats.flatMap((format) => rowOf(FORMATS, format) ?? []), ...matched, ...matching, ...plain];
}
