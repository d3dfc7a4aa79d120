import type { Exchange } from "../exchange/exchange.ts";
import type { Message } from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";
import { findSpan, replaceSpans } from "../protocol/scan-json.ts";
import { spliced } from "./splice.ts";

/** A request's id as the client spelt it. */
export function liveIdOf({ scan, bytes }: Message): Uint8Array | undefined {
  const span = scan.members.id;
  return span && bytes.subarray(span.start, span.end);
}

/** The token for progress that a request gives, as its client spelt it. */
export function progressTokenOf({ bytes }: Message): Uint8Array | undefined {
  const span = findSpan(bytes, ["params", "_meta", "progressToken"]);
  return span && bytes.subarray(span.start, span.end);
}

/**
 * The recorded answer of an exchange with the live request's id, also where a subscription is named after it.
 * @param roomFor see `DoorSide`
 */
export function answerWithId(
  { message, exchange }: { readonly message: Message; readonly exchange: Exchange },
  live: Uint8Array | undefined,
  roomFor: (length: number) => Uint8Array,
): Uint8Array {
  // An error that names no request, for one that could not be read.
  const unnamed = message.id === undefined || (message.id === "null" && exchange.id !== "null");
  if (unnamed) return message.bytes;
  if (exchange.method === "subscriptions/listen") {
    const names = [["id"], ["result", "_meta", META.subscriptionId]];
    return spliced(
      message,
      names.map((name) => [name, live]),
    );
  }
  const span = message.scan.members.id;
  // Sent at once; only a stream that can be resumed keeps it, together with its neighbours.
  return span && live ? replaceSpans(message.bytes, [{ span, replacement: live }], roomFor) : message.bytes;
}
