import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import type { Codec, Decoder } from "../cassette/codec.ts";
import { jsonlCodec } from "../cassette/jsonl/codec.ts";
import { VcrError } from "../errors.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { PendingBytes } from "./pending-bytes.ts";

/** Bytes read at a time when entries are brought over. */
const SLICE = 256 * 1024;

/** A spill's own header; the recording's stands in the cassette. */
const HEADER: Header = { recorded: "", recorder: "", source: { transport: "stdio", command: [] } };

/**
 * A file beside a cassette where entries wait, in the fast codec, while its own codec is too slow for the session. Its
 * first line tells how long the cassette was when the spill began: what the cassette holds past that was brought over
 * from the spill, which counts as long as it is there. So a recorder killed at any instant loses nothing.
 */
export class Spill {
  readonly #path: string;
  readonly #fd: number;
  readonly #pending = new PendingBytes();
  readonly #encoder = jsonlCodec.encoder();
  readonly #decoder: Decoder;
  #written = 0;
  #read = 0;

  /** Begins one for the cassette `file`, which is complete up to `after` bytes. */
  constructor(file: string, after: number) {
    this.#path = spillOf(file);
    this.#fd = openSync(this.#path, "wx+");
    this.#decoder = jsonlCodec.decoder(this.#path);
    this.#pending.text(`${JSON.stringify({ after })}\n`);
    this.#read = this.#pending.length;
    jsonlCodec.header(HEADER, this.#pending);
    try {
      this.flush();
    } catch (error) {
      // One without its first line would be nobody's.
      this.remove();
      throw error;
    }
  }

  add(entry: Entry): void {
    this.#encoder.encode(entry, this.#pending);
  }

  flush(): void {
    for (const piece of this.#pending.take()) {
      for (let at = 0; at < piece.length; ) {
        const count = writeSync(this.#fd, piece, at, piece.length - at, this.#written);
        at += count;
        this.#written += count;
      }
    }
  }

  /** The next entries, perhaps none yet; undefined when all were read. */
  read(): Entry[] | undefined {
    if (this.#read === this.#written) return undefined;
    const slice = Buffer.allocUnsafe(Math.min(SLICE, this.#written - this.#read));
    const count = readSync(this.#fd, slice, 0, slice.length, this.#read);
    this.#read += count;
    return this.#decoder.push(slice.subarray(0, count)).map(({ entry }) => entry);
  }

  /** Of what was written, how much was read: from 0 to 1. */
  get progress(): number {
    return this.#read / Math.max(1, fstatSync(this.#fd).size);
  }

  remove(): void {
    this.close();
    unlinkSync(this.#path);
  }

  /** Leaves it, as what the cassette lacks. */
  close(): void {
    closeSync(this.#fd);
  }
}

/** Where the spill of a cassette stands. */
export function spillOf(file: string): string {
  return `${file}.spill.jsonl`;
}

/**
 * A cassette's bytes together with what a killed recorder left in a spill; just its bytes where there is none.
 * @throws VcrError `cassette-invalid` for a spill that does not belong to the cassette
 */
export function withSpill(file: string, bytes: Buffer, codec: Codec): Buffer {
  const path = spillOf(file);
  if (!existsSync(path)) return bytes;
  const spilled = readFileSync(path);
  const firstLine = spilled.subarray(0, spilled.indexOf(0x0a) + 1);
  // Its recorder was killed before it said whose it is: nothing is in it yet.
  if (firstLine.length === 0) return bytes;
  const after = afterOf(firstLine.toString());
  if (after === undefined || after > bytes.length) {
    throw new VcrError("cassette-invalid", `is not the spill of ${file} as it is now`, {
      place: { file: path, line: 1 },
      hint: "A recorder left it when it was killed. If the cassette was changed since, delete the spill.",
    });
  }
  const encoder = codec.encoder();
  const pending = new PendingBytes();
  const decoder = jsonlCodec.decoder(path);
  const located = decoder.push(spilled.subarray(firstLine.length));
  // An entry that was being written when the recorder was killed is lost, as it would be in the cassette itself.
  for (const { entry } of [...located, ...decoder.end().entries]) encoder.encode(entry, pending);
  pending.bytes(codec.terminator);
  return Buffer.concat([bytes.subarray(0, after), ...pending.take()]);
}

function afterOf(line: string): number | undefined {
  const match = /^\{"after":(\d{1,15})\}\n$/.exec(line);
  return match ? Number(match[1]) : undefined;
}

/** Removes the spill of a cassette that is gone, so that it is not taken for that of a new one. */
export function dropSpill(file: string): void {
  rmSync(spillOf(file), { force: true });
}

/** Brings what a killed recorder left in a spill over into the cassette, for good. */
export function settleSpill(file: string, codec: Codec): void {
  const path = spillOf(file);
  if (!existsSync(path)) return;
  writeFileSync(file, withSpill(file, readFileSync(file), codec));
  unlinkSync(path);
}
