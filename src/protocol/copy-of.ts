/** A copy in memory of its own, also of a Buffer, whose `slice` is a view: messages may stand in memory that serves again. */
export function copyOf(bytes: Uint8Array, start = 0, end = bytes.length): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end));
}
