import { closeSync, openSync, readSync } from "node:fs";
import type { ByteSink, Codec, Encoder, HeaderChange, Located } from "../cassette/codec.ts";
import { codecFor } from "../cassette/codecs.ts";
import { VcrError } from "../errors.ts";
import type { Entry } from "../exchange/entry.ts";
import { textOf } from "../protocol/message.ts";
import { REDACTION_RULES, type Redactor } from "../redact/redactor.ts";
import { commentsUnder } from "../rerecord/writing.ts";
import { locked } from "./cassette-open.ts";
import { COMMENTS } from "./find-comment-secrets.ts";
import { warn } from "./notices.ts";
import { type RedactSettings, secretsToRecord } from "./own-secrets.ts";
import { readEntries, truncationNotice, unreadable } from "./read-entries.ts";
import { EntryRedactor, redactedSource } from "./redact-entry.ts";
import { hashOf, openRedactor } from "./redaction.ts";
import { refuseExisting } from "./refuse-existing.ts";
import { settleSpill } from "./spill.ts";
import { writeBeside } from "./write-beside.ts";

export interface RedactOptions {
  readonly file: string;
  /** Where the redacted cassette goes; in the place of the file when undefined. */
  readonly output: string | undefined;
  readonly redact: RedactSettings;
}

/** What was replaced, never with what it was. */
export interface Redacted {
  /** Secrets by the rule that found them. */
  readonly byRule: ReadonlyMap<string, number>;
  /** Entries that were written anew. */
  readonly entries: number;
  /** The file is another one now. */
  readonly changed: boolean;
}

/**
 * Takes secrets out of a cassette. Entries that hold none stay byte for byte. Written beside and renamed, so that the
 * cassette survives any failure; where nothing is to be changed it is not touched.
 * @throws VcrError when it cannot be read or written, or somebody records it
 */
export async function redactCassette({ file, output = file, redact }: RedactOptions): Promise<Redacted> {
  const codec = await codecFor(file);
  requireSameCodec(file, codec, await codecFor(output));
  if (output !== file) refuseExisting(output, "redact");
  const own = secretsToRecord(redact, { env: process.env, hash: hashOf });
  for (const notice of own.notices) warn(notice);
  const byRule = new Map<string, number>();
  const redactor = openRedactor(own.rules, (rule) => byRule.set(rule, (byRule.get(rule) ?? 0) + 1));
  closeSync(opened(file));
  const release = locked(output);
  try {
    settleSpill(file, codec);
    let entries = 0;
    let same = true;
    writeBeside(output, (sink) => {
      const writing = new Writing({
        file,
        codec,
        redactor,
        silent: openRedactor(own.rules),
        names: own.names,
        sink,
      });
      try {
        writing.run();
      } finally {
        writing.close();
      }
      ({ entries, same } = writing);
      return !same || output !== file;
    });
    return { byRule, entries, changed: !same };
  } finally {
    release();
  }
}

function requireSameCodec(file: string, codec: Codec, other: Codec): void {
  if (codec.name === other.name) return;
  throw new VcrError("usage", `-o must end as ${file} does: redact changes no format`, {
    hint: `Convert it first: mcp-vcr convert ${file} -o OTHER`,
  });
}

interface Parts {
  readonly file: string;
  readonly codec: Codec;
  readonly redactor: Redactor;
  /** The same, counting nothing. */
  readonly silent: Redactor;
  /** Of the user's own rules, as a header lists them. */
  readonly names: readonly string[];
  readonly sink: ByteSink;
}

class Writing {
  entries = 0;
  same = true;
  readonly #parts: Parts;
  readonly #fd: number;
  readonly #redact: EntryRedactor;
  /** They remember requests by themselves, so that the comment over an answer is made anew where it has to be. */
  readonly #before: Encoder;
  readonly #after: Encoder;
  #copied = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#fd = opened(parts.file);
    this.#redact = new EntryRedactor(parts.redactor);
    this.#before = parts.codec.encoder();
    this.#after = parts.codec.encoder();
  }

  run(): void {
    const { file, codec } = this.#parts;
    const { truncated } = readEntries(file, codec, (located) => this.#entry(located));
    if (truncated)
      warn(`${truncationNotice(file, truncated)} of the search for secrets; it stays in the file`);
    this.#between(Number.POSITIVE_INFINITY);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #entry({ entry, start, end }: Located): void {
    const { sink } = this.#parts;
    this.#between(start);
    const text = this.#read(start, end);
    this.#copied = end;
    const clean = this.#redact.redact(entry);
    const written = this.#written(entry, clean);
    if (written === undefined) return this.#copy(text);
    this.#changed();
    this.entries++;
    // A line's break is no part of a JSON Lines entry.
    sink.text(text.at(-1) === NEWLINE ? written : written.replace(/\n$/, ""));
    if (this.#parts.codec.name === "yaml") sink.text(this.#comments(commentsUnder(textOf(text))));
  }

  /** The entry's new text, where it needs one. */
  #written(entry: Entry, clean: Entry): string | undefined {
    if (entry === clean && this.#parts.codec.name === "jsonl") return undefined;
    const before = encoded(this.#before, entry);
    const after = encoded(this.#after, clean);
    return before === after ? undefined : after;
  }

  /** Headers, and whatever else stands between entries. */
  #between(end: number): void {
    const { codec } = this.#parts;
    const text = this.#read(this.#copied, end);
    if (text.length === 0) return;
    const changed = codec.changeHeaders(text, this.#header);
    if (changed !== text) this.#changed();
    this.#copy(changed);
  }

  readonly #header: HeaderChange = (header) => {
    const { redactor, names } = this.#parts;
    const redacted = [...new Set([...(header.redacted ?? []), ...REDACTION_RULES, ...names])];
    const source = redactedSource(header.source, redactor);
    return {
      ...(redacted.length !== header.redacted?.length && { redacted }),
      ...(JSON.stringify(source) !== JSON.stringify({ ...header.source }) && { source }),
    };
  };

  /** Text that stays, but for secrets in comments. */
  #copy(text: Uint8Array): void {
    const { codec, silent, sink } = this.#parts;
    if (codec.name === "jsonl" || silent.text(text) === text) return sink.bytes(text);
    const before = textOf(text);
    const after = this.#comments(before);
    if (after === before) return sink.bytes(text);
    sink.text(after);
    this.#changed();
  }

  #comments(text: string): string {
    return text.replace(COMMENTS, (comment) => {
      const bytes = encoder.encode(comment);
      const clean = this.#parts.redactor.text(bytes);
      return clean === bytes ? comment : textOf(clean);
    });
  }

  #changed(): void {
    this.same = false;
  }

  #read(start: number, end: number): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (let at = start; at < end; ) {
      const piece = Buffer.allocUnsafeSlow(Math.min(end - at, SLICE));
      const count = readSync(this.#fd, piece, 0, piece.length, at);
      if (count === 0) break;
      pieces.push(piece.subarray(0, count));
      at += count;
    }
    return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces);
  }
}

const NEWLINE = 0x0a;
const SLICE = 1024 * 1024;
const encoder = new TextEncoder();

function encoded(encoder: Encoder, entry: Entry): string {
  let text = "";
  encoder.encode(entry, {
    text: (piece) => {
      text += piece;
    },
    bytes: (piece) => {
      text += textOf(piece);
    },
  });
  return text;
}

function opened(file: string): number {
  try {
    return openSync(file, "r");
  } catch (error) {
    throw unreadable(file, error);
  }
}
