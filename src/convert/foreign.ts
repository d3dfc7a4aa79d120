import type { HttpFacts, On, Source } from "../exchange/entry.ts";
import type { Side } from "../protocol/message.ts";

/** Something another tool recorded, as the wire may have carried it. Redaction and body forms come later. */
export interface ForeignEntry {
  /** Milliseconds since the recording began, whole. */
  readonly at: number;
  readonly from: Side;
  readonly raw?: Uint8Array | undefined;
  readonly on?: On | undefined;
  readonly http?: HttpFacts | undefined;
}

/** A recording of another tool. */
export interface ForeignRecording {
  /** ISO 8601, UTC. */
  readonly recorded: string;
  readonly source: Source;
  readonly entries: readonly ForeignEntry[];
  /** What the other format does not tell, and what became of it. */
  readonly notices: readonly string[];
}

/** A moment as other tools write it; one without a zone is taken for UTC. NaN for what is none. */
export function momentOf(text: string): number {
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
}

/** The moment as a header has it. */
export function isoOf(moment: number): string {
  return Number.isNaN(moment) ? "1970-01-01T00:00:00.000Z" : new Date(moment).toISOString();
}

/** Times never go back; fractions of milliseconds, and what is no time, are dropped. */
export class Times {
  #last = 0;

  at(ms: number): number {
    if (Number.isFinite(ms)) this.#last = Math.max(this.#last, Math.round(ms));
    return this.#last;
  }
}
