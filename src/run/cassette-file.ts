import { closeSync, unlinkSync, writeSync } from "node:fs";
import type { Codec, Encoder } from "../cassette/codec.ts";
import { codecFor } from "../cassette/codecs.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { OPENERS, type Opened, type RecordMode } from "./cassette-open.ts";
import type { Replacing } from "./keep-unchanged.ts";
import { PendingBytes } from "./pending-bytes.ts";
import { Spill } from "./spill.ts";

/** Bytes of messages that come at once from which a slow codec would hold the session back. */
const SPILL_FROM = 48 * 1024;

interface Parts {
  readonly codec: Codec;
  readonly replace: ((replacing: Replacing) => string | undefined) | undefined;
}

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
  readonly #release: () => void;
  /** Puts it in the place of the cassette there is. */
  readonly #replace: ((replacing: Replacing) => string | undefined) | undefined;
  /** The server said something. */
  #heard = false;
  /** Bytes of messages since the last flush. */
  #batch = 0;
  #spill: Spill | undefined;
  #notice: string | undefined;
  #fd: number;
  /** Where the next entry goes: over the terminator. */
  #position: number;

  private constructor(place: Opened, { codec, replace }: Parts) {
    this.file = place.file;
    this.#replace = replace;
    this.base = place.base;
    this.#codec = codec;
    this.#encoder = this.#codec.encoder();
    this.#written = place.written;
    this.#release = place.release;
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
    const place = await OPENERS[mode](file);
    // Loaded now, since whoever ends a recording cannot wait.
    const replace =
      place.written === file ? undefined : (await import("./keep-unchanged.ts")).replaceKeeping;
    const cassette = new CassetteFile(place, { codec, replace });
    if (cassette.#isNew) {
      cassette.#codec.header(header, cassette.#pending);
      cassette.flush();
    }
    return cassette;
  }

  add(entry: Entry): void {
    if (entry.from === "server" && (entry.body || entry.http?.status !== undefined)) this.#heard = true;
    this.#batch += entry.body?.bytes.length ?? 0;
    if (!this.#spill && this.#codec.slow && this.#batch > SPILL_FROM) {
      this.#writePending();
      this.#spill = new Spill(this.#written, this.#position);
    }
    if (this.#spill) this.#spill.add(entry);
    else this.#encoder.encode(entry, this.#pending);
  }

  /** Writes what was added since the last flush. @throws the system's error (disk full, …) */
  flush(): void {
    this.#batch = 0;
    if (this.#spill) this.#spill.flush();
    else this.#writePending();
  }

  /** Some entries are in the spill still, beside the cassette. */
  get behind(): boolean {
    return this.#spill !== undefined;
  }

  /**
   * Brings entries from the spill over into the cassette, for about `budget` milliseconds. True when none is left.
   * @param onProgress told how far it is, from 0 to 1
   */
  catchUp(budget: number, onProgress?: (done: number) => void): boolean {
    const spill = this.#spill;
    if (!spill) return true;
    const until = performance.now() + budget;
    while (performance.now() < until) {
      const entries = spill.read();
      if (!entries) {
        spill.remove();
        this.#spill = undefined;
        return true;
      }
      for (const entry of entries) this.#encoder.encode(entry, this.#pending);
      this.#writePending();
      onProgress?.(spill.progress);
    }
    return false;
  }

  /** After the end: why the old text of what did not change was not kept, where it was to be. */
  get notice(): string | undefined {
    return this.#notice;
  }

  #writePending(): void {
    if (this.#pending.length === 0) return;
    const { terminator } = this.#codec;
    this.#pending.bytes(terminator);
    for (const piece of this.#pending.take()) this.#write(piece);
    this.#position -= terminator.length;
  }

  /**
   * Ends the recording. One in which the server said nothing is not kept: a new file is removed again, and what was to
   * be replaced stays. Returns whether it was kept.
   * @param onProgress told now and then how far it is, when entries have to be brought over first
   */
  close(onProgress?: (done: number) => void): boolean {
    if (this.#isNew && !this.#heard) {
      this.discard();
      return false;
    }
    this.flush();
    this.catchUp(Number.POSITIVE_INFINITY, onProgress);
    closeSync(this.#fd);
    this.#fd = -1;
    this.#notice = this.#replace?.({ file: this.file, written: this.#written, codec: this.#codec });
    this.#release();
    return true;
  }

  /** Leaves nothing of a new recording: what was there before stays as it was. */
  discard(): void {
    this.#spill?.remove();
    closeSync(this.#fd);
    this.#fd = -1;
    if (this.#isNew) unlinkSync(this.#written);
    this.#release();
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
