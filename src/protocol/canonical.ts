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
  /**
   * Another text for the value at this JSON pointer, which need not be JSON; undefined writes the value as it is. Not
   * asked about the root, nor about what stands in a value that it gave another text.
   */
  readonly rewrite?: ((pointer: string, plain: PlainText) => string | undefined) | undefined;
}

/** The canonical text of a value that may get another one, worked out when it is asked for. */
export interface PlainText {
  whole(): string;
  /** Of an array, the text of each element; undefined of anything else. */
  elements(): readonly string[] | undefined;
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
  return write(value instanceof Uint8Array ? readBytes(value) : value, options, "");
}

function readBytes(bytes: Uint8Array): Value {
  const scan = scanJson(bytes);
  if (!scan.valid) throw new SyntaxError("no canonical form: the text is not valid JSON in UTF-8");
  return scan.harmed ? readExact(bytes) : (JSON.parse(textOf(bytes)) as JsonValue);
}

/**
 * The same of a value that stands at a pointer in a larger one, which the options are asked about too: empty where it is
 * left out.
 */
export function canonicalAt(pointer: string, value: JsonValue, options: CanonicalOptions): string {
  if (options.omit?.(pointer)) return "";
  const plain = plainText(value, options, pointer);
  return options.rewrite?.(pointer, plain) ?? plain.whole();
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

function write(root: Value, options: CanonicalOptions, at: string): string {
  if (!isContainer(root)) return scalarText(root);
  const { omit, rewrite } = options;
  const stack: Open[] = [];
  let open: Open | undefined = opened(root, at);
  let text = open.keys ? "{" : "[";
  while (open !== undefined) {
    if (open.next === open.length) {
      text += open.keys ? "}" : "]";
      open = stack.pop();
      continue;
    }
    const step: string | number = open.keys ? (open.keys[open.next] as string) : open.next;
    open.next++;
    const pointer: string = omit || rewrite ? `${open.pointer}/${escapePointer(step)}` : "";
    if (omit?.(pointer)) continue;
    if (!open.empty) text += ",";
    open.empty = false;
    if (typeof step === "string") text += `${JSON.stringify(step)}:`;
    const child = childAt(open.value, step);
    const other = rewrite?.(pointer, plainText(child, options, pointer));
    if (other !== undefined) text += other;
    else if (isContainer(child)) {
      stack.push(open);
      open = opened(child, pointer);
      text += open.keys ? "{" : "[";
    } else text += scalarText(child);
  }
  return text;
}

function plainText(value: Value, options: CanonicalOptions, at: string): PlainText {
  return {
    whole: () => write(value, options, at),
    elements: () => {
      if (!Array.isArray(value)) return undefined;
      return [...value.entries()].flatMap(([index, element]) => {
        const pointer = `${at}/${index}`;
        if (options.omit?.(pointer)) return [];
        const plain = plainText(element, options, pointer);
        return [options.rewrite?.(pointer, plain) ?? plain.whole()];
      });
    },
  };
}

function opened(value: Container, pointer: string): Open {
  const keys = keysOf(value);
  const length = keys ? keys.length : (value as unknown[]).length;
  return { value, keys, length, pointer, next: 0, empty: true };
}

function keysOf(value: Container): readonly string[] | undefined {
  if (Array.isArray(value)) return undefined;
  const keys = value instanceof Map ? [...value.keys()] : Object.keys(value);
  return isSorted(keys) ? keys : keys.sort();
}

/** Most objects are small and written in order, and to look costs less than to sort. */
function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] as string) > (keys[i] as string)) return false;
  return true;
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
