import { fstatSync } from "node:fs";
import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";
import type { Readable } from "node:stream";

/** Bytes that are read at once at most, as elsewhere in Node. */
const MOST = 64 * 1024;

let own: Readable | undefined;

/** This process's stdin. Whoever asks shares the one stream; `process.stdin` is not to be used beside it. */
export function ownStdin(): Readable & { readonly isTTY?: boolean } {
  own ??= (isPipe() ? pipeIn() : undefined) ?? process.stdin;
  return own;
}

function isPipe(): boolean {
  if (process.platform === "win32") return false;
  const stats = fstatSync(0);
  return stats.isFIFO() || stats.isSocket();
}

/**
 * A pipe is read into the same memory each time, and what came is copied from there.
 * @note For each reading `process.stdin` takes 64 KiB from the system and gives back what was not needed, which for
 * short messages costs more than all else it does.
 */
function pipeIn(): Readable | undefined {
  const memory = Buffer.allocUnsafeSlow(MOST);
  let stdin: Socket;
  const onread: OnReadOpts = {
    buffer: memory,
    callback(count) {
      const chunk = Buffer.allocUnsafe(count);
      memory.copy(chunk, 0, 0, count);
      if (!stdin.readableFlowing || stdin.readableLength > 0) return stdin.push(chunk);
      // `push` would do the same here, by a longer way.
      stdin.emit("data", chunk);
      return true;
    },
  };
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    fd: 0,
    readable: true,
    writable: false,
    onread,
  };
  try {
    stdin = new Socket(options);
    return stdin;
  } catch {
    // Sockets of datagrams, and the channel to a parent in Node, which `process.stdin` knows to take.
    return undefined;
  }
}
