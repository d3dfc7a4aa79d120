import { closeSync, fstatSync, ftruncateSync, rmSync, statSync, writeSync } from "node:fs";
import type { Codec, Encoder } from "../cassette/codec.ts";
import { codecFor } from "../cassette/codecs.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { beginningOf } from "./beginning.ts";
import { type Before, OPENERS, type Opened, type RecordMode, unwritable } from "./cassette-open.ts";
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
  readonly #before: Before | undefined;
  readonly #release: () => void;
  /** Puts it in the place of the cassette there is. */
  readonly #replace: ((replacing: Replacing) => string | undefined) | undefined;
  /** The server said something, or what there is counts all the same. */
  #heard = false;
  /** Bytes of messages since the last flush. */
  #batch = 0;
  #spill: Spill | undefined;
  #notice: string | undefined;
  #failed: string | undefined;
  /** All is written. */
  #whole = false;
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
    this.#before = place.before;
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
    const place = await OPENERS[mode](file, header);
    // Loaded now, since whoever ends a recording cannot wait.
    const replace =
      place.written === place.file ? undefined : (await import("./keep-unchanged.ts")).replaceKeeping;
    const cassette = new CassetteFile(place, { codec, replace });
    if (cassette.#isNew) cassette.#begin(header);
    return cassette;
  }

  #begin(header: Header): void {
    this.#codec.header(header, this.#pending);
    try {
      this.flush();
    } catch (error) {
      this.abandon();
      throw unwritable(this.file, error);
    }
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

  /** What was added is kept, also where the server said nothing. */
  keep(): void {
    this.#heard = true;
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

  /** After the end: what became of `initialize` where no session came about, as the end of a sentence. */
  get failed(): string | undefined {
    return this.#failed;
  }

  #writePending(): void {
    if (this.#pending.length === 0) return;
    const { terminator } = this.#codec;
    this.#pending.bytes(terminator);
    let end = this.#position;
    for (const piece of this.#pending.take()) end = this.#write(piece, end);
    this.#position = end - terminator.length;
  }

  /**
   * Ends the recording. One in which the server said nothing is not kept: a new file is removed again, and what was to
   * be replaced or gone on with stays, byte for byte. So does a cassette that was to be replaced by no more than a
   * `Beginning`: a probe waits beside it for the rest to come. Returns whether it was kept.
   * @param onProgress told now and then how far it is, when entries have to be brought over first
   * @throws the system's error, and where the file is gone
   */
  close(onProgress?: (done: number) => void): boolean {
    if (!this.#heard) {
      this.discard();
      return false;
    }
    this.flush();
    this.catchUp(Number.POSITIVE_INFINITY, onProgress);
    this.#requireThere();
    this.#closeFile();
    this.#whole = true;
    const begun = beginningOf(this.#written, this.#codec);
    if (begun?.kind === "failed") this.#failed = begun.why;
    const kept = !this.#replace || this.#failed === undefined;
    if (!kept) rmSync(this.#written);
    else if (this.#replace && begun?.kind !== "probe") this.#replaceBy(this.#replace);
    this.#release();
    return kept;
  }

  #replaceBy(replace: NonNullable<Parts["replace"]>): void {
    try {
      this.#notice = replace({ file: this.file, written: this.#written, codec: this.#codec });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${reason}; what was recorded is in ${this.#written}`, { cause: error });
    }
  }

  /** Whoever removes or replaces the file leaves us writing into nothing. */
  #requireThere(): void {
    const there = statSync(this.#written, { throwIfNoEntry: false });
    if (there?.ino === fstatSync(this.#fd).ino) return;
    throw new Error("the file was removed or replaced while it was being recorded");
  }

  /** Leaves nothing of this recording: what was there before stays as it was. */
  discard(): void {
    this.#spill?.remove();
    if (this.#before && this.#fd >= 0) {
      this.#write(this.#before.tail, this.#before.at);
      ftruncateSync(this.#fd, this.#before.at + this.#before.tail.length);
    }
    this.#closeFile();
    if (this.#isNew) rmSync(this.#written, { force: true });
    this.#release();
  }

  /**
   * Ends a recording that cannot be gone on with. What is complete stays where it was written in place; what was to
   * replace a cassette is removed, and so is what holds nothing.
   */
  abandon(): void {
    const inPlace = this.#written === this.file;
    const leave = this.#whole || (inPlace && (this.#heard || !this.#isNew));
    if (leave && this.#fd >= 0) attempt(() => this.#complete());
    attempt(() => (leave ? this.#spill?.close() : this.#spill?.remove()));
    attempt(() => this.#closeFile());
    if (!leave) attempt(() => rmSync(this.#written, { force: true }));
    this.#release();
  }

  /** Cuts off what was written of the last entry. */
  #complete(): void {
    ftruncateSync(this.#fd, this.#position);
    this.#write(this.#codec.terminator, this.#position);
  }

  #closeFile(): void {
    const fd = this.#fd;
    this.#fd = -1;
    if (fd >= 0) closeSync(fd);
  }

  /** Returns where it ends. */
  #write(bytes: Uint8Array, at: number): number {
    let offset = 0;
    while (offset < bytes.length) {
      offset += writeSync(this.#fd, bytes, offset, bytes.length - offset, at + offset);
    }
    return at + offset;
  }
}

/** For what is done after a failure, and may fail as well. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // The failure itself is told; this would only say it again.
  }
}
