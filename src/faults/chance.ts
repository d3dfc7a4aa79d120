/**
 * A number from 0 to 1, exclusively, that looks random and is the same for the same numbers: what chance decides does
 * not depend on when it is asked. Each number is mixed in by the finalizer of MurmurHash3 (public domain, A. Appleby).
 */
export function chance(...numbers: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const number of numbers) hash = mixed(Math.imul(hash ^ (number | 0), 0x85ebca6b) + 0x27d4eb2f);
  return hash / 2 ** 32;
}

function mixed(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
