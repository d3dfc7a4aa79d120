import { labelOf } from "../../protocol/methods.ts";
import { paramsOf } from "../../replay/key.ts";
import type { Outline, Outlined } from "../../rerecord/outline.ts";
import { messageAt } from "./places.ts";
import { entriesOf } from "./recorded-session.ts";

/** A recorded request that was not made, so that there is nothing to compare. */
interface Withheld {
  /** `tools/call forecast`. */
  readonly subject: string;
  readonly reason: string;
}

/** Something recorded that was left out, and where in the live recording it would stand. */
export interface Kept {
  readonly outlined: Outlined;
  readonly place: LivePlace;
}

export interface LivePlace {
  /** How many live entries there were. */
  readonly count: number;
  /** The connection. */
  readonly session: number;
}

export interface AgainReportOptions {
  /** Where in the live recording the next entry of a recorded connection will stand. */
  readonly place: (session: number) => LivePlace;
  /** Told of each request before it is sent. */
  readonly onAsk?: ((label: string, method: string) => void) | undefined;
}

/** What came of asking a recording's questions again, besides the answers. */
export class AgainReport {
  readonly withheld: Withheld[] = [];
  readonly kept: Kept[] = [];
  /** Ordinals of all entries that belong to what was withheld. */
  readonly leftOut = new Set<number>();
  /** Numbers of the names that only what was withheld could have brought. */
  readonly unborn = new Set<number>();
  readonly notes: string[] = [];
  /** Whether all requests that were made got an answer, or did not get one in the recording either. */
  allAnswered = true;
  /** Whether all connections that were opened in the recording could be again. */
  allOpened = true;
  readonly #outline: Outline;
  readonly #known = new Set<Outlined>();
  readonly #options: AgainReportOptions;

  constructor(outline: Outline, options: AgainReportOptions) {
    this.#outline = outline;
    this.#options = options;
  }

  noteOnce(note: string): void {
    if (!this.notes.includes(note)) this.notes.push(note);
  }

  /** A request was refused with an HTTP status. */
  noteStatus(status: number | undefined): void {
    if (status !== 401 && status !== 403) return;
    this.noteOnce(`the server answered with HTTP status ${status}: give it credentials with --header`);
  }

  asking(outlined: Outlined): void {
    this.#known.add(outlined);
    this.#options.onAsk?.(this.labelOf(outlined), outlined.exchange.method ?? "");
  }

  /** It was not asked since the server, this time, gave no occasion to. That is a difference, and shows as one. */
  moot(outlined: Outlined): void {
    this.#known.add(outlined);
  }

  withhold(outlined: Outlined, reason: string): void {
    if (this.#known.has(outlined)) return;
    this.#known.add(outlined);
    if (outlined.exchange.kind === "request") {
      this.withheld.push({ subject: this.labelOf(outlined), reason });
    }
    this.kept.push({ outlined, place: this.#options.place(outlined.exchange.session) });
    for (const ordinal of entriesOf(this.#outline, outlined)) {
      this.leftOut.add(ordinal);
      for (const number of this.#outline.meaningsOf(ordinal)) this.unborn.add(number);
    }
  }

  /** Everything that was neither asked nor withheld. */
  withholdRest(reason: string): void {
    for (const outlined of this.#outline.exchanges) this.withhold(outlined, reason);
  }

  labelOf({ exchange }: Outlined): string {
    const message = messageAt(this.#outline.entries, exchange);
    return labelOf(exchange.method ?? "malformed", paramsOf(message));
  }
}
