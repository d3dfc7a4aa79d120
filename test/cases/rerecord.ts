import type { ByteSink, Codec } from "../../src/cassette/codec.ts";
import type { Entry, Header } from "../../src/exchange/entry.ts";
import { CassetteText } from "../../src/rerecord/cassette-text.ts";
import { ARRANGEMENTS, type Arrangement, Merge } from "../../src/rerecord/merge.ts";
import { bytesOf, fileOf, HEADER, textOf } from "../unit/cassette/support.ts";

export interface Outcome {
  readonly text: string;
  /** Undefined where nothing of the old recording could be kept. */
  readonly arrangement: Arrangement | undefined;
  /** The old file, byte for byte. */
  readonly same: boolean;
}

class Texts implements ByteSink {
  written = "";
  text(text: string): void {
    this.written += text;
  }
  bytes(bytes: Uint8Array): void {
    this.written += textOf(bytes);
  }
}

/** What a recording leaves that is made over the file `old`. */
export function recordedOver(codec: Codec, old: string, fresh: string): Outcome {
  const read = (text: string, like?: CassetteText) =>
    new CassetteText(bytesOf(text), { codec, file: "a cassette", like });
  const before = read(old);
  if (!before.plain) return { text: fresh, arrangement: undefined, same: false };
  const merge = new Merge({ old: before, fresh: read(fresh, before), codec });
  for (const arrangement of ARRANGEMENTS) {
    const sink = new Texts();
    const written = merge.write(arrangement, sink);
    if (written !== "unlike") return { text: sink.written, arrangement, same: written === "same" };
  }
  return { text: fresh, arrangement: undefined, same: false };
}

/** The same of entries. */
export function rerecorded(
  codec: Codec,
  old: readonly Entry[],
  fresh: readonly Entry[],
  header: Header = HEADER,
): Outcome & { readonly old: string } {
  const before = fileOf(codec, old, header);
  const later = { ...header, recorded: "2027-01-01T00:00:00.000Z" };
  return { old: before, ...recordedOver(codec, before, fileOf(codec, fresh, later)) };
}

/** A file's entries, each as its text. */
export function textsIn(codec: Codec, file: string): string[] {
  const read = new CassetteText(bytesOf(file), { codec, file: "a cassette" });
  return Array.from({ length: read.count }, (_, ordinal) => textOf(read.textOf(ordinal)));
}

export function entriesIn(codec: Codec, file: string): Entry[] {
  const read = new CassetteText(bytesOf(file), { codec, file: "a cassette" });
  return Array.from({ length: read.count }, (_, ordinal) => read.entryAt(ordinal));
}
