/** Of longer texts so many bytes, their last, are looked for before they are compared. */
const WIDEST = 64;
/** https://en.wikipedia.org/wiki/Rabin-Karp_algorithm, modulo 2^32. */
const BASE = 0x01000193;

interface Sought {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Texts whose windows are of one width. */
interface Group {
  readonly width: number;
  /** What the byte that leaves the window counts for. */
  readonly leaving: number;
  readonly byHash: Map<number, Sought[]>;
  /** Folded hashes, since most bytes end no window of interest. */
  readonly slots: Uint8Array;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

const encoder = new TextEncoder();

/** Looks for many texts at once, and forgets those that were found. */
export class TextSearch {
  readonly #left = new Set<string>();
  readonly #groups = new Map<number, Group>();

  /** `textOf` tells the text to look for under a name; it is not empty. */
  constructor(names: Iterable<string>, textOf: (name: string) => string) {
    for (const name of names) {
      this.#left.add(name);
      this.#add({ name, bytes: encoder.encode(textOf(name)) });
    }
  }

  /** How many were not found. */
  get size(): number {
    return this.#left.size;
  }

  /** It was not found. */
  has(name: string): boolean {
    return this.#left.has(name);
  }

  drop(name: string): void {
    this.#left.delete(name);
  }

  /** Drops what occurs outside of these places, which are told by where they begin. */
  lookIn(bytes: Uint8Array, except: readonly Range[]): void {
    for (const group of this.#groups.values()) this.#look(bytes, group, except);
  }

  #add(sought: Sought): void {
    const width = Math.min(sought.bytes.length, WIDEST);
    let group = this.#groups.get(width);
    if (!group) {
      let leaving = 1;
      for (let i = 0; i < width; i++) leaving = Math.imul(leaving, BASE);
      group = { width, leaving, byHash: new Map(), slots: new Uint8Array(1 << 16) };
      this.#groups.set(width, group);
    }
    let hash = 0;
    for (const byte of sought.bytes.subarray(-width)) hash = (Math.imul(hash, BASE) + byte) | 0;
    group.slots[slotOf(hash)] = 1;
    const list = group.byHash.get(hash);
    if (list) list.push(sought);
    else group.byHash.set(hash, [sought]);
  }

  #look(bytes: Uint8Array, { width, leaving, byHash, slots }: Group, except: readonly Range[]): void {
    let hash = 0;
    for (let at = 0; at < bytes.length; at++) {
      hash = (Math.imul(hash, BASE) + (bytes[at] as number)) | 0;
      if (at >= width) hash = (hash - Math.imul(leaving, bytes[at - width] as number)) | 0;
      if (at < width - 1 || slots[slotOf(hash)] === 0) continue;
      for (const { name, bytes: sought } of byHash.get(hash) ?? []) {
        const start = at + 1 - sought.length;
        if (!this.#left.has(name) || !isAt(bytes, start, sought)) continue;
        if (!except.some((place) => place.start <= start && start < place.end)) this.drop(name);
      }
    }
  }
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 16)) & 0xffff;
}

function isAt(bytes: Uint8Array, start: number, sought: Uint8Array): boolean {
  if (start < 0) return false;
  for (let i = 0; i < sought.length; i++) if (bytes[start + i] !== sought[i]) return false;
  return true;
}
