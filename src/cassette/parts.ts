import type { FilePlace } from "../errors.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import type { Part } from "./codec.ts";
import { entryOf, headerOf } from "./entry-members.ts";
import { invalid } from "./fault.ts";
import type { PlaceOf } from "./members.ts";
import { FORMAT, FORMATS, type Formats, type Members, migrate, readableFormat } from "./migrations.ts";

const FIRST: Part = { format: FORMAT, sessionBase: 0 };

/** The recordings of one file: its headers, and what the entries under each of them need to be read. */
export class Parts {
  readonly #formats: Formats;
  readonly #firstHeader: string;
  header: Header | undefined;
  part: Part = FIRST;
  #highestSession = 0;

  /** `firstHeader`: how a header looks in this codec, for whoever left it out. */
  constructor(firstHeader: string, formats: Formats = FORMATS) {
    this.#firstHeader = firstHeader;
    this.#formats = formats;
  }

  /** Entries are under a header, and need no migration. */
  get plain(): boolean {
    return this.header !== undefined && this.part.format === this.#formats.newest;
  }

  /** A header begins a recording, the first of the file or another one appended to it. */
  open(members: Members, place: PlaceOf): void {
    const format = readableFormat(members["mcp-vcr"], place("mcp-vcr"), this.#formats);
    const header = headerOf(migrate(members, format, { kind: "header", formats: this.#formats }), place);
    this.header ??= header;
    this.part = { format, sessionBase: this.#highestSession };
  }

  entry(members: Members, place: PlaceOf): Entry {
    this.requireHeader(place());
    const entry = entryIn(this.part, { members, place, formats: this.#formats });
    this.saw(entry.session);
    return entry;
  }

  saw(session: number): void {
    if (session > this.#highestSession) this.#highestSession = session;
  }

  requireHeader(place: FilePlace): void {
    if (this.header) return;
    throw invalid(
      "a cassette begins with its header, and this file does not",
      place,
      `A first document looks like this:\n${this.#firstHeader}`,
    );
  }
}

interface EntrySource {
  readonly members: Members;
  readonly place: PlaceOf;
  readonly formats?: Formats | undefined;
}

/** One entry of a recording, its session renumbered where recordings were concatenated. */
export function entryIn(part: Part = FIRST, { members, place, formats = FORMATS }: EntrySource): Entry {
  const current =
    part.format === formats.newest ? members : migrate(members, part.format, { kind: "entry", formats });
  const entry = entryOf(current, place);
  return part.sessionBase === 0 ? entry : { ...entry, session: entry.session + part.sessionBase };
}
