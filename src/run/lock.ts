import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { VcrError } from "../errors.ts";

/** Milliseconds between two looks at a lock that somebody is just taking, and how many there are. */
const WAIT = 5;
const MOST_LOOKS = 40;

/**
 * Keeps other recorders off a cassette while this process writes it. Returns what lets go of it. A lock whose process
 * is gone (killed) does not count.
 * @throws VcrError `usage` while another process holds it; the system's error where it cannot be written
 */
export function lock(file: string): () => void {
  const path = `${file}.lock`;
  for (let look = 0; look < MOST_LOOKS; look++) {
    if (make(path)) return () => letGo(path);
    const holder = holderOf(path);
    if (isRunning(holder)) throw held(file, holder);
    // An empty lock is most likely one whose holder has not written its name yet.
    if (holder !== "" || look > MOST_LOOKS / 2) {
      if (holder !== undefined && takeOver(path, holder)) return () => letGo(path);
    }
    Atomics.wait(NEVER, 0, 0, WAIT);
  }
  throw new VcrError("usage", `${path} cannot be taken: recorders that were killed left it`, {
    hint: `Delete it, and what else begins with ${path}.`,
  });
}

const NEVER = new Int32Array(new SharedArrayBuffer(4));

/** False where there is one already. */
function make(path: string): boolean {
  let fd: number;
  try {
    fd = openSync(path, "wx");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  }
  try {
    writeSync(fd, String(process.pid));
  } finally {
    closeSync(fd);
  }
  return true;
}

/** What a lock says; undefined when it is gone. */
function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Takes the lock of a process that is gone. Of several who try, one makes the file that replaces it; whoever makes that
 * file later finds another holder in the lock.
 */
function takeOver(path: string, holder: string): boolean {
  const successor = `${path}.${Number(holder) || 0}`;
  if (!make(successor)) return false;
  if (holderOf(path) === holder) {
    renameSync(successor, path);
    return true;
  }
  rmSync(successor, { force: true });
  return false;
}

function letGo(path: string): void {
  try {
    if (holderOf(path) === String(process.pid)) rmSync(path, { force: true });
  } catch {
    // A folder that was made read-only: the lock stays, and does not count once this process has ended.
  }
}

function held(file: string, holder: string | undefined): VcrError {
  return new VcrError("usage", `${file} is being recorded by another mcp-vcr (process ${holder})`, {
    hint: "Wait until it has ended, or record to another file with -o.",
  });
}

function isRunning(holder: string | undefined): boolean {
  const pid = Number(holder);
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
