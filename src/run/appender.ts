import type { Clock } from "../clock.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Journal } from "../replay/forward/journal.ts";
import { noSession } from "./beginning.ts";
import { CassetteFile } from "./cassette-file.ts";
import { warn } from "./notices.ts";
import { EntryMaker } from "./seen-entry.ts";

export interface AppenderParts {
  readonly file: string;
  /** Of the cassette, where there is none yet. */
  readonly header: Header;
  readonly redactor: Redactor;
  readonly clock: Clock;
  /** Told of each entry that is in the cassette now. */
  readonly onEntry: (entry: Entry) => void;
  /** Told once, when the cassette cannot be written (any more); serving goes on. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Appends to a cassette while it is served. It is opened, and locked, when there is something to append; whatever fails
 * here ends the appending, not the serving.
 */
export class Appender {
  readonly #parts: AppenderParts;
  readonly #maker: EntryMaker;
  readonly #began: number;
  #opening: Promise<void> | undefined;
  #file: CassetteFile | undefined;
  /** Sessions appended so far. */
  #sessions = 0;

  constructor(parts: AppenderParts) {
    this.#parts = parts;
    this.#maker = new EntryMaker(parts.redactor);
    this.#began = parts.clock.now();
  }

  /** For one client, whose exchanges are a session of their own. */
  journal(): Journal {
    let session: number | undefined;
    const number = () => {
      session ??= ++this.#sessions;
      return session;
    };
    return {
      ready: () => this.#ready(),
      note: (passed) => {
        const at = this.#parts.clock.now() - this.#began;
        return this.#maker.entry(passed, Math.max(0, at), 0);
      },
      keep: (entries) => this.#append(entries, number),
    };
  }

  /** Ends the cassette complete. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    try {
      file?.close();
      if (file?.failed !== undefined) warn(noSession(this.#parts.file, file.failed, true));
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  #ready(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<void> {
    const { file, header, onFailure } = this.#parts;
    try {
      this.#file = await CassetteFile.open(file, "append", header);
    } catch (error) {
      onFailure(error);
    }
  }

  /** All entries are in the file when this returns. */
  #append(entries: readonly Entry[], number: () => number): boolean {
    const file = this.#file;
    if (!file) return false;
    const { base } = file;
    const placed = entries.map((entry) => ({
      ...entry,
      at: base.at + entry.at,
      session: base.sessions + number(),
    }));
    try {
      // Who gave its request up before the real server spoke is to find it again, too.
      file.keep();
      for (const entry of placed) file.add(entry);
      file.flush();
      file.catchUp(Number.POSITIVE_INFINITY);
    } catch (error) {
      this.#file = undefined;
      this.#parts.onFailure(error);
      return false;
    }
    for (const entry of placed) this.#parts.onEntry(entry);
    return true;
  }
}
