import { type LineEnding, LineFramer } from "../../src/wire/line-framer.ts";
import { Room } from "../../src/wire/room.ts";
import { type SseEvent, SseFramer } from "../../src/wire/sse-framer.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The bytes in chunks, cut at these places (taken modulo the length, in any order, empty chunks included). */
export function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
}

export interface Line extends LineEnding {
  readonly bytes: Uint8Array;
}

export function linesOf(chunks: Iterable<Uint8Array>): Line[] {
  const lines: Line[] = [];
  const framer = new LineFramer();
  const onLine = (bytes: Uint8Array, ending: LineEnding): void => {
    lines.push({ bytes: Uint8Array.from(bytes), terminated: ending.terminated });
  };
  for (const chunk of chunks) framer.push(chunk, onLine);
  framer.end(onLine);
  return lines;
}

/** Memory as recorders take it: of a Buffer, whose `slice` copies nothing. */
const roomOf = (onMade: (bytes: Uint8Array) => void = () => {}): Room =>
  new Room((length) => {
    const bytes = Buffer.alloc(length);
    onMade(bytes);
    return bytes;
  });

/** With memory used again: lines are looked at when the push that brought them is over, the latest allowed. */
export function linesReusing(chunks: Iterable<Uint8Array>): Line[] {
  const lines: Line[] = [];
  const framer = new LineFramer({ room: roomOf() });
  const taking = (push: (onLine: (bytes: Uint8Array, ending: LineEnding) => void) => void): void => {
    const views: Line[] = [];
    push((bytes, { terminated }) => views.push({ bytes, terminated }));
    lines.push(...views.map((line) => ({ ...line, bytes: Uint8Array.from(line.bytes) })));
  };
  for (const chunk of chunks) taking((onLine) => framer.push(chunk, onLine));
  taking((onLine) => framer.end(onLine));
  return lines;
}

export interface EventStream {
  readonly events: readonly SseEvent[];
  readonly cutOff: boolean;
}

export function eventsOf(chunks: Iterable<Uint8Array>): EventStream {
  const events: SseEvent[] = [];
  const framer = new SseFramer();
  for (const chunk of chunks) {
    framer.push(chunk, (event) => {
      events.push({ ...event, data: event.data && Uint8Array.from(event.data) });
    });
  }
  return { events, cutOff: framer.end() };
}

/** With memory used again: an event is looked at when it comes, and between chunks others write into the memory. */
export function eventsReusing(chunks: Iterable<Uint8Array>): EventStream {
  const events: SseEvent[] = [];
  let written: Uint8Array | undefined;
  const room = roomOf((bytes) => {
    written = bytes;
  });
  const framer = new SseFramer({ room });
  for (const chunk of chunks) {
    framer.push(chunk, (event) => {
      events.push({ ...event, data: event.data && Uint8Array.from(event.data) });
    });
    written?.fill(0x21);
  }
  return { events, cutOff: framer.end() };
}

/** Every framer as a function from chunks to what it delivers. */
export const FRAMERS: readonly { name: string; frames: (chunks: Iterable<Uint8Array>) => unknown }[] = [
  { name: "LineFramer", frames: linesOf },
  { name: "LineFramer, reusing memory", frames: linesReusing },
  { name: "SseFramer", frames: eventsOf },
  { name: "SseFramer, reusing memory", frames: eventsReusing },
];
