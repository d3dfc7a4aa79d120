import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Codec, Encoder } from "../cassette/codec.ts";
import { codecFor } from "../cassette/codecs.ts";
import { VcrError } from "../errors.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { PendingBytes } from "./pending-bytes.ts";
import { isProbeOnly } from "./probe-only.ts";

/**
 * `once`: refuse to touch an existing cassette (unless it holds only a probe). `all`: record anew and replace it at the
 * end. `append`: go on after its last entry.
 */
export type RecordMode = "once" | "all" | "append";

export const RECORD_MODES: readonly RecordMode[] = ["once", "all", "append"];

/**
 * A cassette being written. What was flushed is in the file (in the kernel, that is: it outlives this process, not a
 * power cut), and the file ends complete after every flush.
 */
export class CassetteFile {
  /** The file as the user named it. */
  readonly file: string;
  /** Added to session numbers and times, when appending to what is there. */
  readonly base: { readonly sessions: number; readonly at: number };
  readonly #codec: Codec;
  readonly #encoder: Encoder;
  readonly #pending = new PendingBytes();
  readonly #written: string;
  readonly #isNew: boolean;
  #begun = false;
  #fd: number;
  /** Where the next entry goes: over the terminator. */
  #position: number;

  private constructor(place: Opened, codec: Codec) {
    this.file = place.file;
    this.base = place.base;
    this.#codec = codec;
    this.#encoder = this.#codec.encoder();
    this.#written = place.written;
    this.#isNew = place.position === 0;
    this.#fd = place.fd;
    this.#position = place.position;
  }

  /**
   * Opens a cassette for recording; folders on the way are made.
   * @throws VcrError `cassette-exists` in mode `once`, `cassette-invalid` where there is nothing to append to,
   *   `usage` for a file that cannot be written
   */
  static async open(file: string, mode: RecordMode, header: Header): Promise<CassetteFile> {
    const codec = await codecFor(file);
    const cassette = new CassetteFile(await OPENERS[mode](file), codec);
    if (cassette.#isNew) {
      cassette.#codec.header(header, cassette.#pending);
      cassette.flush();
    }
    return cassette;
  }

  add(entry: Entry): void {
    this.#begun = true;
    this.#encoder.encode(entry, this.#pending);
  }

  /** Writes what was added since the last flush. @throws the system's error (disk full, …) */
  flush(): void {
    if (this.#pending.length === 0) return;
    const { terminator } = this.#codec;
    this.#pending.bytes(terminator);
    for (const piece of this.#pending.take()) this.#write(piece);
    this.#position -= terminator.length;
  }

  close(): void {
    this.flush();
    closeSync(this.#fd);
    this.#fd = -1;
    if (this.#written !== this.file) renameSync(this.#written, this.file);
  }

  /** Like `close`, but of a recording without an entry nothing is left: what was there before stays as it was. */
  discard(): void {
    if (this.#begun) return this.close();
    closeSync(this.#fd);
    this.#fd = -1;
    if (this.#isNew) unlinkSync(this.#written);
  }

  #write(bytes: Uint8Array): void {
    let offset = 0;
    while (offset < bytes.length) {
      const count = writeSync(this.#fd, bytes, offset, bytes.length - offset, this.#position);
      offset += count;
      this.#position += count;
    }
  }
}

interface Opened {
  readonly file: string;
  /** The file written to, which becomes `file` at the end. */
  readonly written: string;
  readonly fd: number;
  readonly position: number;
  readonly base: { readonly sessions: number; readonly at: number };
}

const NEW = { position: 0, base: { sessions: 0, at: 0 } } as const;

const OPENERS: Readonly<Record<RecordMode, (file: string) => Promise<Opened>>> = {
  async once(file) {
    if (existsSync(file) && (await isProbeOnly(file))) return reopen(file);
    return { ...NEW, file, written: file, fd: create(file, file) };
  },
  async all(file) {
    if (!existsSync(file)) return OPENERS.once(file);
    const written = `${file}.${process.pid}.recording`;
    return { ...NEW, file, written, fd: create(written, file) };
  },
  async append(file) {
    return existsSync(file) ? reopen(file) : OPENERS.once(file);
  },
};

function create(path: string, file: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") {
      throw new VcrError("cassette-exists", `${file} exists already, and --mode once does not touch it`, {
        hint: "Record over it with --mode all, go on after its end with --mode append, or choose another file with -o.",
      });
    }
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): VcrError {
  const reason = error instanceof Error ? error.message : String(error);
  return new VcrError("usage", `${file} cannot be written: ${reason}`, { cause: error });
}

/** Opens an existing cassette where its last entry ends; one that is broken or cut off is left as it is. */
async function reopen(file: string): Promise<Opened> {
  const codec = await codecFor(file);
  const decoder = codec.decoder(file);
  let sessions = 0;
  let at = 0;
  const note = (entry: Entry) => {
    sessions = Math.max(sessions, entry.session);
    at = Math.max(at, entry.at);
  };
  for (const { entry } of decoder.push(readFileSync(file))) note(entry);
  const end = decoder.end();
  for (const { entry } of end.entries) note(entry);
  if (end.truncated) {
    throw new VcrError(
      "cassette-invalid",
      `the last entry is cut off (${end.truncated.reason}); nothing was appended`,
      {
        place: { file, line: end.truncated.line },
        hint: "Delete it from that line on, or complete it; a .yaml cassette ends with a line `...`.",
      },
    );
  }
  const fd = openWritable(file);
  const { prefix } = end.append;
  // The file stays complete until the first entry comes, and at every instant in between.
  const tail = Buffer.concat([Buffer.from(prefix), codec.terminator]);
  writeSync(fd, tail, 0, tail.length, end.append.at);
  ftruncateSync(fd, end.append.at + tail.length);
  const position = end.append.at + Buffer.byteLength(prefix);
  return { file, written: file, fd, position, base: { sessions, at } };
}

function openWritable(file: string): number {
  try {
    return openSync(file, "r+");
  } catch (error) {
    throw unwritable(file, error);
  }
}
