import type { Span } from "./json-tokens.ts";
import { methodNameAt } from "./method-name.ts";
import { type JsonScan, scanJson } from "./scan-json.ts";

/** Any value JSON text can denote, as JavaScript holds it. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export type Side = "client" | "server";

/**
 * A JSON-RPC id as its exact JSON token: `1`, `"1"`, `0`, `""`, `null`, `9007199254740993`.
 * Tokens compare as text, so `1` and `"1"` never meet. Only the escapes of a string are respelled, in the one way of
 * JSON.stringify: many a peer answers `"\u00e9"` to `"é"`, and means the same id.
 */
export type IdToken = string;

export type MessageKind = "request" | "notification" | "response" | "batch" | "malformed";

/**
 * What crossed the wire, with its exact bytes. Reading never throws: what is no JSON-RPC message is `malformed`
 * and kept.
 */
export interface Message {
  /** Exact UTF-8 JSON text without line ending. For `malformed` possibly no JSON, no UTF-8. */
  readonly bytes: Uint8Array;
  readonly kind: MessageKind;
  /** Of requests and responses. A response without id has none. */
  readonly id: IdToken | undefined;
  readonly method: string | undefined;
  /** A response that carries `error`. */
  readonly isError: boolean;
  readonly scan: JsonScan;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Exact text of a piece of UTF-8. */
export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * Reads one frame as a JSON-RPC message (https://www.jsonrpc.org/specification). Extra members do not matter;
 * a member `id` makes a message with `method` a request, whatever the id's value (`null` included).
 * @param forHarm see `scanJson`
 */
export function readMessage(bytes: Uint8Array, forHarm = false): Message {
  return messageOf(bytes, scanJson(bytes, forHarm));
}

/** The message that such a scan of a frame shows. */
export function messageOf(bytes: Uint8Array, scan: JsonScan): Message {
  const { kind, id, method, isError } = shapeOf(bytes, scan);
  return { bytes, kind, id, method, isError, scan };
}

type Shape = Pick<Message, "kind" | "id" | "method" | "isError">;

const MALFORMED: Shape = { kind: "malformed", id: undefined, method: undefined, isError: false };

function shapeOf(bytes: Uint8Array, scan: JsonScan): Shape {
  if (!scan.valid) return MALFORMED;
  if (scan.root === "array") return { ...MALFORMED, kind: "batch" };
  if (scan.root !== "object") return MALFORMED;
  const { members } = scan;
  const id = members.id && idAt(bytes, members.id);
  const method = members.method && methodAt(bytes, members.method);
  if (method !== undefined) {
    return { kind: id === undefined ? "notification" : "request", id, method, isError: false };
  }
  if (members.result || members.error) {
    return { kind: "response", id, method: undefined, isError: members.error !== undefined };
  }
  return MALFORMED;
}

/** The spelling of an id: see `IdToken`. */
export function idToken(text: string): IdToken {
  return text.startsWith('"') && text.includes("\\") ? JSON.stringify(JSON.parse(text)) : text;
}

/** Digits of a number that JavaScript spells the same way. */
const MOST_DIGITS = 15;

/** Nearly all ids are counted, and a small number's text is at hand. */
function idAt(bytes: Uint8Array, { start, end }: Span): IdToken {
  const first = bytes[start] as number;
  if (first < 0x31 || first > 0x39 || end - start > MOST_DIGITS)
    return idToken(textOf(bytes.subarray(start, end)));
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] as number) - 0x30;
    if (digit < 0 || digit > 9) return textOf(bytes.subarray(start, end));
    value = value * 10 + digit;
  }
  return String(value);
}

function methodAt(bytes: Uint8Array, { start, end }: Span): string | undefined {
  return bytes[start] === 0x22 ? methodNameAt(bytes, start, end) : undefined;
}

/** The whole message as a JavaScript value; throws on a frame that is no JSON (`scan.valid` is false). */
export function jsonOf(message: Message): JsonValue {
  if (!message.scan.valid) throw new SyntaxError("the message is not valid JSON in UTF-8");
  return JSON.parse(textOf(message.bytes)) as JsonValue;
}

/** The messages of a batch, or the message itself. */
export function* eachMessage(message: Message): Iterable<Message> {
  if (message.kind !== "batch") {
    yield message;
    return;
  }
  for (const item of message.scan.items) yield readMessage(message.bytes.subarray(item.start, item.end));
}
