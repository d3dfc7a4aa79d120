import type { Entry, HttpFacts, Source } from "../exchange/entry.ts";
import type { Redactor } from "../redact/redactor.ts";
import { EntryMaker } from "./seen-entry.ts";

/** Redacts entries that are in a cassette already, by what a recorder does to what it sees. */
export class EntryRedactor {
  readonly #maker: EntryMaker;

  constructor(redactor: Redactor) {
    this.#maker = new EntryMaker(redactor);
  }

  /** The same object when nothing struck. */
  redact(entry: Entry): Entry {
    const { body, http, at, session } = entry;
    const made = this.#maker.entry({ ...entry, raw: body?.bytes }, at, session);
    const sameBody = made.body?.bytes === body?.bytes;
    if (sameBody && isSame(made.http, http)) return entry;
    return { ...entry, http: made.http, body: sameBody ? body : made.body };
  }
}

function isSame(a: HttpFacts | undefined, b: HttpFacts | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b && { ...b });
}

/** What a header says was recorded, without credentials. */
export function redactedSource(source: Source, redactor: Redactor): Source {
  return source.transport === "stdio"
    ? { ...source, command: redactor.command(source.command) }
    : { ...source, url: redactor.url(source.url) };
}
