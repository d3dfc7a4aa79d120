import { VcrError } from "../errors.ts";
import { scanJson } from "../protocol/scan-json.ts";
import { readAgentVcr } from "./agent-vcr.ts";
import type { ForeignRecording } from "./foreign.ts";
import { readMcpCassetteJson } from "./mcp-cassette-json.ts";
import { readMcpCassetteJsonl } from "./mcp-cassette-jsonl.ts";
import { readMcpRecorder } from "./mcp-recorder.ts";
import { FOREIGN_NAMES } from "./names.ts";
import { Piece } from "./piece.ts";

/** A format of another tool that is one JSON object: the members that tell it, and how it is read. */
interface Format {
  readonly members: readonly string[];
  readonly read: (root: Piece) => ForeignRecording;
}

const OBJECTS: readonly Format[] = [
  { members: ["format_version", "metadata", "session"], read: readAgentVcr },
  { members: ["version", "metadata", "interactions"], read: readMcpRecorder },
  { members: ["format_version", "messages"], read: readMcpCassetteJson },
];

/** What a file of another tool is: a recording that was read, or the root of a HAR. */
export type Foreign = { readonly recording: ForeignRecording } | { readonly har: Piece };

/**
 * Reads a recording of another tool.
 * @throws VcrError `cassette-invalid` where it is none that is known, or is broken
 */
export function readForeign(bytes: Uint8Array, file: string): Foreign {
  const { valid, root } = scanJson(bytes);
  if (!valid) return { recording: readLines(bytes, file) };
  if (root !== "object") throw unknown(file);
  const piece = Piece.whole(bytes, file);
  if (piece.find("log")?.has("entries")) return { har: piece };
  if (isLinesHeader(piece)) return { recording: readLines(bytes, file) };
  const format = OBJECTS.find(({ members }) => members.every((name) => piece.has(name)));
  if (!format) throw unknown(file);
  return { recording: format.read(piece) };
}

const NEWLINE = 0x0a;

function readLines(bytes: Uint8Array, file: string): ForeignRecording {
  const pieces: Piece[] = [];
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    const text = bytes.subarray(start, end);
    if (text.some((byte) => byte > 0x20))
      pieces.push(lineAt(text, { file, line, first: pieces.length === 0 }));
    start = end + 1;
  }
  const [header, ...lines] = pieces;
  if (!header || !isLinesHeader(header)) throw unknown(file);
  return readMcpCassetteJsonl([header, ...lines]);
}

function lineAt(
  text: Uint8Array,
  { file, line, first }: { file: string; line: number; first: boolean },
): Piece {
  if (scanJson(text).valid) return Piece.whole(text, file, line);
  if (first) throw unknown(file);
  throw new VcrError("cassette-invalid", "no JSON object on this line", { place: { file, line } });
}

function isLinesHeader(piece: Piece): boolean {
  return piece.has("cassetteVersion") && piece.find("type")?.value() === "header";
}

function unknown(file: string): VcrError {
  return new VcrError("cassette-invalid", "is no recording that convert knows", {
    place: { file },
    hint: `It reads cassettes (.yaml, .jsonl) and ${FOREIGN_NAMES.join(", ")}.`,
  });
}
