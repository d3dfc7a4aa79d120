import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import type { ByteSink, Codec } from "../cassette/codec.ts";
import { CassetteText } from "../rerecord/cassette-text.ts";
import { ARRANGEMENTS, Merge } from "../rerecord/merge.ts";
import { PendingBytes } from "./pending-bytes.ts";

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
export function replaceKeeping({ file, written, codec }: Replacing): string | undefined {
  const merged = `${file}.merging`;
  let kept: Kept;
  try {
    kept = mergeInto(merged, { file, written, codec });
  } catch (error) {
    rmSync(merged, { force: true });
    renameSync(written, file);
    return error instanceof Error ? error.message : String(error);
  }
  if (kept === "none") renameSync(written, file);
  else {
    if (kept === "some") renameSync(merged, file);
    rmSync(written, { force: true });
  }
  if (kept !== "some") rmSync(merged, { force: true });
  return undefined;
}

type Kept = "all" | "some" | "none";

function mergeInto(merged: string, { file, written, codec }: Replacing): Kept {
  const old = new CassetteText(readFileSync(file), codec, file);
  if (!old.plain) return "none";
  const merge = new Merge({ old, fresh: new CassetteText(readFileSync(written), codec, written), codec });
  for (const arrangement of ARRANGEMENTS) {
    const sink = new FileSink(merged);
    try {
      const outcome = merge.write(arrangement, sink);
      if (outcome === "same") return "all";
      if (outcome === "changed") return "some";
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
