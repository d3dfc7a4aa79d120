import { existsSync, readFileSync, statSync } from "node:fs";
import { codecFor } from "../cassette/codecs.ts";
import { VcrError } from "../errors.ts";
import { CassetteBytes, type OnTruncated } from "../replay/cassette-bytes.ts";
import { FileBytes } from "./file-bytes.ts";
import { spillOf, withSpill } from "./spill.ts";

/** A cassette file as a source of entries. */
export class CassetteSource extends CassetteBytes {
  /**
   * Opens a cassette and reads as far as its header.
   * @param onTruncated told when the file stops in the middle of an entry, which is then left out
   * @param atOnce a file of fewer bytes is read at once; a larger one bit by bit, if it is all there is
   * @throws VcrError `cassette-missing`, `cassette-invalid`, `usage` for a name that is no cassette's
   */
  static async open(file: string, onTruncated: OnTruncated, atOnce = LARGE): Promise<CassetteSource> {
    const codec = await codecFor(file);
    const large = largeFile(file, atOnce);
    const bytes = large?.bytes ?? withSpill(file, readCassetteFile(file), codec);
    return new CassetteSource({
      file,
      bytes,
      readTo: large && ((end) => large.readTo(end)),
      codec,
      onTruncated,
    });
  }
}

/** In bytes. Nobody is to wait until a cassette as long as this is read. */
const LARGE = 4 * 1024 * 1024;

/** A file to be read bit by bit; undefined for one that is small, or not all, or that reading tells the fault of. */
function largeFile(file: string, atOnce: number): FileBytes | undefined {
  const { size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return size >= atOnce && !existsSync(spillOf(file)) ? new FileBytes(file) : undefined;
}

/**
 * The bytes of a cassette file.
 * @throws VcrError `cassette-missing`
 */
export function readCassetteFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const folder = (error as NodeJS.ErrnoException).code === "EISDIR";
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const reason = missing
      ? "there is no such file"
      : folder
        ? "this is a folder; name a cassette in it"
        : (error as Error).message;
    throw new VcrError("cassette-missing", reason, {
      place: { file },
      hint: missing
        ? `Record it: npx mcp-vcr record -o ${file} -- COMMAND; without a client, --drive auto before the --.`
        : undefined,
      cause: error,
    });
  }
}
