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

  constructor(out: Writable) {
    this.#out = out;
    this.#isOfSystem = "fd" in out;
  }

  /** A line, without the newline that ends it. */
  line(bytes: Uint8Array): void {
    this.part(bytes);
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
    if (this.#used + bytes.length >= ROOM) this.flush();
    this.#room ??= Buffer.allocUnsafeSlow(ROOM);
    this.#room.set(bytes, this.#used);
    this.#used += bytes.length;
  }

  /** Writes what was gathered. */
  flush(): void {
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
