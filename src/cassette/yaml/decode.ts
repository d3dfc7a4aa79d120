import type { FilePlace } from "../../errors.ts";
import type { Entry } from "../../exchange/entry.ts";
import { scanJson } from "../../protocol/scan-json.ts";
import type { Decoder, DecoderEnd, EntryPlace, Located } from "../codec.ts";
import { invalid, placeIn } from "../fault.ts";
import type { PlaceOf } from "../members.ts";
import type { Formats, Members } from "../migrations.ts";
import { entryIn, Parts } from "../parts.ts";
import { parseDocument } from "./parse.ts";
import { DocumentSplitter, type RawDocument } from "./split.ts";

const FIRST_DOCUMENT = `mcp-vcr: 1
recorded: 2026-11-30T09:00:00.000Z
recorder: mcp-vcr/0.1.0
source: { transport: stdio, command: [node, server.js] }
---`;

/** Why a document does not count: https://yaml.org/spec/1.2.2/#912-document-markers */
const UNFINISHED = "no line `---` or `...` follows it";

/** Reads a YAML cassette document by document. */
export class YamlDecoder implements Decoder {
  readonly #file: string;
  readonly #splitter = new DocumentSplitter();
  readonly #parts: Parts;

  constructor(file: string, formats?: Formats) {
    this.#file = file;
    this.#parts = new Parts(FIRST_DOCUMENT, formats);
  }

  get header() {
    return this.#parts.header;
  }

  push(chunk: Uint8Array): Located[] {
    return this.#located(this.#splitter.push(chunk));
  }

  end(): DecoderEnd {
    const { documents, rest, terminator } = this.#splitter.end();
    const entries = this.#located(documents);
    if (!hasContent(rest.bytes)) {
      this.#parts.requireHeader({ file: this.#file, line: rest.line });
      const prefix =
        terminator === undefined && rest.bytes.length > 0 && rest.bytes.at(-1) !== 0x0a ? "\n" : "";
      return { entries, append: { at: terminator ?? rest.end, prefix } };
    }
    if (!this.#parts.header) {
      const place = { file: this.#file, line: rest.line };
      throw invalid(
        `the header is not complete: ${UNFINISHED}`,
        place,
        "If a recording that was stopped at once left it, record again with --mode all; if it is written by hand, end it with a line `...`; otherwise it is no cassette.",
      );
    }
    return {
      entries,
      truncated: { line: rest.line, reason: UNFINISHED },
      append: { at: rest.start, prefix: "" },
    };
  }

  #located(documents: readonly RawDocument[]): Located[] {
    const found: Located[] = [];
    for (const { bytes, start, end, line } of documents) {
      const document = readDocument(bytes, { file: this.#file, line });
      if (!document) continue;
      const { members, place } = document;
      if (Object.hasOwn(members, "mcp-vcr")) this.#parts.open(members, place);
      else found.push({ entry: this.#parts.entry(members, place), start, end, line, part: this.#parts.part });
    }
    return found;
  }
}

/** One entry alone, from the bytes of its document. */
export function decodeYamlEntry(bytes: Uint8Array, { file, line, part }: EntryPlace): Entry {
  const document = readDocument(bytes, { file, line });
  if (!document) throw invalid("no entry here", { file, line });
  return entryIn(part, document);
}

interface ReadDocument {
  readonly members: Members;
  readonly place: PlaceOf;
}

const encoder = new TextEncoder();

function readDocument(bytes: Uint8Array, start: FilePlace): ReadDocument | undefined {
  const text = utf8Text(bytes, start);
  const found = parseDocument(text, start);
  if (!found) return undefined;
  // Without a prototype, so that a member of any name may stand in a stranger's file.
  const members: Record<string, unknown> = Object.create(null);
  for (const { name, json } of found)
    members[name] = name === "message" ? encoder.encode(json) : JSON.parse(json);
  keepExact(members);
  const place: PlaceOf = (member) => {
    const at = found.find(({ name }) => name === member)?.at;
    return at === undefined ? start : placeIn(text, at, start);
  };
  return { members, place };
}

/** A message which is fine as YAML but not as a JavaScript value (keys that are array indexes, say) is exact text. */
function keepExact(members: Record<string, unknown>): void {
  const { message } = members;
  if (!(message instanceof Uint8Array) || Object.hasOwn(members, "json") || !scanJson(message, true).harmed)
    return;
  delete members.message;
  members.json = decoder.decode(message);
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function utf8Text(bytes: Uint8Array, start: FilePlace): string {
  try {
    // In concatenated files a byte order mark may come after the empty lines of the file before.
    return decoder.decode(bytes).replace(/^\s*\ufeff/, (space) => space.slice(0, -1));
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw invalid("bytes that are no UTF-8", start, "Save the file as UTF-8; write such bytes as base64:.");
  }
}

/** Anything but white space and comments; a `---` counts, since an entry was begun there. */
function hasContent(bytes: Uint8Array): boolean {
  return /^[^\S\n]*[^#\s]/m.test(lossy.decode(bytes));
}

const lossy = new TextDecoder("utf-8");
