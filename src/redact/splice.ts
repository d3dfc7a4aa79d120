/** A string of JSON put in place of a range of bytes. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const encoder = new TextEncoder();

/** The bytes with the edits made, in any order; the same object without any. */
export function splice(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  if (edits.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start)) {
    pieces.push(bytes.subarray(at, start), encoder.encode(text));
    at = end;
  }
  pieces.push(bytes.subarray(at));
  return concat(pieces);
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
