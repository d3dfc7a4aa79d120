import type { Readable } from "node:stream";
import { setImmediate } from "node:timers";

/**
 * Takes in what a client has said by now, for whoever reads it later.
 *
 * @note A turn of the event loop that finds the engine's room for young objects four fifths full begins with tidying it
 * (V8's minor GC task). Opening a recording fills it so far; a client that is heard before need not wait for that.
 */
export function takeFirstWords(stdin: Readable): Promise<void> {
  // `serveStdio` sees it on the stream.
  stdin.on("error", () => undefined);
  stdin.read(0);
  return new Promise((resolve) => setImmediate(resolve));
}
