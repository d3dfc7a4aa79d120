import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import type { Codec, DecoderEnd, Located, Truncation } from "../cassette/codec.ts";
import { VcrError } from "../errors.ts";
import type { Header } from "../exchange/entry.ts";
import { spillOf, withSpill } from "./spill.ts";

/** Bytes read at a time. */
const SLICE = 512 * 1024;

/** What reading a cassette to its end told besides its entries. */
export interface ReadCassette {
  /** Of the first recording in it. */
  readonly header: Header;
  /** How many recordings it holds, one appended to the other. */
  readonly recordings: number;
  /** It stops in the middle of an entry, which was left out. */
  readonly truncated?: Truncation | undefined;
}

/**
 * Reads a cassette from its beginning to its end, a slice in memory at a time, and hands over its entries as they come.
 * @param take is given the header as well, which stands before all entries
 * @throws VcrError `cassette-missing`, `cassette-invalid`
 */
export function readEntries(
  file: string,
  codec: Codec,
  take: (located: Located, header: Header) => void,
): ReadCassette {
  const decoder = codec.decoder(file);
  let recordings = 0;
  let part: Located["part"] | undefined;
  const takeAll = (all: readonly Located[]): void => {
    for (const located of all) {
      if (located.part !== part) recordings++;
      part = located.part;
      take(located, decoder.header as Header);
    }
  };
  for (const slice of slicesOf(file, codec)) takeAll(decoder.push(slice));
  const end: DecoderEnd = decoder.end();
  takeAll(end.entries);
  // A decoder that came to the end without a header has thrown.
  return { header: decoder.header as Header, recordings, truncated: end.truncated };
}

/** The bytes of a cassette, what a killed recorder left beside it included. Slices are not written to again. */
export function* slicesOf(file: string, codec: Codec): Iterable<Uint8Array> {
  if (existsSync(spillOf(file))) {
    yield withSpill(file, readFileSync(file), codec);
    return;
  }
  const fd = opened(file);
  try {
    for (;;) {
      const slice = Buffer.allocUnsafeSlow(SLICE);
      const count = readSync(fd, slice);
      if (count === 0) return;
      yield slice.subarray(0, count);
    }
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    closeSync(fd);
  }
}

function opened(file: string): number {
  try {
    return openSync(file, "r");
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** An error of the system, told as one of this program; any other as it is. */
export function unreadable(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof VcrError || code === undefined) return error;
  const reason = REASONS[code] ?? message;
  return new VcrError("cassette-missing", reason, { place: { file }, cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "this is a folder; name a cassette in it",
};

/** How it is told that a cassette stops in the middle of an entry. */
export function truncationNotice(file: string, { line, reason }: Truncation): string {
  return `${file}:${line}: the last entry is cut off (${reason}) and left out`;
}
