import { canonicalAt, canonicalJson, type PlainText } from "../protocol/canonical.ts";
import { escapePointer } from "../protocol/json-diff.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import type { Loosening } from "../replay/rules.ts";
import { asSent, childOf } from "../rerecord/as-sent.ts";
import {
  binaryFacts,
  CONTENT_MEMBERS,
  type ContentWay,
  contentKind,
  isObject,
  isSame,
  jsonIn,
} from "./content.ts";
import { compareLists, type ListOptions, type ListStep } from "./lists.ts";

export type AnswerKind =
  | "value"
  | "type"
  | "removed"
  | "added"
  | "order"
  | "text"
  | "binary"
  | "mime-type"
  | "content-kind";

/** One place where two answers differ. */
export interface AnswerDifference {
  readonly kind: AnswerKind;
  /**
   * JSON pointer into the new answer, or into the old one for what was removed. Where a text is JSON, it goes on into
   * that.
   */
  readonly pointer: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

interface Waiting {
  readonly pointer: string;
  readonly a: JsonValue;
  readonly b: JsonValue;
  /** What was sent in the place of either, where something else is compared. */
  readonly was?: JsonValue | undefined;
  readonly is?: JsonValue | undefined;
  /** How a member of a content block is compared. */
  readonly as?: ContentWay | "mime-type" | undefined;
}

export interface AnswerDiffOptions {
  /** What may differ. */
  readonly loosely?: Loosening | undefined;
  /** Where in the answer the two values stand; at its root unless told otherwise. */
  readonly at?: string | undefined;
  /** Both as they were sent, where names and volatile values are marked in what is compared. */
  readonly sent?: readonly [JsonValue | undefined, JsonValue | undefined] | undefined;
}

/**
 * Where two results differ, outer places before inner ones. Nothing overflows, however deep they are.
 * @throws VcrError `usage` where a function of `loosely` fails
 */
export function diffAnswers(
  before: JsonValue,
  after: JsonValue,
  { loosely, at: pointer = "", sent: [was, is] = [undefined, undefined] }: AnswerDiffOptions = {},
): AnswerDifference[] {
  const byFunction = loosely !== undefined && loosely.canonical === undefined;
  if (byFunction && loosely.accepts(after, before)) return [];
  const found = new Findings(byFunction ? undefined : loosely);
  const waiting: Waiting[] = [{ pointer, was, is, ...withoutMirrors(before, after) }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inner = lookInto(next, found);
    for (const each of inner.reverse()) waiting.push(each);
  }
  return found.all;
}

/** What was found, without what may differ. */
class Findings {
  readonly all: AnswerDifference[] = [];
  readonly loosely: Loosening | undefined;

  constructor(loosely: Loosening | undefined) {
    this.loosely = loosely;
  }

  allows(pointer: string, before?: JsonValue, after?: JsonValue): boolean {
    return this.loosely?.allows(pointer, after, before) ?? false;
  }

  /** What stands on one side only is looked into no further, so it is asked about here. */
  push(each: AnswerDifference): void {
    const oneSided = each.kind === "added" || each.kind === "removed";
    if (!oneSided || !this.allows(each.pointer)) this.all.push(each);
  }
}

/** Tells what differs at a place itself, and answers what is to be looked into. */
function lookInto({ pointer, a, b, was, is, as }: Waiting, found: Findings): Waiting[] {
  if (a === b || found.allows(pointer, a, b)) return [];
  if (Array.isArray(a) && Array.isArray(b)) return inLists({ pointer, a, b, was, is }, found);
  if (isObject(a) && isObject(b)) return inObjects({ pointer, a, b, was, is }, found);
  const [before, after] = [asSent(a, was), asSent(b, is)];
  if (typeof before === "string" && typeof after === "string") {
    return inTexts({ pointer, a: before, b: after, as }, found);
  }
  const kind = typeName(before) === typeName(after) ? "value" : "type";
  found.push({ kind, pointer, before, after });
  return [];
}

interface Both<Value> {
  readonly pointer: string;
  readonly a: Value;
  readonly b: Value;
  readonly was?: JsonValue | undefined;
  readonly is?: JsonValue | undefined;
}

function inLists({ pointer, a, b, was, is }: Both<JsonValue[]>, found: Findings): Waiting[] {
  const alone = a.length === 1 && b.length === 1 && !found.loosely;
  const steps = alone ? ONE_STEP : compareLists(a, b, listOptions(found.loosely, pointer));
  if (steps === "moved") {
    found.push({ kind: "order", pointer, before: asSent(a, was), after: asSent(b, is) });
    return [];
  }
  const inner: Waiting[] = [];
  for (const { old, fresh } of steps) {
    const at = `${pointer}/${fresh ?? old}`;
    const [before, after] = [a[old ?? -1], b[fresh ?? -1]];
    const sent = { was: childOf(was, old), is: childOf(is, fresh) };
    if (before !== undefined && after !== undefined)
      inner.push({ pointer: at, a: before, b: after, ...sent });
    else if (before !== undefined)
      found.push({ kind: "removed", pointer: at, before: asSent(before, sent.was) });
    else if (after !== undefined) found.push({ kind: "added", pointer: at, after: asSent(after, sent.is) });
  }
  return inner;
}

/** Of two lists of one element each. Where those are equal, a look into them finds nothing. */
const ONE_STEP: readonly ListStep[] = [{ old: 0, fresh: 0 }];

function listOptions(loosely: Loosening | undefined, pointer: string): ListOptions {
  const canonical = loosely?.canonical;
  if (!loosely || !canonical) return {};
  return {
    textOf: (element, index) => canonicalAt(`${pointer}/${index}`, element, canonical),
    compares: loosely.compares,
    unordered: loosely.isUnordered(pointer),
  };
}

function inObjects({ pointer, a, b, was, is }: Both<JsonObject>, found: Findings): Waiting[] {
  const [before, after] = [contentKind(a), contentKind(b)];
  if (before !== after && before !== undefined && after !== undefined) {
    found.push({ kind: "content-kind", pointer, before: shown(a, was), after: shown(b, is) });
    return [];
  }
  const inner: Waiting[] = [];
  for (const key of keysOf(a, b)) {
    const at = `${pointer}/${escapePointer(key)}`;
    const [old, now] = [own(a, key), own(b, key)];
    if (old !== undefined && now !== undefined) {
      const sent = { was: childOf(was, key), is: childOf(is, key) };
      inner.push({ pointer: at, a: old, b: now, ...sent, as: wayOf(before, key) });
    } else if (old !== undefined)
      found.push({ kind: "removed", pointer: at, before: asSent(old, childOf(was, key)) });
    else if (now !== undefined)
      found.push({ kind: "added", pointer: at, after: asSent(now, childOf(is, key)) });
  }
  return inner;
}

/** The keys of both in order, each once. */
function keysOf(a: JsonObject, b: JsonObject): Iterable<string> {
  const [before, after] = [Object.keys(a), Object.keys(b)];
  // Nearly all pairs of objects have the same members.
  const same = before.length === after.length && before.every((key) => Object.hasOwn(b, key));
  return same ? before.sort() : new Set([...before, ...after].sort());
}

function wayOf(kind: string | undefined, key: string): Waiting["as"] {
  if (key === "mimeType") return "mime-type";
  const member = CONTENT_MEMBERS.get(kind);
  return member?.name === key ? member.way : undefined;
}

function inTexts({ pointer, a, b, as }: Both<string> & Pick<Waiting, "as">, found: Findings): Waiting[] {
  if (as === "binary") {
    const [before, after] = [binaryFacts(a), binaryFacts(b)];
    if (!isSame(before, after)) found.push({ kind: "binary", pointer, before, after });
    return [];
  }
  const [x, y] = as === "text" ? [jsonIn(a), jsonIn(b)] : [];
  if (x !== undefined && y !== undefined) {
    if (isHarmedAlone({ pointer, a, b }, found.loosely))
      found.push({ kind: "value", pointer, before: a, after: b });
    return [{ pointer, a: x, b: y }];
  }
  const kind = as ?? (a.includes("\n") || b.includes("\n") ? "text" : "value");
  found.push({ kind, pointer, before: a, after: b });
  return [];
}

/** A number in JSON that JavaScript cannot hold has so many digits, or such an exponent. */
const MAY_HARM = /\d{16}|\d\.?\d*[eE]/;

/** Whether nothing differs in two JSON texts but numbers that are one and the same to JavaScript. */
function isHarmedAlone({ pointer, a, b }: Both<string>, loosely: Loosening | undefined): boolean {
  if (!MAY_HARM.test(a) && !MAY_HARM.test(b)) return false;
  const { omit, rewrite } = loosely?.canonical ?? {};
  const options = {
    omit: (place: string) => omit?.(pointer + place) ?? false,
    rewrite: (place: string, plain: PlainText) => rewrite?.(pointer + place, plain),
  };
  const encoder = new TextEncoder();
  const exact = (text: string) => canonicalJson(encoder.encode(text), options);
  const held = (text: string) => canonicalJson(JSON.parse(text) as JsonValue, options);
  return held(a) === held(b) && exact(a) !== exact(b);
}

/** A content block without what is in it. */
function shown(block: JsonObject, sent: JsonValue | undefined): JsonValue {
  const member = CONTENT_MEMBERS.get(contentKind(block));
  const whole = asSent(block, sent);
  if (member?.way !== "binary") return whole;
  return { ...(whole as JsonObject), [member.name]: binaryFacts(String(block[member.name])) };
}

/**
 * A text that repeats `structuredContent`, as the specification asks for (2025-06-18, server/tools), tells nothing
 * besides, so it is left out where it does on both sides.
 */
function withoutMirrors(
  before: JsonValue,
  after: JsonValue,
): { readonly a: JsonValue; readonly b: JsonValue } {
  if (!isObject(before) || !isObject(after)) return { a: before, b: after };
  const [old, now] = [mirrorsIn(before), mirrorsIn(after)];
  const both = old.filter((index) => now.includes(index));
  if (both.length === 0) return { a: before, b: after };
  const without = (result: JsonObject) => ({
    ...result,
    content: (result.content as JsonValue[]).map((block, index) => (both.includes(index) ? null : block)),
  });
  return { a: without(before), b: without(after) };
}

function mirrorsIn({ content, structuredContent }: JsonObject): number[] {
  if (!Array.isArray(content) || structuredContent === undefined) return [];
  return content.flatMap((block, index) => {
    const text = isObject(block) && block.type === "text" && typeof block.text === "string" ? block.text : "";
    const json = jsonIn(text);
    return json !== undefined && isSame(json, structuredContent) ? [index] : [];
  });
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function typeName(value: JsonValue): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}
