import type { Writable } from "node:stream";

/** Bytes that are gathered at most before they are written: the reader has something to do while more is made. */
const ROOM = 8 * 1024;
const NEWLINE = 0x0a;

/** Lines on their way to a stream, gathered so that those which are told at once are one write. */
export class LinesOut {
  readonly #out: Writable;
  /** It hands what it is given to the system, or holds it and says so; others may pass it on as it is. */
  readonly #isOfSystem: boolean;
  #room: Buffer | undefined;
  #used = 0;
  /** Where the next line is being made. */
  #next: Uint8Array | undefined;

  constructor(out: Writable) {
    this.#out = out;
    this.#isOfSystem = "fd" in out;
  }

  /** Room to make a line of so many bytes in: it is not copied then. Whatever comes before that line undoes this. */
  roomFor(length: number): Uint8Array {
    if (length >= ROOM) return new Uint8Array(length);
    const room = this.#roomFor(length);
    this.#next = new Uint8Array(room.buffer, this.#used, length);
    return this.#next;
  }

  /** A line, without the newline that ends it. */
  line(bytes: Uint8Array): void {
    if (bytes === this.#next) this.#used += bytes.length;
    else this.part(bytes);
    this.#next = undefined;
    this.#room ??= Buffer.allocUnsafeSlow(ROOM);
    this.#room[this.#used++] = NEWLINE;
    if (this.#used === ROOM) this.flush();
  }

  /** Bytes of a line. */
  part(bytes: Uint8Array): void {
    if (bytes.length >= ROOM) {
      this.flush();
      this.#out.write(bytes);
      return;
    }
    this.#roomFor(bytes.length).set(bytes, this.#used);
    this.#used += bytes.length;
  }

  #roomFor(length: number): Buffer {
    this.#next = undefined;
    if (this.#used + length >= ROOM) this.flush();
    this.#room ??= Buffer.allocUnsafeSlow(ROOM);
    return this.#room;
  }

  /** Writes what was gathered. */
  flush(): void {
    this.#next = undefined;
    if (!this.#room || this.#used === 0) return;
    this.#out.write(this.#room.subarray(0, this.#used));
    this.#used = 0;
    if (!this.#isOfSystem || this.#out.writableLength > 0) this.#room = undefined;
  }

  /** Bytes that the stream holds because its reader is slow. */
  get waiting(): number {
    return this.#out.writableLength;
  }
}
