import { readFileSync } from "node:fs";
import { codecFor } from "../cassette/codecs.ts";
import { VcrError } from "../errors.ts";
import { CassetteBytes, type OnTruncated } from "../replay/cassette-bytes.ts";
import { withSpill } from "./spill.ts";

/** A cassette file as a source of entries. */
export class CassetteSource extends CassetteBytes {
  /**
   * Opens a cassette and reads as far as its header.
   * @param onTruncated told when the file stops in the middle of an entry, which is then left out
   * @throws VcrError `cassette-missing`, `cassette-invalid`, `usage` for a name that is no cassette's
   */
  static async open(file: string, onTruncated: OnTruncated): Promise<CassetteSource> {
    const codec = await codecFor(file);
    const bytes = withSpill(file, readCassetteFile(file), codec);
    return new CassetteSource({ file, bytes, codec, onTruncated });
  }
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
      hint: missing ? `Record it: mcp-vcr record -o ${file} -- COMMAND` : undefined,
      cause: error,
    });
  }
}
