import { type Message, readMessage } from "../protocol/message.ts";
import { senderOf } from "../protocol/methods.ts";
import { versionsOf } from "../protocol/revisions.ts";
import { findSpan } from "../protocol/scan-json.ts";
import { isMiss } from "../replay/miss.ts";

/** HTTP statuses that the modern era gives to JSON-RPC errors (2026-07-28 basic/transports/streamable-http). */
const STATUS_OF_ERROR: Readonly<Record<string, number>> = {
  "-32601": 404,
  "-32020": 400,
  "-32021": 400,
  "-32022": 400,
};

/** The HTTP status with which the modern era answers a request. */
export function statusOfError(bytes: Uint8Array, { method }: Message): number {
  // A miss keeps its code and its data, so that nobody takes it for the recorded server's word.
  if (isMiss(readMessage(bytes)) && !isModernRequest(method)) return 404;
  const span = findSpan(bytes, ["error", "code"]);
  if (!span) return 200;
  return STATUS_OF_ERROR[new TextDecoder().decode(bytes.subarray(span.start, span.end))] ?? 200;
}

/** Whether a client of the modern era may ask this of a server. */
function isModernRequest(method: string | undefined): boolean {
  return versionsOf("modern").some((version) => {
    const sender = method === undefined ? undefined : senderOf(method, version);
    return sender === "client" || sender === "both";
  });
}
