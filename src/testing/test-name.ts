import { createHash } from "node:crypto";
import { relative, sep } from "node:path";

/** A test that is running, as its runner knows it. */
export interface NamedTest {
  /** Of the test file, absolute. */
  readonly file: string;
  /** With the names of the blocks around it. */
  readonly name: string;
}

/** Characters that are kept of a name; together with a hash no file system has a file's name too long. */
const LONGEST = 80;
/** Digits of the hash that tells names apart which look the same as files. */
const HASH_LENGTH = 8;
const ENDING = /(?:[._-](?:test|spec))?\.[cm]?[jt]sx?$/;

/**
 * The cassette of a test that names none: `weather/the-forecast-for-Oslo` for the test "the forecast for Oslo" of
 * `weather.test.ts`, the folders being those of the file, from the working directory on.
 *
 * Letters, digits, `_` and spaces (as `-`) are kept. A name that holds anything else, or is long, ends with a hash of the
 * whole name, so that no two tests of a file share a cassette.
 */
export function cassetteNameOf({ file, name }: NamedTest, folder: string = process.cwd()): string {
  const folders = relative(folder, file).replace(ENDING, "").split(sep);
  return [...folders.map((part) => (PLAIN.test(part) ? part : hashed(part))), safe(name)].join("/");
}

/** A part of a path as people name files. */
const PLAIN = /^(?!\.)[\w-]{1,80}$/;

function safe(name: string): string {
  const isWhole = /^[\p{L}\p{M}\p{N}_]+(?: [\p{L}\p{M}\p{N}_]+)*$/u.test(name) && name.length <= LONGEST;
  return isWhole && name.normalize("NFC") === name ? name.replaceAll(" ", "-") : hashed(name);
}

function hashed(name: string): string {
  const kept = name.normalize("NFC").replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, "-");
  const short = [...kept].slice(0, LONGEST).join("").replaceAll(/^-|-$/g, "");
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_LENGTH);
  return short === "" ? hash : `${short}-${hash}`;
}
