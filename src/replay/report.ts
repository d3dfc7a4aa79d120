import type { JsonValue } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Recorded } from "./candidates.ts";
import { askedOf, paramsOf } from "./key.ts";
import type { Miss } from "./miss.ts";
import type { Recording } from "./recording.ts";

/** What a replay came to, for tests and CI. Written as JSON by `serve --report`. */
export interface Report {
  readonly cassette: string;
  /** Live connections. */
  readonly sessions: number;
  /** Requests answered from the recording. */
  readonly hits: number;
  readonly misses: readonly Miss[];
  /** Questions asked more often than they were recorded, answered by the last recording of them. */
  readonly repeats: readonly { readonly label: string; readonly times: number }[];
  /** Answers of the client to the server's requests that are not the recorded ones. */
  readonly differentAnswers: readonly DifferentAnswer[];
  /** Requests whose recording holds no answer, so that the client got none. */
  readonly unanswered: readonly Asked[];
  /** Recorded requests nobody asked. */
  readonly unused: readonly Asked[];
}

export interface Asked {
  /** Method and name. */
  readonly label: string;
  /** Its params, without what is volatile. */
  readonly asked: JsonValue;
}

export interface DifferentAnswer {
  /** The request during which the server asked. */
  readonly label: string;
  readonly recorded: JsonValue;
  readonly live: JsonValue;
}

/** Gathers what happens while a recording is served. */
export class ReportBuilder {
  readonly misses: Miss[] = [];
  readonly differentAnswers: DifferentAnswer[] = [];
  readonly unanswered: Asked[] = [];
  readonly #repeats = new Map<string, number>();
  readonly #used = new Set<Recorded>();
  hits = 0;
  sessions = 0;

  hit(recorded: Recorded): void {
    this.hits++;
    this.#used.add(recorded);
  }

  /** A notification of the client that the recording knows: no hit, since it is not answered, but used. */
  heard(recorded: Recorded): void {
    this.#used.add(recorded);
  }

  repeat(label: string): void {
    this.#repeats.set(label, (this.#repeats.get(label) ?? 0) + 1);
  }

  build(recording: Recording, cassette: string): Report {
    const unused = recording.exchanges.filter(
      (recorded) => recorded.exchange.kind === "request" && !this.#used.has(recorded),
    );
    return {
      cassette,
      sessions: this.sessions,
      hits: this.hits,
      misses: this.misses,
      repeats: [...this.#repeats].map(([label, times]) => ({ label, times })),
      differentAnswers: this.differentAnswers,
      unanswered: this.unanswered,
      unused: unused.map(({ exchange }) => {
        const { message } = recording.at(exchange);
        return { label: labelOf(exchange.method ?? "", paramsOf(message)), asked: askedOf(message) };
      }),
    };
  }
}
