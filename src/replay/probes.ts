import { type Message, textOf } from "../protocol/message.ts";
import { claimedVersion } from "../protocol/revisions.ts";
import { discoverShown } from "./eras/openings.ts";
import type { Written } from "./forward/real-server.ts";
import { paramsOf } from "./key.ts";
import type { Recording } from "./recording.ts";

/** Asked to find out about the connection: it tells clients apart no more than it tells servers apart. */
export function isProbe({ method }: Pick<Message, "method">): boolean {
  return method === "ping" || method === "server/discover";
}

/**
 * Answers to what clients ask of any server to find out about the connection, not about the server. None of them is
 * a miss, recorded or not.
 * @param written what somebody wrote, which answers such requests itself
 */
export function probeAnswer(
  message: Message,
  recording: Recording,
  written?: Written,
): Uint8Array | undefined {
  if (written && message.kind === "request") return undefined;
  const id = message.id ?? "null";
  // Either side MUST answer a ping promptly (2025-11-25 basic/utilities/ping). The modern era has none.
  if (message.method === "ping" && recording.era !== "modern" && !isModern(message)) {
    return encode(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
  }
  // A server of the modern era MUST know it (2026-07-28 basic/versioning), whether or not the recorded client asked.
  if (message.method === "server/discover" && recording.speaks("modern") && isModern(message)) {
    return encode(`{"jsonrpc":"2.0","id":${id},"result":${discoverShown(recording)}}`);
  }
  // Asked without what makes a request modern, it is an unknown method to a legacy server, as to those recorded.
  if (message.method === "server/discover" && recording.speaks("legacy") && !recording.speaks("modern")) {
    return errorBytes(id, -32601, "Method not found");
  }
  if (message.kind === "malformed" || message.kind === "batch") return malformedAnswer(message);
  return undefined;
}

function isModern(message: Message): boolean {
  return claimedVersion(paramsOf(message)) !== undefined;
}

/** JSON-RPC 2.0 section 5.1: text that is no JSON is a parse error, JSON that is no message an invalid request. */
function malformedAnswer(message: Message): Uint8Array {
  return message.scan.valid
    ? errorBytes("null", -32600, `Invalid Request: ${shorten(message.bytes)}`)
    : errorBytes("null", -32700, "Parse error");
}

function shorten(bytes: Uint8Array): string {
  return textOf(bytes.subarray(0, 80));
}

export function errorBytes(id: string, code: number, message: string): Uint8Array {
  return encode(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
