import type { Span } from "./json-tokens.ts";

/** Bytes that are copied one by one: a view of a few costs more than they do. */
const FEW = 48;

/** Copies a span of bytes to a place in others. */
export function copyInto(
  target: Uint8Array,
  at: number,
  { bytes, start, end }: Span & { readonly bytes: Uint8Array },
): void {
  if (end - start > FEW) target.set(bytes.subarray(start, end), at);
  else for (let i = start; i < end; i++) target[at + i - start] = bytes[i] as number;
}
