import {
  existsSync,
  fchmodSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Codec } from "../cassette/codec.ts";
import { codecFor } from "../cassette/codecs.ts";
import { VcrError } from "../errors.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { type Beginning, beginningOf } from "./beginning.ts";
import { lock } from "./lock.ts";
import { warn } from "./notices.ts";
import { requireSameRules } from "./own-secrets.ts";
import { dropSpill, settleSpill } from "./spill.ts";

/**
 * `once`: refuse to touch an existing cassette (unless no session came about in it). `all`: record anew and replace it at the
 * end. `append`: go on after its last entry.
 */
export type RecordMode = "once" | "all" | "append";

export interface Opened {
  readonly file: string;
  /** The file written to, which becomes `file` at the end. */
  readonly written: string;
  readonly fd: number;
  readonly position: number;
  /** What stood from there on before it was opened; undefined for a new file. */
  readonly before?: Before | undefined;
  /** Lets other recorders at the cassette. */
  readonly release: () => void;
  readonly base: { readonly sessions: number; readonly at: number };
}

/** The end of a file as it was, and where it began. */
export interface Before {
  readonly at: number;
  readonly tail: Uint8Array;
}

const NEW = { position: 0, base: { sessions: 0, at: 0 } } as const;

/** @throws VcrError when a mode does not allow it, or the system does not */
export const OPENERS: Readonly<Record<RecordMode, (file: string, header: Header) => Promise<Opened>>> = {
  async once(file, header) {
    if (existsSync(file)) {
      refuseFolder(file);
      // A name somebody made sure of (mktemp) is as good as a new one.
      const codec = await codecFor(file);
      if (statSync(file).size === 0) unlinkSync(file);
      else if (beginningOf(file, codec)?.kind === "probe") return reopen(file, header);
      else return { ...NEW, file, written: file, ...create(file, file, codec) };
    }
    return { ...NEW, file, written: file, ...create(file, file) };
  },
  async all(file, header) {
    if (!existsSync(file)) return OPENERS.once(file, header);
    refuseFolder(file);
    // What takes its place would take that of the link.
    if (lstatSync(file).isSymbolicLink()) return OPENERS.all(realpathSync(file), header);
    if ((await begunIn(file))?.kind === "probe") return reopen(file, header);
    await refuseToReplace(file);
    const written = writtenBeside(file);
    if (await isJustBegun(written, file)) return { ...(await reopen(file, header, written)), file };
    return { ...NEW, file, written, ...create(written, file) };
  },
  async append(file, header) {
    const isNew = !existsSync(file) || (await begunIn(file))?.kind === "failed";
    return isNew ? OPENERS.once(file, header) : reopen(file, header);
  },
};

/** Where a recording is written that replaces another one. There is one at most, since a lock guards the cassette. */
function writtenBeside(file: string): string {
  return `${file}.recording`;
}

/** As `beginningOf`; what cannot be read is no beginning. */
async function begunIn(path: string, file = path): Promise<Beginning | undefined> {
  try {
    return beginningOf(path, await codecFor(file));
  } catch (error) {
    if (error instanceof VcrError && error.code === "usage") throw error;
    return undefined;
  }
}

/** Milliseconds within which a client that has probed starts the server anew. */
const PROBE_LASTS = 60_000;

/** A client has just asked which era the server speaks, and now starts it for good: see `Beginning`. */
async function isJustBegun(written: string, file: string): Promise<boolean> {
  const began = statSync(written, { throwIfNoEntry: false })?.mtimeMs;
  if (began === undefined || Date.now() - began >= PROBE_LASTS) return false;
  return (await begunIn(written, file))?.kind === "probe";
}

function refuseFolder(file: string): void {
  if (statSync(file).isDirectory()) {
    throw new VcrError("usage", `${file} is a folder`, {
      hint: `Name a file in it: -o ${file}/session.yaml`,
    });
  }
}

/** What is no cassette is not replaced by one, whatever the mode. */
async function refuseToReplace(file: string): Promise<void> {
  if (statSync(file).size === 0 || (await isCassette(file))) return;
  throw new VcrError("usage", `${file} is no cassette, and is not replaced by one`, {
    hint: "Choose another file with -o.",
  });
}

async function isCassette(file: string): Promise<boolean> {
  const decoder = (await codecFor(file)).decoder(file);
  try {
    decoder.push(readFileSync(file));
    decoder.end();
  } catch {
    // A cassette that was broken later is one all the same, as long as its header stands.
  }
  return decoder.header !== undefined;
}

interface Created {
  readonly fd: number;
  readonly release: () => void;
}

/**
 * Makes the file `path` of a cassette that will be called `file`.
 * @param codec of the file that is there, which gives way where no session came about in it
 */
function create(path: string, file: string, codec?: Codec): Created {
  makeFolder(dirname(path));
  const release = locked(file);
  try {
    sweep(file);
    if (codec) giveWay(path, codec);
    const fd = openSync(path, "wx");
    // Who may not read the cassette may not read what is to replace it.
    if (path !== file) fchmodSync(fd, permissionsOf(file));
    dropSpill(path);
    return { fd, release };
  } catch (error) {
    release();
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unwritable(file, error);
    throw new VcrError("cassette-exists", `${file} exists already, and --mode once does not touch it`, {
      hint: "Record over it with --mode all, go on after its end with --mode append, or choose another file with -o.",
    });
  }
}

/** Removes a cassette in which no session came about. It is looked at once more, now that nobody else records it. */
function giveWay(file: string, codec: Codec): void {
  const begun = beginningOf(file, codec);
  if (!begun || begun.kind === "probe") return;
  rmSync(file);
  if (begun.kind === "failed") warn(`${file} is recorded anew: in it initialize ${begun.why}`);
}

/** Who may read, write and execute a file. */
function permissionsOf(file: string): number {
  return statSync(file).mode & 0o7777;
}

/** Removes what a killed recorder left beside the cassette: nobody writes it, since this process holds the lock. */
function sweep(file: string): void {
  const written = writtenBeside(file);
  for (const path of [written, `${file}.merging`]) rmSync(path, { force: true });
  dropSpill(written);
}

/** Keeps recorders off a cassette, see `lock`. @throws VcrError `usage` */
export function locked(file: string): () => void {
  try {
    return lock(file);
  } catch (error) {
    throw error instanceof VcrError ? error : unwritable(file, error);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    // Its code would be taken for the cassette's own.
    const reason = error instanceof Error ? error.message : String(error);
    throw new VcrError("usage", `the folder ${folder} cannot be made: ${reason}`, { cause: error });
  }
}

export function unwritable(file: string, error: unknown): VcrError {
  const reason = error instanceof Error ? error.message : String(error);
  return new VcrError("usage", `${file} cannot be written: ${reason}`, { cause: error });
}

/**
 * Opens an existing cassette where its last entry ends; one that is broken or cut off is left as it is.
 * @param written the file that becomes it
 */
async function reopen(file: string, header: Header, written = file): Promise<Opened> {
  refuseFolder(file);
  const release = locked(file);
  try {
    if (written === file) sweep(file);
    return { ...(await reopened(written, { codec: await codecFor(file), header })), release };
  } catch (error) {
    release();
    throw error;
  }
}

interface Reopening {
  readonly codec: Codec;
  /** Of what is to be recorded now. */
  readonly header: Header;
}

async function reopened(file: string, { codec, header }: Reopening): Promise<Omit<Opened, "release">> {
  settleSpill(file, codec);
  const decoder = codec.decoder(file);
  let sessions = 0;
  let at = 0;
  const note = (entry: Entry) => {
    sessions = Math.max(sessions, entry.session);
    at = Math.max(at, entry.at);
  };
  const bytes = readFileSync(file);
  for (const { entry } of decoder.push(bytes)) note(entry);
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
  requireSameRules(file, decoder.header, header);
  const fd = openWritable(file);
  const { prefix } = end.append;
  // The file stays complete until the first entry comes, and at every instant in between.
  const tail = Buffer.concat([Buffer.from(prefix), codec.terminator]);
  writeSync(fd, tail, 0, tail.length, end.append.at);
  ftruncateSync(fd, end.append.at + tail.length);
  const position = end.append.at + Buffer.byteLength(prefix);
  const before = { at: end.append.at, tail: Uint8Array.from(bytes.subarray(end.append.at)) };
  return { file, written: file, fd, position, before, base: { sessions, at } };
}

function openWritable(file: string): number {
  try {
    return openSync(file, "r+");
  } catch (error) {
    throw unwritable(file, error);
  }
}
