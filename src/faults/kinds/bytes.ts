import type { JsonValue, Message } from "../../protocol/message.ts";
import { findSpan, replaceSpan, scanJson } from "../../protocol/scan-json.ts";
import { liveIdOf } from "../../replay/live-id.ts";
import { join } from "../../wire/pieces.ts";
import { singleLine } from "../../wire/single-line.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A response to a request, with its id as the client spelt it. */
export function responseTo(request: Message, member: "result" | "error", value: JsonValue): Uint8Array {
  const id = decoder.decode(liveIdOf(request) ?? encoder.encode("null"));
  return encoder.encode(`{"jsonrpc":"2.0","id":${id},"${member}":${JSON.stringify(value)}}`);
}

/** A comma too many: no JSON any more. */
export function malformed(bytes: Uint8Array): Uint8Array {
  const end = bytes.lastIndexOf(0x7d);
  return join([bytes.subarray(0, end), encoder.encode(","), bytes.subarray(end)]);
}

/** The first bytes, half of them where no number is given. What is shorter stays without its last byte. */
export function truncated(bytes: Uint8Array, kept: number | undefined): Uint8Array {
  const line = singleLine(bytes);
  return line.subarray(0, Math.min(kept ?? line.length >> 1, line.length - 1));
}

export function withId(bytes: Uint8Array, id: JsonValue): Uint8Array {
  const span = scanJson(bytes).members.id;
  return span ? replaceSpan(bytes, span, encoder.encode(JSON.stringify(id))) : bytes;
}

/** With so many bytes more: a tool's result has one more text, everything else a member in `_meta` or `error`. */
export function oversized(bytes: Uint8Array, size: number): Uint8Array {
  // Another fault may have left no JSON.
  if (!scanJson(bytes).valid) return bytes;
  const filler = "x".repeat(size);
  const content = findSpan(bytes, ["result", "content"]);
  if (content && bytes[content.start] === 0x5b) {
    return opened(bytes, content.start, `{"type":"text","text":"${filler}"}`);
  }
  const meta = findSpan(bytes, ["result", "_meta"]);
  const member = `"mcp-vcr/filler":"${filler}"`;
  if (meta) return opened(bytes, meta.start, member);
  const result = findSpan(bytes, ["result"]);
  if (result) return opened(bytes, result.start, `"_meta":{${member}}`);
  const error = findSpan(bytes, ["error"]);
  return error ? opened(bytes, error.start, member) : bytes;
}

/** With one more element or member at the front of the list or object that begins there. */
function opened(bytes: Uint8Array, start: number, text: string): Uint8Array {
  const rest = bytes.subarray(start + 1);
  const isEmpty = /^[\s]*[\]}]/.test(decoder.decode(rest.subarray(0, 64)));
  return join([bytes.subarray(0, start + 1), encoder.encode(isEmpty ? text : `${text},`), rest]);
}
