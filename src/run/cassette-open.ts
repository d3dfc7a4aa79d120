import { existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { codecFor } from "../cassette/codecs.ts";
import { VcrError } from "../errors.ts";
import type { Entry } from "../exchange/entry.ts";
import { isProbeOnly } from "./probe-only.ts";
import { dropSpill, settleSpill } from "./spill.ts";

/**
 * `once`: refuse to touch an existing cassette (unless it holds only a probe). `all`: record anew and replace it at the
 * end. `append`: go on after its last entry.
 */
export type RecordMode = "once" | "all" | "append";

export interface Opened {
  readonly file: string;
  /** The file written to, which becomes `file` at the end. */
  readonly written: string;
  readonly fd: number;
  readonly position: number;
  readonly base: { readonly sessions: number; readonly at: number };
}

const NEW = { position: 0, base: { sessions: 0, at: 0 } } as const;

/** @throws VcrError when a mode does not allow it, or the system does not */
export const OPENERS: Readonly<Record<RecordMode, (file: string) => Promise<Opened>>> = {
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
    const fd = openSync(path, "wx");
    dropSpill(path);
    return fd;
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
  await settleSpill(file);
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
