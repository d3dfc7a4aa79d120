import type { Message } from "../protocol/message.ts";
import { findSpan, replaceSpans, type Span } from "../protocol/scan-json.ts";

/** What stands at a path from now on; nothing changes where there is none. */
export type Splice = readonly [path: readonly string[], token: Uint8Array | undefined];

/** The message's bytes with other tokens at these paths, where it has them. */
export function spliced(message: Message, splices: readonly Splice[]): Uint8Array {
  const spans: { span: Span; replacement: Uint8Array }[] = [];
  for (const [path, replacement] of splices) {
    const span = findSpan(message.bytes, path);
    if (span && replacement) spans.push({ span, replacement });
  }
  if (spans.length === 0) return message.bytes;
  return replaceSpans(
    message.bytes,
    spans.sort((a, b) => a.span.start - b.span.start),
  );
}
