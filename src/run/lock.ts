import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { VcrError } from "../errors.ts";

/**
 * Keeps other recorders off a cassette while this process writes it. Returns what lets go of it. A lock whose process
 * is gone (killed) does not count.
 * @throws VcrError `usage` while another process holds it
 */
export function lock(file: string): () => void {
  const path = `${file}.lock`;
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const holder = Number(readFileSync(path, "utf8"));
    if (isRunning(holder)) {
      throw new VcrError("usage", `${file} is being recorded by another mcp-vcr (process ${holder})`, {
        hint: "Wait until it has ended, or record to another file with -o.",
      });
    }
    writeFileSync(path, String(process.pid));
  }
  return () => rmSync(path, { force: true });
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
