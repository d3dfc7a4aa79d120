import {
  closeSync,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import type { ByteSink } from "../cassette/codec.ts";
import { unwritable } from "./cassette-open.ts";
import { PendingBytes } from "./pending-bytes.ts";

/** Bytes that are gathered for a write. */
const MOST_PENDING = 256 * 1024;

/**
 * Writes a file beside the one it becomes, and puts it in that one's place in one rename at the end. What was there
 * survives any failure. Where links lead, the file they lead to is replaced.
 * @param write answers whether the file is to be put in place; if not, nothing is left of it
 * @throws VcrError `usage` where the system does not allow it, and whatever `write` throws
 */
export function writeBeside(file: string, write: (sink: ByteSink) => boolean): boolean {
  const target = existsSync(file) ? realpathSync(file) : file;
  const beside = `${target}.${process.pid}.tmp`;
  const sink = begun(file, beside, modeOf(target));
  let kept = false;
  try {
    try {
      kept = write(sink);
    } finally {
      sink.close();
    }
    if (kept) attempt(file, () => renameSync(beside, target));
  } finally {
    rmSync(beside, { force: true });
  }
  return kept;
}

function begun(file: string, beside: string, mode: number | undefined): FileSink {
  return attempt(file, () => new FileSink(file, openSync(beside, "wx", mode)));
}

/** Permissions of the file that is replaced. */
function modeOf(target: string): number | undefined {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw unwritable(target, new Error("this is a folder; name a file in it"));
  return stats && stats.mode & 0o777;
}

function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unwritable(file, error);
  }
}

class FileSink implements ByteSink {
  readonly #file: string;
  readonly #fd: number;
  readonly #pending = new PendingBytes();

  constructor(file: string, fd: number) {
    this.#file = file;
    this.#fd = fd;
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
    attempt(this.#file, () => {
      for (const piece of this.#pending.take()) {
        for (let at = 0; at < piece.length; ) at += writeSync(this.#fd, piece, at);
      }
    });
  }
}
