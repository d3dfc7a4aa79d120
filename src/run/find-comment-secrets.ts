import type { Codec } from "../cassette/codec.ts";
import type { PlacedFinding } from "../check/report.ts";
import type { OwnRules } from "../redact/own-rules.ts";
import { slicesOf } from "./read-entries.ts";
import { openRedactor } from "./redaction.ts";

/** Comments of a YAML cassette. Only at the beginning of a line, or behind a `---`, is a `#` surely one. */
export const COMMENTS = /^(?:---[^\S\n]+)?#[^\n]*/gm;

/** Finds credentials in comments, which are no part of an entry. */
export function secretsInComments(file: string, codec: Codec, own: OwnRules | undefined): PlacedFinding[] {
  if (codec.name !== "yaml") return [];
  const redactor = openRedactor(own);
  const encoder = new TextEncoder();
  const found: PlacedFinding[] = [];
  let line = 0;
  for (const text of linesOf(file, codec)) {
    line++;
    if (text.search(COMMENTS) !== 0) continue;
    const bytes = encoder.encode(text);
    if (redactor.text(bytes) === bytes) continue;
    const message = "a credential stands in a comment";
    found.push({ file, line, column: text.indexOf("#") + 1, rule: "secret", message, hint: HINT });
  }
  return found;
}

const HINT = "Take it out with mcp-vcr redact, and make it void: whoever has the file has it.";

function* linesOf(file: string, codec: Codec): Iterable<string> {
  const decoder = new TextDecoder();
  let begun = "";
  for (const slice of slicesOf(file, codec)) {
    const lines = (begun + decoder.decode(slice, { stream: true })).split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
  yield begun;
}
