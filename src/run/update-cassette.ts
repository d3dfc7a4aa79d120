import { isGoodEnd } from "../drift/endings.ts";
import type { RecordedEntries } from "../drift/side.ts";
import type { LiveNames } from "../drive/again/live-names.ts";
import { deletedSessions, entriesOf, isCrashed, sessionsOf } from "../drive/again/recorded-session.ts";
import type { AgainReport, Kept } from "../drive/again/report.ts";
import type { Entry } from "../exchange/entry.ts";
import { isCounted, type Named } from "../rerecord/names.ts";
import type { Outline } from "../rerecord/outline.ts";
import { rewritten } from "../rerecord/rewrite.ts";
import { CassetteFile } from "./cassette-file.ts";
import { warn } from "./notices.ts";
import type { EntryRedactor } from "./redact-entry.ts";

export interface Update {
  readonly file: string;
  /** What the server says now. */
  readonly live: RecordedEntries;
  readonly outline: Outline;
  readonly report: AgainReport;
  readonly names: LiveNames;
  /** For a recording that was not redacted. */
  readonly redactor: EntryRedactor | undefined;
  /** Live entries whose answer differs from the recorded one in nothing but what may, with that one's ordinal. */
  readonly forgiven: ReadonlyMap<number, number>;
}

/**
 * Puts in a cassette what the server says now, in the old one's words wherever that is the same or may differ. What was
 * not asked again stays as it was recorded.
 * @throws VcrError where it cannot be written
 */
export async function updateCassette(update: Update): Promise<void> {
  const file = await CassetteFile.open(update.file, "all", update.live.header);
  try {
    for (const entry of entriesIn(update)) {
      file.add(entry);
      file.flush();
    }
    file.close();
  } catch (error) {
    file.abandon();
    throw error;
  }
  if (file.notice !== undefined) {
    warn(`${update.file}: recorded anew; nothing of the old text was kept: ${file.notice}`);
  }
}

/** The live entries, and what was left out in its place between them. */
function* entriesIn({ live, outline, report, names, redactor, forgiven }: Update): Iterable<Entry> {
  const keeping = new Keeping(outline, names, redactor);
  const kept = [...report.kept];
  const ends = new Ends(outline);
  for (let ordinal = 0; ordinal <= live.count; ordinal++) {
    while (kept[0] && kept[0].place.count <= ordinal) {
      const at = ordinal === 0 ? 0 : live.entryAt(ordinal - 1).at;
      yield* keeping.entries(kept.shift() as Kept, at);
    }
    const entry = ordinal < live.count ? ends.asRecorded(live.entryAt(ordinal)) : undefined;
    const old = forgiven.get(ordinal);
    if (entry) yield old === undefined ? entry : keeping.answer(entry, old);
  }
}

/** How a connection ends well is the client's doing, and this is another client: it ends as it did in the recording. */
class Ends {
  readonly #closed: readonly (Entry["closed"] | undefined)[];
  readonly #deleted: readonly boolean[];

  constructor(outline: Outline) {
    const all = Array.from({ length: outline.count }, (_, ordinal) => outline.entries.entryAt(ordinal));
    const deleted = deletedSessions(outline);
    this.#deleted = sessionsOf(outline).map((session) => deleted.has(session));
    this.#closed = sessionsOf(outline).map(
      (session) =>
        all.find((entry) => entry.session === session && isServersEnd(entry) && !isCrashed(outline, session))
          ?.closed,
    );
  }

  asRecorded(entry: Entry): Entry | undefined {
    const deletes = entry.on === "delete" || entry.http?.method === "DELETE";
    if (deletes && !this.#deleted[entry.session - 1]) return undefined;
    const closed = isServersEnd(entry) ? this.#closed[entry.session - 1] : undefined;
    const { exit, signal } = entry.closed ?? {};
    const untold = exit === undefined && signal === undefined;
    const both = [closed, entry.closed].every((each) => each && isGoodEnd(each));
    return closed && (both || untold) ? { ...entry, closed } : entry;
  }
}

function isServersEnd({ from, on, closed }: Entry): boolean {
  return from === "server" && on === undefined && closed !== undefined;
}

/** Numbers that no client or server is likely to count to. */
const APART = 900_000_000;

/** Recorded entries under the names that hold in the live recording. */
class Keeping {
  readonly #outline: Outline;
  readonly #names: LiveNames;
  readonly #redactor: EntryRedactor | undefined;
  /** An entry may belong to several of what was left out. */
  readonly #written = new Set<number>();

  constructor(outline: Outline, names: LiveNames, redactor: EntryRedactor | undefined) {
    this.#outline = outline;
    this.#names = names;
    this.#redactor = redactor;
  }

  *entries({ outlined, place }: Kept, at: number): Iterable<Entry> {
    const ordinals = entriesOf(this.#outline, outlined);
    for (const ordinal of ordinals) {
      if (this.#written.has(ordinal)) continue;
      this.#written.add(ordinal);
      const entry = this.#renamed(ordinal, place.session);
      yield { ...this.#redacted(entry), session: place.session, at };
    }
  }

  /** A live entry with the answer that was recorded. */
  answer(live: Entry, ordinal: number): Entry {
    const { body } = this.#redacted(this.#renamed(ordinal, live.session));
    return body ? { ...live, body } : live;
  }

  #redacted(entry: Entry): Entry {
    return this.#redactor?.redact(entry) ?? entry;
  }

  #renamed(ordinal: number, session: number): Entry {
    const entry = this.#outline.entries.entryAt(ordinal);
    const meant = this.#outline.meaningsOf(ordinal);
    return rewritten(entry, this.#outline.factsOf(entry, ordinal), {
      name: ({ token }, index) => this.#nameOf(meant[index] as number) ?? token,
      value: () => undefined,
      session: () => String(session),
      retry: (ms) => ms,
      pair: this.#outline.pair,
    });
  }

  /** What was not asked again has an id that nothing live has. */
  #nameOf(number: number): string | undefined {
    const live = this.#names.tokenOf(number);
    if (live !== undefined) return live;
    const { kind } = this.#outline.names.all[number] as Named;
    if (!isCounted(kind)) return undefined;
    return kind === "event" ? JSON.stringify(`kept-${number}`) : String(APART + number);
  }
}
