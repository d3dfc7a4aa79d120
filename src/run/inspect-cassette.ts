import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { codecFor } from "../cassette/codecs.ts";
import { VcrError } from "../errors.ts";
import { htmlPieces } from "../inspect/html.ts";
import { jsonLines } from "../inspect/json.ts";
import { mermaidLines } from "../inspect/mermaid.ts";
import { type Filter, type Overview, OverviewBuilder } from "../inspect/overview.ts";
import { textLines } from "../inspect/text.ts";
import { warn } from "./notices.ts";
import { print } from "./print.ts";
import { readEntries, truncationNotice } from "./read-entries.ts";
import { writeBeside } from "./write-beside.ts";

/** How an overview is shown. */
interface Format {
  /** Rows keep their bodies. */
  readonly bodies: boolean;
  pieces(overview: Overview): Iterable<string>;
}

export const INSPECT_FORMATS = {
  text: { bodies: false, pieces: (overview) => lines(textLines(overview)) },
  json: { bodies: true, pieces: (overview) => lines(jsonLines(overview)) },
  mermaid: { bodies: false, pieces: (overview) => lines(mermaidLines(overview)) },
  html: { bodies: true, pieces: (overview) => htmlPieces(readPage(), overview) },
} as const satisfies Readonly<Record<string, Format>>;

export type InspectFormat = keyof typeof INSPECT_FORMATS;

export interface InspectOptions extends Filter {
  readonly file: string;
  readonly format: InspectFormat;
  /** Where it goes; stdout when undefined. */
  readonly output: string | undefined;
}

/**
 * Shows what a cassette holds.
 * @throws VcrError when the cassette cannot be read or the output not be written
 */
export async function inspectCassette({ file, format, output, ...filter }: InspectOptions): Promise<void> {
  const { bodies, pieces } = INSPECT_FORMATS[format];
  if (output !== undefined) refuseCassette(output);
  const builder = new OverviewBuilder({ cassette: file, bodies, ...filter });
  const { header, truncated } = readEntries(file, await codecFor(file), (located) => builder.add(located));
  if (truncated) warn(truncationNotice(file, truncated));
  const overview = builder.finish(header);
  if (output === undefined) return print(pieces(overview));
  writeBeside(output, (sink) => {
    for (const piece of pieces(overview)) sink.text(piece);
    return true;
  });
}

/** What is shown is no cassette, and must not take the place of one. */
function refuseCassette(output: string): void {
  if (!/\.(?:ya?ml|jsonl)$/i.test(output)) return;
  throw new VcrError("usage", `-o ${output}: that is a cassette's name, and what inspect writes is none`, {
    hint: "Name it .txt, .json, .md or .html.",
  });
}

function* lines(all: Iterable<string>): Iterable<string> {
  for (const line of all) yield `${line}\n`;
}

/** The page that the build makes of `src/inspect/page`, beside the command. */
function readPage(): string {
  return readFileSync(createRequire(import.meta.url).resolve("./inspect.html"), "utf8");
}
