import { escapePointer } from "./json-diff.ts";
import { type ExactJson, ExactNumber, readExact } from "./json-exact.ts";
import { type JsonValue, textOf } from "./message.ts";
import { scanJson } from "./scan-json.ts";

export interface CanonicalOptions {
  /**
   * True leaves out the member or element at this JSON pointer (RFC 6901), with all that is in it. Elements behind
   * one left out keep their index in the pointers asked about. Not asked about the root.
   */
  readonly omit?: ((pointer: string) => boolean) | undefined;
}

/**
 * One text for all spellings of a value, for equality and as a key: members sorted by UTF-16 code units, no white
 * space, strings as JSON.stringify spells them, numbers by value (see `canonicalNumber`), of duplicate keys the last.
 *
 * Bytes are valid JSON text (otherwise a SyntaxError is thrown) and count exactly as they are; give those where
 * `scan.harmed` is true. A JavaScript number counts as its shortest spelling, and the infinity that JSON.parse makes
 * of `1e400` as `Infinity`. Time is linear but for the sorting; no depth overflows.
 */
export function canonicalJson(value: JsonValue | Uint8Array, options: CanonicalOptions = {}): string {
  return write(value instanceof Uint8Array ? readBytes(value) : value, options.omit);
}

function readBytes(bytes: Uint8Array): Value {
  const scan = scanJson(bytes);
  if (!scan.valid) throw new SyntaxError("no canonical form: the text is not valid JSON in UTF-8");
  return scan.harmed ? readExact(bytes) : (JSON.parse(textOf(bytes)) as JsonValue);
}

type Value = JsonValue | ExactJson;
type Container = Exclude<Value, null | boolean | number | string | ExactNumber>;

/** A container being written. */
interface Open {
  readonly value: Container;
  /** Sorted keys; none of an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  readonly pointer: string;
  next: number;
  empty: boolean;
}

function write(root: Value, omit: CanonicalOptions["omit"]): string {
  if (!isContainer(root)) return scalarText(root);
  const stack: Open[] = [];
  let open: Open | undefined = opened(root, "");
  let text = open.keys ? "{" : "[";
  while (open !== undefined) {
    if (open.next === open.length) {
      text += open.keys ? "}" : "]";
      open = stack.pop();
      continue;
    }
    const step: string | number = open.keys ? (open.keys[open.next] as string) : open.next;
    open.next++;
    const pointer: string = omit ? `${open.pointer}/${escapePointer(step)}` : "";
    if (omit?.(pointer)) continue;
    if (!open.empty) text += ",";
    open.empty = false;
    if (typeof step === "string") text += `${JSON.stringify(step)}:`;
    const child = childAt(open.value, step);
    if (isContainer(child)) {
      stack.push(open);
      open = opened(child, pointer);
      text += open.keys ? "{" : "[";
    } else text += scalarText(child);
  }
  return text;
}

function opened(value: Container, pointer: string): Open {
  const keys = keysOf(value);
  const length = keys ? keys.length : (value as unknown[]).length;
  return { value, keys, length, pointer, next: 0, empty: true };
}

function keysOf(value: Container): readonly string[] | undefined {
  if (Array.isArray(value)) return undefined;
  return (value instanceof Map ? [...value.keys()] : Object.keys(value)).sort();
}

function childAt(value: Container, step: string | number): Value {
  if (Array.isArray(value)) return value[step as number] as Value;
  if (value instanceof Map) return value.get(step as string) as Value;
  return value[step] as Value;
}

function isContainer(value: Value): value is Container {
  return typeof value === "object" && value !== null && !(value instanceof ExactNumber);
}

function scalarText(value: Exclude<Value, Container>): string {
  if (typeof value === "string") return JSON.stringify(value);
  return value instanceof ExactNumber ? value.text : `${value}`;
}
