/**
 * Bytes that have come in and are not used up. What it hands out is never written to again, and any number of small
 * chunks costs linear time.
 */
export class Pending {
  #buffer: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  #owned = false;

  append(chunk: Uint8Array): void {
    const held = this.length;
    if (held === 0) {
      this.#buffer = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      this.#owned = false;
      return;
    }
    if (!this.#owned || this.#end + chunk.length > this.#buffer.length) this.#grow(held, held + chunk.length);
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  #grow(held: number, needed: number): void {
    const grown = new Uint8Array(this.#owned ? Math.max(needed, held * 2) : needed);
    grown.set(this.bytes);
    this.#buffer = grown;
    this.#start = 0;
    this.#end = held;
    this.#owned = true;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  drop(count: number): void {
    this.#start += count;
  }
}
