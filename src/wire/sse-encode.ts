import { VcrError } from "../errors.ts";
import { join } from "./pieces.ts";
import type { SseEvent } from "./sse-framer.ts";

const LF = 0x0a;
const CR = 0x0d;
const encoder = new TextEncoder();
const DATA = encoder.encode("data: ");
const END_OF_LINE = encoder.encode("\n");

/**
 * The block of an event stream that `SseFramer` reads back as this event
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream).
 *
 * Data with line breaks becomes several data lines. The format cannot carry a carriage return: CRLF and a lone CR in
 * data arrive as `\n`. JSON text has them only as white space between tokens, so no value changes.
 * @throws VcrError `cassette-invalid` for an event that no stream can carry: line breaks in name or id, NUL in id, an
 * empty name, a retry that is no whole number of milliseconds, or nothing at all.
 */
export function encodeSse(event: SseEvent): Uint8Array {
  const { name, id, retry, data } = event;
  const head: string[] = [];
  if (name !== undefined) head.push(`event: ${checked("name", name, /^[^\r\n]+$/)}\n`);
  if (id !== undefined) head.push(`id: ${checked("id", id, /^[^\r\n\0]*$/)}\n`);
  if (retry !== undefined) head.push(`retry: ${checked("retry", retry, /^[0-9]+$/)}\n`);
  if (head.length === 0 && data === undefined) {
    throw new VcrError("cassette-invalid", "A Server-Sent Event needs a name, an id, a retry or data.");
  }
  const parts: Uint8Array[] = [encoder.encode(head.join(""))];
  if (data !== undefined) for (const line of linesOf(data)) parts.push(DATA, line, END_OF_LINE);
  parts.push(END_OF_LINE);
  return join(parts);
}

function checked(field: string, value: string | number, allowed: RegExp): string {
  const text = String(value);
  if (allowed.test(text)) return text;
  throw new VcrError(
    "cassette-invalid",
    `A Server-Sent Event cannot carry the ${field} ${JSON.stringify(value)}.`,
    {
      hint: "No line breaks in name and id, no NUL in id, and whole milliseconds for retry.",
    },
  );
}

function* linesOf(data: Uint8Array): Iterable<Uint8Array> {
  let start = 0;
  let lf = data.indexOf(LF);
  let cr = data.indexOf(CR);
  while (lf !== -1 || cr !== -1) {
    const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
    yield data.subarray(start, end);
    start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
    if (lf !== -1 && lf < start) lf = data.indexOf(LF, start);
    if (cr !== -1 && cr < start) cr = data.indexOf(CR, start);
  }
  yield data.subarray(start);
}
