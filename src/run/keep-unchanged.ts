import {
  chmodSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
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

/** From so many bytes on, finding out what did not change may take longer than whoever ends us has patience. */
const LARGE = 4 * 1024 * 1024;

/**
 * Puts a new recording in the place of an old one, in one rename, with the old text of all that did not change. Where
 * nothing did, the cassette is not touched. A large recording takes the place as it is before that is found out, so that
 * it is there whatever happens meanwhile. `written` is gone then.
 * @returns why nothing was kept, where that is not because all is new
 * @throws the system's error where the cassette cannot be replaced
 */
export function replaceKeeping(replacing: Replacing): string | undefined {
  const { file, written } = replacing;
  let reason: string | undefined;
  let texts: Texts | undefined;
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
  };
  attempt(() => {
    texts = readTexts(replacing);
  });
  const large = texts === undefined || texts.recorded.length > LARGE;
  if (large) replace(written, file);
  let kept: Kept = "none";
  attempt(() => {
    if (texts) kept = mergeInto(`${file}.merging`, replacing, texts);
  });
  const result = {
    all: large ? `${file}.merging` : file,
    some: `${file}.merging`,
    none: large ? file : written,
  }[kept];
  if (result !== file) replace(result, file);
  for (const path of [`${file}.merging`, written]) rmSync(path, { force: true });
  return reason;
}

/** With the spill of the old one, which is none of the new one's. */
function replace(path: string, file: string): void {
  renameSync(path, file);
  dropSpill(file);
}

type Kept = "all" | "some" | "none";

interface Texts {
  readonly old: Buffer;
  /** Some of it was in a spill. */
  readonly spilled: boolean;
  readonly recorded: Buffer;
}

function readTexts({ file, written, codec }: Replacing): Texts {
  const before = readFileSync(file);
  const old = withSpill(file, before, codec);
  return { old, spilled: old !== before, recorded: readFileSync(written) };
}

function mergeInto(merged: string, { file, written, codec }: Replacing, texts: Texts): Kept {
  const old = new CassetteText(texts.old, { codec, file });
  if (!old.plain) return "none";
  const fresh = new CassetteText(texts.recorded, { codec, file: written, like: old });
  const merge = new Merge({ old, fresh, codec });
  for (const arrangement of ARRANGEMENTS) {
    const sink = new FileSink(merged);
    chmodSync(merged, statSync(file).mode & 0o7777);
    try {
      const outcome = merge.write(arrangement, sink);
      if (outcome !== "unlike") return outcome === "same" && !texts.spilled ? "all" : "some";
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
