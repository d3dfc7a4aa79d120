import { copyOf } from "../protocol/copy-of.ts";
import { textOf } from "../protocol/message.ts";
import { Pieces } from "./pieces.ts";
import type { Room } from "./room.ts";

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);
const LINE_FEED = Uint8Array.of(LF);
const NOTHING = new Uint8Array(0);

/**
 * One block of an event stream. `data` is undefined where no data line was: browsers dispatch no event then, yet `id`
 * and `retry` hold, and MCP servers use both that and the empty `data` ("priming events", 2025-11-25).
 */
export interface SseEvent {
  /** As sent; `message` is what its absence means. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  /** Milliseconds. */
  readonly retry?: number | undefined;
  /** The data lines, joined with `\n`. A view of the chunk when one line within one chunk made it. */
  readonly data: Uint8Array | undefined;
}

/** Receives every block that says something; comments and unknown or invalid fields alone do not. */
export type OnEvent = (event: SseEvent) => void;

interface Block {
  name: string | undefined;
  id: string | undefined;
  retry: number | undefined;
  data: Pieces | undefined;
}

const emptyBlock = (): Block => ({ name: undefined, id: undefined, retry: undefined, data: undefined });

/**
 * Cuts `text/event-stream` into events by the algorithm of the HTML standard
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation), on bytes: lines end
 * with LF, CR or CRLF wherever chunks are cut, and data is handed on undecoded. Linear in the stream's length.
 */
export class SseFramer {
  readonly #begun = new Pieces();
  #block = emptyBlock();
  #atStart = true;
  /** The last chunk ended in CR, so an LF that comes next belongs to it. */
  #afterCr = false;
  readonly #room: Room | undefined;
  /** Data of the event that has begun may be in the room. */
  #inRoom = false;

  /** With `room`, where lines over many chunks are joined, data is good only as long as its event is being received. */
  constructor({ room }: { readonly room?: Room | undefined } = {}) {
    this.#room = room;
  }

  push(chunk: Uint8Array, onEvent: OnEvent): void {
    if (chunk.length === 0) return;
    let start = this.#afterCr && chunk[0] === LF ? 1 : 0;
    this.#afterCr = false;
    let lf = chunk.indexOf(LF, start);
    let cr = chunk.indexOf(CR, start);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      this.#finishLine(chunk.subarray(start, end), onEvent);
      start = end + 1;
      if (end === cr) {
        if (chunk[start] === LF) start += 1;
        else this.#afterCr = start === chunk.length;
      }
      if (lf !== -1 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr !== -1 && cr < start) cr = chunk.indexOf(CR, start);
    }
    if (start < chunk.length) this.#begun.add(chunk.subarray(start));
    if (this.#inRoom) this.#clearRoom();
  }

  /**
   * The stream is over. An event without its blank line is discarded, as the standard has it; true says that there
   * was one. The framer is as new afterwards.
   */
  end(): boolean {
    const line = this.#begun.take();
    const cutOff = saysSomething(this.#block) || (line.length > 0 && line[0] !== COLON);
    this.#block = emptyBlock();
    this.#atStart = true;
    this.#afterCr = false;
    return cutOff;
  }

  #finishLine(tail: Uint8Array, onEvent: OnEvent): void {
    let line = tail;
    if (this.#begun.length > 0) {
      this.#begun.add(tail);
      line = this.#begun.take(this.#roomFor(this.#begun.length));
    }
    if (this.#atStart) {
      this.#atStart = false;
      if (startsWith(line, BOM)) line = line.subarray(BOM.length);
    }
    if (line.length === 0) this.#finishBlock(onEvent);
    else readField(line, this.#block);
  }

  /** An event has room for one line of data. */
  #roomFor(length: number): Uint8Array | undefined {
    const room = this.#block.data ? undefined : this.#room?.for(length);
    this.#inRoom ||= room !== undefined;
    return room;
  }

  /** An event that is not whole yet takes its data along: others use the room before the rest comes. */
  #clearRoom(): void {
    this.#inRoom = false;
    const { data } = this.#block;
    data?.add(copyOf(data.take()));
  }

  #finishBlock(onEvent: OnEvent): void {
    const block = this.#block;
    if (!saysSomething(block)) return;
    this.#block = emptyBlock();
    const { name, id, retry } = block;
    onEvent({
      ...(name !== undefined && { name }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry }),
      data: block.data?.take(),
    });
  }
}

function saysSomething(block: Block): boolean {
  return (
    block.data !== undefined ||
    block.id !== undefined ||
    block.name !== undefined ||
    block.retry !== undefined
  );
}

/** No field the standard knows has a longer name. */
const LONGEST_NAME = 5;

function readField(line: Uint8Array, block: Block): void {
  let colon = 0;
  while (colon <= LONGEST_NAME && colon < line.length && line[colon] !== COLON) colon += 1;
  const read = FIELDS.find(({ name }) => name.length === colon && startsWith(line, name))?.read;
  if (read === undefined) return;
  const start = line[colon + 1] === SPACE ? colon + 2 : colon + 1;
  read(block, start < line.length ? line.subarray(start) : NOTHING);
}

interface Field {
  readonly name: Uint8Array;
  readonly read: (block: Block, value: Uint8Array) => void;
}

const encoder = new TextEncoder();

const FIELDS: readonly Field[] = [
  { name: encoder.encode("data"), read: readData },
  { name: encoder.encode("event"), read: readName },
  { name: encoder.encode("id"), read: readId },
  { name: encoder.encode("retry"), read: readRetry },
];

function readData(block: Block, value: Uint8Array): void {
  if (block.data === undefined) block.data = new Pieces();
  else block.data.add(LINE_FEED);
  block.data.add(value);
}

/** An empty type means the default one, as none does. */
function readName(block: Block, value: Uint8Array): void {
  block.name = value.length > 0 ? textOf(value) : undefined;
}

function readId(block: Block, value: Uint8Array): void {
  if (!value.includes(0)) block.id = textOf(value);
}

/** Digits only; past what JavaScript counts exactly (285,000 years) the longest it does. */
function readRetry(block: Block, value: Uint8Array): void {
  const digits = textOf(value);
  if (/^[0-9]+$/.test(digits)) block.retry = Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  for (let index = 0; index < start.length; index += 1) if (bytes[index] !== start[index]) return false;
  return true;
}
