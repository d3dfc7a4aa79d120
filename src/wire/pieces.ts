/** Pieces up to this many are kept as views, whatever their size; almost every line has one or two. */
const VIEWS = 64;
/** Past that, pieces below this many bytes are gathered, so that a line sent byte by byte costs bytes, not objects. */
const SMALL = 4096;
const SLAB = 65_536;

/** A run of bytes that comes in pieces and is wanted whole: joined once, so in linear time and memory. */
export class Pieces {
  #parts: Uint8Array[] = [];
  #length = 0;
  #slab: Uint8Array | undefined;
  /** The slab's bytes from `#from` to `#to` follow the last part. */
  #from = 0;
  #to = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  /** Takes the piece as a view where it can: its bytes must not change until `take`. */
  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#length += piece.length;
    if (this.#parts.length >= VIEWS && piece.length < SMALL) {
      this.#gather(piece);
    } else {
      this.#seal();
      this.#parts.push(piece);
    }
  }

  /**
   * Everything added since the last call. A single piece comes back as it was, uncopied; several are joined into `room`
   * if they fit, which saves fresh memory for every large line.
   */
  take(room?: Uint8Array): Uint8Array {
    this.#seal();
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    this.#slab = undefined;
    this.#from = 0;
    this.#to = 0;
    return join(parts, room);
  }

  #gather(piece: Uint8Array): void {
    if (this.#slab === undefined || this.#to + piece.length > SLAB) {
      this.#seal();
      this.#slab = new Uint8Array(SLAB);
      this.#from = 0;
      this.#to = 0;
    }
    this.#slab.set(piece, this.#to);
    this.#to += piece.length;
  }

  #seal(): void {
    if (this.#slab === undefined || this.#from === this.#to) return;
    this.#parts.push(this.#slab.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}

/** The parts one after the other, in `room` if they fit; a single part is returned uncopied. */
export function join(parts: readonly Uint8Array[], room?: Uint8Array): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const whole =
    room !== undefined && length <= room.length ? room.subarray(0, length) : new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
