/** Bytes of a slab, and the longest piece that is cut from one. */
const SLAB = 64 * 1024;
const LONGEST = 4 * 1024;

let slab = new Uint8Array(0);
let used = 0;

/**
 * Room for so many bytes that are soon done with: written, and mostly forgotten. An array of its own lies outside of the
 * engine's heap, and costs more to allocate and to free than to fill; so small ones are cut from one that they share. It
 * lives as long as any piece of it, so what is kept by itself for long is better off with an array of its own.
 */
export function passingBytes(length: number): Uint8Array {
  if (length > LONGEST) return new Uint8Array(length);
  if (used + length > slab.length) {
    slab = new Uint8Array(SLAB);
    used = 0;
  }
  const start = used;
  used += length;
  return slab.subarray(start, used);
}
