import { once } from "node:events";

/** Characters that are written at once. */
const CHUNK = 64 * 1024;

/** Prints as fast as the reader reads. */
export async function print(pieces: Iterable<string>): Promise<void> {
  let chunk = "";
  const flush = async (): Promise<void> => {
    const room = process.stdout.write(chunk);
    chunk = "";
    if (!room && !process.stdout.destroyed)
      await Promise.race([once(process.stdout, "drain"), once(process.stdout, "close")]);
  };
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length > CHUNK) await flush();
  }
  if (chunk !== "") await flush();
}
