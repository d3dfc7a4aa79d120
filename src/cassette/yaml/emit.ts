import type { JsonValue } from "../../protocol/message.ts";
import { blockKey, blockScalar, inFlow, keyText, plainOrQuoted } from "./scalar.ts";

/** Flow style up to so many columns. */
const WIDTH = 80;

/**
 * Levels of nesting that are written (and read) as YAML. Beyond that, indentation outgrows the content and readers
 * overflow their stack.
 */
export const DEEPEST = 200;

/** Thrown for a value nested deeper than `DEEPEST`. */
export class TooDeep extends Error {}

const pads: string[] = [""];

function padOf(indent: number): string {
  if (indent > 2 * DEEPEST) throw new TooDeep();
  for (let i = pads.length; i <= indent; i++) pads.push(" ".repeat(i));
  return pads[indent] as string;
}

/** `key: value` of a top-level member, in flow style where it fits. Ends with a line break. */
export function member(key: string, value: JsonValue, width: number = WIDTH): string {
  return `${key}:${placed(value, { indent: 0, used: key.length + 1, width })}`;
}

/** `key:` with a message below it: its own members always have a line each. */
export function messageMember(key: string, value: JsonValue): string {
  if (isEmpty(value)) return member(key, value);
  if (!Array.isArray(value)) return `${key}:\n${mapping(value as { [key: string]: JsonValue }, 2, padOf(2))}`;
  let out = `${key}:\n`;
  for (const item of value) {
    out +=
      isEmpty(item) || Array.isArray(item)
        ? sequence([item], 2, padOf(2))
        : `  - ${mapping(item as { [key: string]: JsonValue }, 4, "")}`;
  }
  return out;
}

/** Scalars and what has no members. */
function isEmpty(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return true;
  for (const _ in value) return false;
  return true;
}

interface Spot {
  /** Of the line that holds the key or the dash. */
  readonly indent: number;
  /** Columns taken on that line. */
  readonly used: number;
  readonly width: number;
}

/** A value behind a key or a dash: on the same line, or indented below. Begins with its space or line break. */
function placed(value: JsonValue, { indent, used, width }: Spot): string {
  if (typeof value === "string") return ` ${stringAt(value, indent)}`;
  if (typeof value !== "object" || value === null) return ` ${String(value)}\n`;
  const flow = flowText(value, width - used - 1);
  if (flow !== undefined) return ` ${flow}\n`;
  const pad = padOf(indent + 2);
  return `\n${Array.isArray(value) ? sequence(value, indent + 2, pad) : mapping(value, indent + 2, pad)}`;
}

/** A string with its line break; `indent` is that of the line it begins on. */
function stringAt(value: string, indent: number): string {
  return blockScalar(value, padOf(indent + 2)) ?? `${plainOrQuoted(value)}\n`;
}

/** Members with a line or more each; `lead` stands before the first of them. */
function mapping(value: { [key: string]: JsonValue }, indent: number, lead: string): string {
  const pad = padOf(indent);
  let out = "";
  let before = lead;
  for (const key in value) {
    const text = blockKey(key, pad);
    out +=
      before + text + placed(value[key] as JsonValue, { indent, used: indent + text.length, width: WIDTH });
    before = pad;
  }
  return out;
}

function sequence(value: readonly JsonValue[], indent: number, lead: string): string {
  const pad = padOf(indent);
  let out = "";
  let before = lead;
  for (const item of value) {
    out += `${before}-${itemText(item, indent)}`;
    before = pad;
  }
  return out;
}

/** Behind a dash: a mapping's first member and a list's first item stand on its line. */
function itemText(item: JsonValue, indent: number): string {
  if (typeof item === "string") return ` ${stringAt(item, indent)}`;
  if (typeof item !== "object" || item === null) return ` ${String(item)}\n`;
  const flow = flowText(item, WIDTH - indent - 2);
  if (flow !== undefined) return ` ${flow}\n`;
  return ` ${Array.isArray(item) ? sequence(item, indent + 2, "") : mapping(item, indent + 2, "")}`;
}

/** On one line within so many columns, or undefined. Gives up as soon as it is too long. */
function flowText(value: JsonValue, room: number): string | undefined {
  if (typeof value === "string") {
    if (value.length > room || value.includes("\n")) return undefined;
    const text = inFlow(value);
    return text.length > room ? undefined : text;
  }
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? flowSequence(value, room) : flowMapping(value, room);
}

function flowSequence(items: readonly JsonValue[], room: number): string | undefined {
  if (items.length === 0) return "[]";
  if (items.length * 3 > room) return undefined;
  let out = "[";
  for (const item of items) {
    const text = flowText(item, room - out.length - 2);
    if (text === undefined) return undefined;
    out += out === "[" ? text : `, ${text}`;
  }
  return out.length < room ? `${out}]` : undefined;
}

function flowMapping(value: { [key: string]: JsonValue }, room: number): string | undefined {
  let out = "";
  for (const key in value) {
    out += `${out === "" ? "{ " : ", "}${keyText(key)}: `;
    const text = out.length > room ? undefined : flowText(value[key] as JsonValue, room - out.length);
    if (text === undefined) return undefined;
    out += text;
  }
  if (out === "") return "{}";
  return out.length + 2 <= room ? `${out} }` : undefined;
}
