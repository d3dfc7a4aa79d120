import { Pieces } from "./pieces.ts";
import type { Room } from "./room.ts";

const LF = 0x0a;
const CR = 0x0d;

export interface LineEnding {
  /** A newline followed. False only for a last line that the stream's end cut short or left without one. */
  readonly terminated: boolean;
}

/**
 * Receives one line without its ending. The line is a view of the chunk it came in, when it lies within one: it stays
 * valid as long as nobody writes into that chunk (Node never does), and keeps the chunk's memory alive.
 */
export type OnLine = (line: Uint8Array, ending: LineEnding) => void;

const TERMINATED: LineEnding = Object.freeze({ terminated: true });
const UNTERMINATED: LineEnding = Object.freeze({ terminated: false });

/**
 * Cuts a byte stream into lines at `\n`, as the stdio transport frames messages
 * (https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio). One `\r` at a line's end is
 * dropped, empty lines are not delivered, and what the bytes mean does not matter. How the stream was chunked
 * never shows. Memory is bounded by the longest line.
 */
export class LineFramer {
  readonly #begun = new Pieces();
  readonly #room: Room | undefined;

  /** With `room`, where lines over many chunks are joined, a line is good only until the next `push` or `end`. */
  constructor({ room }: { readonly room?: Room | undefined } = {}) {
    this.#room = room;
  }

  push(chunk: Uint8Array, onLine: OnLine): void {
    let start = 0;
    while (start < chunk.length) {
      const end = chunk.indexOf(LF, start);
      if (end === -1) {
        this.#begun.add(chunk.subarray(start));
        return;
      }
      this.#finish(chunk.subarray(start, end), TERMINATED, onLine);
      start = end + 1;
    }
  }

  /** The stream is over: delivers the last line if no newline did. The framer is as new afterwards. */
  end(onLine: OnLine): void {
    this.#finish(new Uint8Array(0), UNTERMINATED, onLine);
  }

  #finish(tail: Uint8Array, ending: LineEnding, onLine: OnLine): void {
    let line = tail;
    if (this.#begun.length > 0) {
      this.#begun.add(tail);
      line = this.#begun.take(this.#room?.for(this.#begun.length));
    }
    if (line[line.length - 1] === CR) line = line.subarray(0, -1);
    if (line.length > 0) onLine(line, ending);
  }
}
