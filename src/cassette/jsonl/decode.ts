import type { FilePlace } from "../../errors.ts";
import type { Entry } from "../../exchange/entry.ts";
import { textOf } from "../../protocol/message.ts";
import { type MemberSpan, memberSpans } from "../../protocol/scan-json.ts";
import type { CallDecoder, CallMark, EntryRead, LocatedCall } from "../call-codec.ts";
import type { EntryPlace, Located, Part } from "../codec.ts";
import { invalid } from "../fault.ts";
import type { PlaceOf } from "../members.ts";
import { FORMAT, type Formats, type Members } from "../migrations.ts";
import { entryIn, Parts } from "../parts.ts";
import { Pending } from "../pending.ts";
import { CallLines } from "./call-lines.ts";
import { entryRead, members, messageRead, plainEntry } from "./plain-entry.ts";

const FIRST_LINE =
  '{"mcp-vcr":1,"recorded":"2026-11-30T09:00:00.000Z","recorder":"mcp-vcr/0.1.0","source":{"transport":"stdio","command":["node","server.js"]}}';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export interface JsonlDecoding {
  readonly formats?: Formats | undefined;
  /** Which requests are left undecoded, together with their answers; none when undefined. */
  readonly mark?: CallMark | undefined;
}

/** Reads a JSONL cassette line by line. */
export class JsonlDecoder<Found extends Located | LocatedCall = Located> implements CallDecoder<Found> {
  readonly #file: string;
  readonly #parts: Parts;
  readonly #calls: CallLines | undefined;
  readonly #pending = new Pending();
  /** Where the next line begins. */
  readonly #next = { start: 0, line: 1, isBroken: false };

  constructor(file: string, { formats, mark }: JsonlDecoding = {}) {
    this.#file = file;
    this.#parts = new Parts(FIRST_LINE, formats);
    this.#calls = mark && new CallLines(mark, members, this.#parts);
  }

  get header() {
    return this.#parts.header;
  }

  push(chunk: Uint8Array): Found[] {
    const found: Found[] = [];
    // Pieces are cut off a view of the plain class faster than off a Buffer, which finds a byte ten times as fast.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
    let lineStart = 0;
    for (let at = this.#lineEnd(chunk, 0); at !== -1; at = this.#lineEnd(chunk, lineStart)) {
      this.#take(this.#lineOf(bytes.subarray(lineStart, at)), found);
      lineStart = at + 1;
    }
    if (lineStart < bytes.length) this.#pending.append(bytes.subarray(lineStart));
    return found;
  }

  #lineEnd(bytes: Uint8Array, from: number): number {
    const near = Math.min(bytes.length, from + NEAR);
    for (let at = from; at < near; at++) {
      const c = bytes[at] as number;
      if (c > RETURN) continue;
      if (c === NEWLINE) return at;
      if (c === RETURN && bytes[at + 1] !== NEWLINE) this.#next.isBroken = true;
    }
    if (near === bytes.length) return -1;
    const end = bytes.indexOf(NEWLINE, near);
    const rest = bytes.subarray(near, end < 0 ? bytes.length : Math.max(near, end - 1));
    if (rest.includes(RETURN)) this.#next.isBroken = true;
    return end;
  }

  /** The line that ends with this piece, which began in earlier chunks perhaps. */
  #lineOf(piece: Uint8Array): Uint8Array {
    const pending = this.#pending;
    if (pending.length === 0) return piece;
    pending.append(piece);
    const line = pending.bytes;
    pending.drop(line.length);
    return line;
  }

  end(): ReturnType<CallDecoder<Found>["end"]> {
    const rest = this.#pending.bytes;
    const entries: Found[] = [];
    const { start: at, line } = this.#next;
    const place = { file: this.#file, line };
    if (isBlank(rest)) {
      this.#calls?.release(entries);
      this.#parts.requireHeader(place);
      return { entries, append: { at: at + rest.length, prefix: "" } };
    }
    if (memberSpans(withoutMark(rest)) === undefined) {
      this.#calls?.release(entries);
      this.#parts.requireHeader(place);
      const reason = "the last line stops before its object ends";
      return { entries, truncated: { line, reason }, append: { at, prefix: "" } };
    }
    this.#take(rest, entries);
    this.#calls?.release(entries);
    return { entries, append: { at: at + rest.length, prefix: "\n" } };
  }

  #take(line: Uint8Array, found: Found[]): void {
    const isRead = this.#parts.plain && members.read(line);
    if (!isRead || !this.#calls?.take(line, this.#next, found)) {
      if (!isRead) this.#calls?.release(found);
      const entry = this.#entryOn(line, isRead);
      const { start, line: number } = this.#next;
      const { part } = this.#parts;
      if (entry) found.push({ entry, start, end: start + line.length, line: number, part } as Found);
    }
    this.#next.start += line.length + 1;
    this.#next.line++;
    this.#next.isBroken = false;
  }

  /** Undefined for an empty line and for a header, which is noted. */
  #entryOn(line: Uint8Array, isRead: boolean): Entry | undefined {
    const parts = this.#parts;
    const plain = isRead ? entryRead(parts.part.sessionBase) : undefined;
    if (plain) {
      parts.saw(plain.session);
      return plain;
    }
    const read = readLine(line, { file: this.#file, line: this.#next.line });
    if (!read) return undefined;
    if (!Object.hasOwn(read.members, "mcp-vcr")) return parts.entry(read.members, read.place);
    parts.open(read.members, read.place);
    return undefined;
  }
}

/** So many bytes are looked at here before the search is handed on, which costs more to call than most lines to read. */
const NEAR = 1024;

/** One entry alone, from the bytes of its line. */
export function decodeJsonlEntry(bytes: Uint8Array, { file, line, part }: EntryPlace): Entry {
  const plain = plainEntryIn(bytes, part);
  if (plain) return plain;
  const read = readLine(bytes, { file, line });
  if (!read) throw invalid("no entry here", { file, line });
  return entryIn(part, read);
}

/** The same with its message, where one reading tells both. */
export function decodeJsonlMessage(bytes: Uint8Array, { part }: EntryPlace): EntryRead | undefined {
  const entry = plainEntryIn(bytes, part);
  const message = entry?.body && messageRead(entry.body.bytes);
  return message && { entry, message };
}

function plainEntryIn(bytes: Uint8Array, part: Part | undefined): Entry | undefined {
  return part === undefined || part.format === FORMAT ? plainEntry(bytes, part?.sessionBase ?? 0) : undefined;
}

interface ReadLine {
  readonly members: Members;
  readonly place: PlaceOf;
}

/** Any line, with all its members; undefined for an empty one. */
function readLine(line: Uint8Array, start: FilePlace): ReadLine | undefined {
  if (isBlank(line)) return undefined;
  const bytes = withoutMark(line);
  const spans = memberSpans(bytes);
  if (!spans) {
    throw invalid(
      "no JSON object on this line",
      start,
      "Each line of a .jsonl cassette is one JSON object, complete on its line.",
    );
  }
  const place: PlaceOf = (name) => {
    const at = spans.findLast(({ key }) => key === name)?.keyStart;
    return at === undefined ? start : { ...start, column: textOf(bytes.subarray(0, at)).length + 1 };
  };
  return { members: membersOf(bytes, spans, place), place };
}

function membersOf(bytes: Uint8Array, spans: readonly MemberSpan[], place: PlaceOf): Members {
  const members: Record<string, unknown> = Object.create(null);
  for (const { key, value } of spans) {
    if (Object.hasOwn(members, key)) throw invalid(`the key ${JSON.stringify(key)} occurs twice`, place(key));
    const token = bytes.subarray(value.start, value.end);
    members[key] = key === "message" ? token : JSON.parse(textOf(token));
    if (key === "on" && typeof members[key] === "number") requireExactId(textOf(token), place(key));
  }
  return members;
}

function requireExactId(token: string, place: FilePlace): void {
  if (String(Number(token)) === token) return;
  throw invalid(
    `the id ${token} would be changed by JavaScript`,
    place,
    `Write "on":{"id":"${token}"} to keep it.`,
  );
}

/** A byte order mark may stand at the beginning of a file, and so in the middle of concatenated ones. */
function withoutMark(line: Uint8Array): Uint8Array {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
}

function isBlank(line: Uint8Array): boolean {
  return withoutMark(line).every((c) => c <= 0x20);
}
