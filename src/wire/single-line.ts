/** A message as one line. One that came over HTTP may span several: white space between tokens. */
export function singleLine(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(0x0a) && !bytes.includes(0x0d)) return bytes;
  // A raw line break in valid JSON is white space between tokens, never inside a string.
  return bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d);
}
