import type { Clock } from "../clock.ts";
import type { Entry } from "../exchange/entry.ts";
import { scanJson } from "../protocol/scan-json.ts";
import type { Redactor } from "../redact/redactor.ts";
import { remembering } from "../redact/remembering.ts";
import { Room } from "../wire/room.ts";
import type { CassetteFile } from "./cassette-file.ts";
import type { EntrySink, Seen } from "./entry-sink.ts";
import { EntryMaker } from "./seen-entry.ts";

export interface RecorderParts {
  readonly file: CassetteFile;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** Told once, when the recording can no longer be written; the session goes on without it. */
  readonly onFailure: (error: unknown) => void;
  /** Told at the end how far the writing of a long recording is, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
  /** Told at the end when the server said nothing, and the recording was not kept. */
  readonly onNothing?: () => void;
  /** Told at the end what became of `initialize` where no session came about, and whether that was kept. */
  readonly onFailed?: (why: string, kept: boolean) => void;
  /** Told at the end why nothing of the cassette that was replaced could be kept. */
  readonly onNotice?: (reason: string) => void;
}

/** In bytes. Until so long an answer is written, the next request could have passed. */
const LONG = 128 * 1024;

/** Milliseconds without traffic after which entries are brought over, and for how long at a time. */
const IDLE = 200;
const SLICE = 4;

/** Where a link puts what passes over it. */
export type Tape = Pick<Recorder, "put" | "add" | "flush" | "fail">;

/**
 * Takes what was seen on the wire, redacts it, stamps it with the time and stores it. It never throws and never holds
 * the session back: whatever fails here ends the recording, not the session.
 */
export class Recorder implements EntrySink {
  readonly #file: CassetteFile;
  readonly #maker: EntryMaker;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #began: number;
  readonly #onProgress: ((done: number) => void) | undefined;
  readonly #onNothing: (() => void) | undefined;
  readonly #onFailed: ((why: string, kept: boolean) => void) | undefined;
  readonly #onNotice: ((reason: string) => void) | undefined;
  #catchingUp: NodeJS.Timeout | undefined;
  #failed = false;
  /** A long message on its way into the file, a step at a time; nothing else is added before its end. */
  #writing: Iterator<void> | undefined;
  #nextStep: NodeJS.Immediate | undefined;

  constructor(parts: RecorderParts) {
    this.#file = parts.file;
    this.#maker = new EntryMaker(remembering(parts.redactor));
    this.#clock = parts.clock;
    this.#onFailure = parts.onFailure;
    this.#onProgress = parts.onProgress;
    this.#onNothing = parts.onNothing;
    this.#onFailed = parts.onFailed;
    this.#onNotice = parts.onNotice;
    this.#began = parts.clock.now();
  }

  /** Stores one entry. It is in the file when this returns, a long one when the next is or sooner: see `settle`. */
  add(seen: Seen): void {
    this.put(seen);
    this.flush();
  }

  /**
   * Like `add`, but not in the file before `flush`: for several entries that came at once.
   * @param now when it passed, where that was not just now
   */
  put(seen: Seen, now = this.#clock.now()): void {
    this.settle();
    if (this.#failed) return;
    // A client's is there before its answer can be.
    if (seen.from === "server" && seen.raw && seen.raw.length >= LONG) {
      this.#writing = this.#steps({ ...seen, raw: seen.raw }, now);
      return;
    }
    try {
      this.#file.add(this.#entry(seen, now));
    } catch (error) {
      this.fail(error);
    }
  }

  flush(): void {
    if (this.#failed) return;
    try {
      this.#flushFile();
    } catch (error) {
      this.fail(error);
    }
    if (this.#writing) this.#nextStep ??= setImmediate(this.#goOn);
  }

  /** Where what comes in pieces can be joined before it is added. */
  room(): Room {
    return new Room(Buffer.allocUnsafeSlow, () => this.settle());
  }

  /** Brings a long message into the file that is on its way: its memory can serve again then. */
  settle(): void {
    while (this.#writing) this.#step();
  }

  /** Between the steps, what passes is passed on. */
  readonly #goOn = (): void => {
    this.#nextStep = undefined;
    if (this.#writing) this.#step();
    if (this.#writing) this.#nextStep = setImmediate(this.#goOn);
  };

  #step(): void {
    try {
      if (this.#writing?.next().done) this.#writing = undefined;
    } catch (error) {
      this.fail(error);
    }
  }

  *#steps(seen: Seen & { readonly raw: Uint8Array }, now: number): Generator<void> {
    const scan = seen.scan ?? scanJson(seen.raw, true);
    yield;
    const entry = this.#entry({ ...seen, scan }, now);
    yield;
    this.#file.add(entry);
    this.#flushFile();
  }

  #flushFile(): void {
    this.#file.flush();
    if (this.#file.behind) this.#catchUpWhenIdle(IDLE);
  }

  /** Ends the recording for good, after what was written. */
  close(): void {
    this.settle();
    if (this.#failed) return;
    clearTimeout(this.#catchingUp);
    try {
      const kept = this.#file.close(this.#onProgress);
      if (this.#file.failed !== undefined) this.#onFailed?.(this.#file.failed, kept);
      else if (!kept) this.#onNothing?.();
      if (this.#file.notice !== undefined) this.#onNotice?.(this.#file.notice);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Entries that the codec was too slow for are brought over while nothing passes, a little at a time. */
  #catchUpWhenIdle(ms: number): void {
    clearTimeout(this.#catchingUp);
    this.#catchingUp = setTimeout(() => {
      try {
        if (!this.#failed && !this.#file.catchUp(SLICE)) this.#catchUpWhenIdle(0);
      } catch (error) {
        this.fail(error);
      }
    }, ms).unref();
  }

  /** Like `close`; a recording without an entry leaves nothing behind. */
  discard(): void {
    if (this.#failed) return;
    this.#writing = undefined;
    this.#file.discard();
    this.#failed = true;
  }

  fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#writing = undefined;
    clearTimeout(this.#catchingUp);
    this.#file.abandon();
    this.#onFailure(error);
  }

  get failed(): boolean {
    return this.#failed;
  }

  #entry(seen: Seen, now: number): Entry {
    const { base } = this.#file;
    const at = base.at + Math.max(0, now - this.#began);
    return this.#maker.entry(seen, at, base.sessions + seen.session);
  }
}
