const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/**
 * The same memory in words of four bytes, the first byte the lowest one. It begins up to three bytes before (`leadOf`),
 * where words begin, and holds none of the last bytes that are too few for one; nothing at all where a processor has the
 * bytes of a word the other way round.
 */
export function wordsOf(bytes: Uint8Array): Int32Array {
  const lead = leadOf(bytes);
  const count = IS_LITTLE_ENDIAN ? (bytes.length + lead) >> 2 : 0;
  return new Int32Array(bytes.buffer, bytes.byteOffset - lead, count);
}

/** How many bytes the words of these bytes begin before them. */
export function leadOf(bytes: Uint8Array): number {
  return bytes.byteOffset & 3;
}
