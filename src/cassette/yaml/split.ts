import { Pending } from "../pending.ts";

/** A YAML document as bytes: from its `---` line (or the beginning) to before the marker that ends it. */
export interface RawDocument {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

export interface SplitEnd {
  readonly documents: RawDocument[];
  /** What no marker follows. */
  readonly rest: RawDocument;
  /** Where the last `...` line begins, when nothing stands after it. */
  readonly terminator: number | undefined;
}

const NEWLINE = 0x0a;
const DASH = 0x2d;
const DOT = 0x2e;

/**
 * Cuts a YAML stream at its document markers (https://yaml.org/spec/1.2.2/#912-document-markers), which are lines that
 * begin with `---` or `...`, whatever stands around them. A document is complete when a marker follows it.
 */
export class DocumentSplitter {
  readonly #pending = new Pending();
  /** Place in the file of the first pending byte, which is where a document begins. */
  #start = 0;
  #startLine = 1;
  /** Relative to the first pending byte: where the next line begins, and its number. */
  #next = 0;
  #line = 1;
  #terminator: number | undefined;

  push(chunk: Uint8Array): RawDocument[] {
    this.#pending.append(chunk);
    const found: RawDocument[] = [];
    let bytes = this.#pending.bytes;
    for (let at = bytes.indexOf(NEWLINE, this.#next); at !== -1; at = bytes.indexOf(NEWLINE, this.#next)) {
      const used = this.#takeLine(bytes, at + 1, found);
      if (used > 0) bytes = bytes.subarray(used);
    }
    return found;
  }

  end(): SplitEnd {
    const documents: RawDocument[] = [];
    const bytes = this.#pending.bytes;
    if (this.#next < bytes.length) this.#takeLine(bytes, bytes.length, documents);
    else if (endsOverwritten(bytes)) {
      documents.push(this.#document(bytes.length - OVERWRITTEN_LENGTH));
      this.#terminator = this.#start + bytes.length - OVERWRITTEN_LENGTH;
      this.#pending.drop(bytes.length);
    }
    const rest = this.#document(this.#pending.bytes.length);
    return { documents, rest, terminator: isBlank(rest.bytes) ? this.#terminator : undefined };
  }

  /** Looks at the line up to `lineEnd` and says how many bytes are done with. */
  #takeLine(bytes: Uint8Array, lineEnd: number, found: RawDocument[]): number {
    const lineStart = this.#next;
    const marker = markerAt(bytes, lineStart, lineEnd);
    this.#next = lineEnd;
    this.#line++;
    if (marker === 0) return 0;
    if (lineStart > 0) found.push(this.#document(lineStart));
    this.#terminator = marker === DOT ? this.#start + lineStart : undefined;
    // `---` opens the next document and belongs to it.
    const used = marker === DOT ? lineEnd : lineStart;
    this.#startLine = marker === DOT ? this.#line : this.#line - 1;
    this.#start += used;
    this.#next -= used;
    this.#pending.drop(used);
    return used;
  }

  #document(length: number): RawDocument {
    return {
      bytes: this.#pending.bytes.subarray(0, length),
      start: this.#start,
      end: this.#start + length,
      line: this.#startLine,
    };
  }
}

/** The marker's character, or 0. */
function markerAt(bytes: Uint8Array, start: number, end: number): number {
  const c = bytes[start];
  if ((c !== DASH && c !== DOT) || bytes[start + 1] !== c || bytes[start + 2] !== c || start + 3 > end)
    return 0;
  return start + 3 === end || (bytes[start + 3] as number) <= 0x20 ? c : 0;
}

const OVERWRITTEN_LENGTH = 4;

/**
 * A writer that was killed after one or two bytes of the next `---` had replaced those of the last `...` leaves
 * `-..` or `--.` as the last line, and everything before it complete.
 */
function endsOverwritten(bytes: Uint8Array): boolean {
  const at = bytes.length - OVERWRITTEN_LENGTH;
  if (at < 1 || bytes[at - 1] !== NEWLINE || bytes[at] !== DASH || bytes[at + 2] !== DOT) return false;
  return bytes[at + 1] === DASH || bytes[at + 1] === DOT;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((c) => c <= 0x20);
}
