import type { ByteSink } from "../cassette/codec.ts";

const SIZE = 64 * 1024;
/** From here on a piece is kept as it is rather than copied. */
const LARGE = 16 * 1024;

/** Pieces of a file gathered for one write: small ones copied together, large ones kept as they are. */
export class PendingBytes implements ByteSink {
  #room = Buffer.allocUnsafeSlow(SIZE);
  #start = 0;
  #end = 0;
  #pieces: Uint8Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  text(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    if (text.length * 3 > SIZE - this.#end) {
      if (text.length * 3 > LARGE) return this.#keep(Buffer.from(text));
      this.#turn();
    }
    const count = this.#room.write(text, this.#end);
    this.#end += count;
    this.#length += count;
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.length > SIZE - this.#end) {
      if (bytes.length > LARGE) return this.#keep(bytes);
      this.#turn();
    } else if (bytes.length > LARGE) return this.#keep(bytes);
    this.#room.set(bytes, this.#end);
    this.#end += bytes.length;
    this.#length += bytes.length;
  }

  /** All pieces in order; they are good until the next piece is added. */
  take(): readonly Uint8Array[] {
    this.#cut();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#start = 0;
    this.#end = 0;
    this.#length = 0;
    return pieces;
  }

  #keep(bytes: Uint8Array): void {
    this.#cut();
    this.#pieces.push(bytes);
    this.#length += bytes.length;
  }

  #cut(): void {
    if (this.#end > this.#start) this.#pieces.push(this.#room.subarray(this.#start, this.#end));
    this.#start = this.#end;
  }

  /** A new room, since pieces of the old one are still to be written. */
  #turn(): void {
    this.#cut();
    this.#room = Buffer.allocUnsafeSlow(SIZE);
    this.#start = 0;
    this.#end = 0;
  }
}
