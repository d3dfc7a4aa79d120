import type { Entry, Source } from "../exchange/entry.ts";
import type { Player } from "../replay/player.ts";
import { Appender } from "./appender.ts";
import { warn } from "./notices.ts";
import { type RedactSettings, secretsToRecord } from "./own-secrets.ts";
import { SourceServer } from "./real-server.ts";
import { headerOf } from "./record-session.ts";
import { hashOf, openRedactor } from "./redaction.ts";

export interface BehindOptions {
  readonly file: string;
  readonly source: Source;
  /** What the server answers is appended to the file. */
  readonly keeps: boolean;
  /** There was no recording before. */
  readonly isNew: boolean;
  readonly redact: RedactSettings | undefined;
  /** Told of each entry that is in the file now. */
  readonly onEntry: (entry: Entry) => void;
}

/** The real server behind a player, and the cassette that its answers go to. */
export class Behind {
  readonly server: SourceServer;
  readonly #file: string;
  readonly #appender: Appender | undefined;
  /** Why what was asked is not kept. */
  #notKept: string | undefined;

  private constructor(server: SourceServer, file: string, appender: Appender | undefined) {
    this.server = server;
    this.#file = file;
    this.#appender = appender;
  }

  static async open({ file, source, keeps, isNew, redact, onEntry }: BehindOptions): Promise<Behind> {
    let behind: Behind | undefined;
    const own = keeps ? secretsToRecord(redact ?? {}, { env: process.env, hash: hashOf }) : undefined;
    for (const notice of own?.notices ?? []) warn(notice);
    const redactor = openRedactor(own?.rules);
    const appender = keeps
      ? new Appender({
          file,
          header: headerOf(source, redactor, own?.names ?? []),
          redactor,
          clock: { now: () => Date.now() },
          onEntry,
          onFailure: (error) => behind?.lost(error),
        })
      : undefined;
    const server = await SourceServer.of(source, {
      journal: appender && (() => appender.journal()),
      records: isNew,
    });
    behind = new Behind(server, file, appender);
    return behind;
  }

  /** The cassette cannot be written, so what is asked from now on is not kept. */
  lost(error: unknown): void {
    const { message, hint } = error as Error & { hint?: string };
    this.#notKept = `${message}${hint ? `\n${hint}` : ""}`;
    warn(`${this.#file}: nothing more is appended, the clients are served on: ${this.#notKept}`);
  }

  /** Ends the server's connections, completes the cassette, and says on stderr what was asked. */
  async close(player: Player): Promise<void> {
    await this.server.close();
    this.#appender?.close();
    const { all } = player.tally.forwarded;
    if (all.length === 0) return;
    const count = (condition: (each: (typeof all)[number]) => boolean) => all.filter(condition).length;
    const failed = count(({ outcome }) => outcome === "failed");
    const appended = count((each) => each.appended);
    const done = this.server.records ? "recorded in" : "appended to";
    const kept = this.server.keeps ? `, ${appended} ${done} ${this.#file}` : "";
    const asked = all.length === 1 ? "1 request was" : `${all.length} requests were`;
    const lost = failed > 0 ? `, ${failed} not answered` : "";
    warn(`${asked} asked of the real server (${this.server.name})${kept}${lost}`);
  }

  /** 4 when the server failed, 1 when what it answered is not in the cassette; undefined when all went well. */
  exitCode(player: Player): number | undefined {
    if (player.tally.forwarded.all.some(({ outcome }) => outcome === "failed")) return 4;
    return this.#notKept === undefined ? undefined : 1;
  }

  /** The same as sentences. */
  problems(player: Player): readonly string[] {
    const { name } = this.server;
    const failed = player.tally.forwarded.all.flatMap(({ label, outcome, reason }) =>
      outcome === "failed" ? [`${label} was not answered: the real server (${name}) ${reason}`] : [],
    );
    return this.#notKept === undefined
      ? failed
      : [...failed, `${this.#file} does not hold what was asked: ${this.#notKept}`];
  }
}
