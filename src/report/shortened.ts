import type { Change } from "../contract/change.ts";
import type { JsonValue } from "../protocol/message.ts";
import { cut, cutNear, sameStart } from "./words.ts";

/** In UTF-16 units. */
const LONGEST_TEXT = 10_000;

/** A value whose long texts are cut, and say how long they were. */
export function shortened(value: JsonValue, longest: number): JsonValue {
  const short = (_: string, each: unknown) =>
    typeof each === "string" && each.length > longest ? withLength(cut(each, longest), each) : each;
  return JSON.parse(JSON.stringify(value, short)) as JsonValue;
}

/** A change for programs: whole, unless a text in it is longer than anybody reads. */
export function shortChange<Shown extends Change>(change: Shown): Shown {
  const { before, after, witness } = change;
  if (isShortText(before) && isShortText(after) && !witness) return change;
  const [old, fresh] = shortPair(before, after);
  return {
    ...change,
    ...(before !== undefined && { before: old }),
    ...(after !== undefined && { after: fresh }),
    ...(witness && { witness: { ...witness, value: shortened(witness.value, LONGEST_TEXT) } }),
  };
}

function isShortText(value: JsonValue | undefined): boolean {
  return value === undefined || (typeof value === "string" && value.length <= LONGEST_TEXT);
}

/** Two long texts are cut where they begin to differ. */
function shortPair(before: JsonValue | undefined, after: JsonValue | undefined): (JsonValue | undefined)[] {
  if (typeof before !== "string" || typeof after !== "string") {
    return [before, after].map((each) => (each === undefined ? each : shortened(each, LONGEST_TEXT)));
  }
  const pair = { same: sameStart(before, after), length: Math.max(before.length, after.length) };
  return [before, after].map((text) =>
    text.length > LONGEST_TEXT ? withLength(cutNear(text, pair, LONGEST_TEXT), text) : text,
  );
}

function withLength(short: string, { length }: string): string {
  return `${short.replace(/…$/, "")}… (${length.toLocaleString("en")} characters)`;
}
