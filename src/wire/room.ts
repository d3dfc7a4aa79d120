/** Bytes of memory that are kept for what comes next at most, halved. */
const MOST_KEPT = 4 * 1024 * 1024;

/**
 * Memory in which what comes in many pieces is joined, the same each time: fresh memory costs more than the copying.
 * For those who are done with the one before the next is joined.
 */
export class Room {
  readonly #allocate: (length: number) => Uint8Array;
  readonly #beforeReuse: (() => void) | undefined;
  #bytes: Uint8Array | undefined;

  /**
   * @param allocate need not clear it
   * @param beforeReuse told each time before the memory is given: who still reads there must be done with it
   */
  constructor(
    allocate: (length: number) => Uint8Array = (length) => new Uint8Array(length),
    beforeReuse?: () => void,
  ) {
    this.#allocate = allocate;
    this.#beforeReuse = beforeReuse;
  }

  /** For so many bytes at least; undefined for more than is kept. */
  for(length: number): Uint8Array | undefined {
    if (length > MOST_KEPT) return undefined;
    this.#beforeReuse?.();
    if (this.#bytes === undefined || this.#bytes.length < length) this.#bytes = this.#allocate(length * 2);
    return this.#bytes;
  }
}
