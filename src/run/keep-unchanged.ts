import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import type { ByteSink, Codec } from "../cassette/codec.ts";
import { CassetteText } from "../rerecord/cassette-text.ts";
import { ARRANGEMENTS, Merge } from "../rerecord/merge.ts";
import { PendingBytes } from "./pending-bytes.ts";
import { dropSpill, withSpill } from "./spill.ts";

/** Bytes that are gathered for a write. */
const MOST_PENDING = 256 * 1024;

export interface Replacing {
  /** The cassette. */
  readonly file: string;
  /** What was recorded anew, complete. */
  readonly written: string;
  readonly codec: Codec;
}

/**
 * Puts a new recording in the place of an old one, in one rename, with the old text of all that did not change. Where
 * nothing did, the cassette is not touched. `written` is gone then.
 * @returns why nothing was kept, where that is not because all is new
 * @throws the system's error where the cassette cannot be replaced
 */
export function replaceKeeping(replacing: Replacing): string | undefined {
  const { file, written } = replacing;
  const merged = `${file}.merging`;
  let result = written;
  let reason: string | undefined;
  try {
    const kept = mergeInto(merged, replacing);
    result = { all: file, some: merged, none: written }[kept];
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  if (result !== file) {
    renameSync(result, file);
    dropSpill(file);
  }
  for (const path of [merged, written]) rmSync(path, { force: true });
  return reason;
}

type Kept = "all" | "some" | "none";

function mergeInto(merged: string, { file, written, codec }: Replacing): Kept {
  const before = readFileSync(file);
  const whole = withSpill(file, before, codec);
  const old = new CassetteText(whole, codec, file);
  if (!old.plain) return "none";
  const merge = new Merge({ old, fresh: new CassetteText(readFileSync(written), codec, written), codec });
  for (const arrangement of ARRANGEMENTS) {
    const sink = new FileSink(merged);
    try {
      const outcome = merge.write(arrangement, sink);
      if (outcome === "same" && whole === before) return "all";
      if (outcome !== "unlike") return "some";
    } finally {
      sink.close();
    }
  }
  return "none";
}

/** A file written from its beginning. */
class FileSink implements ByteSink {
  readonly #fd: number;
  readonly #pending = new PendingBytes();

  constructor(path: string) {
    this.#fd = openSync(path, "w");
  }

  text(text: string): void {
    this.#pending.text(text);
    if (this.#pending.length > MOST_PENDING) this.#flush();
  }

  bytes(bytes: Uint8Array): void {
    this.#pending.bytes(bytes);
    if (this.#pending.length > MOST_PENDING) this.#flush();
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#fd);
    }
  }

  #flush(): void {
    for (const piece of this.#pending.take()) {
      for (let at = 0; at < piece.length; ) at += writeSync(this.#fd, piece, at);
    }
  }
}
