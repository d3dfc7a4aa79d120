import type { JsonValue, Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Recorded } from "./candidates.ts";
import { Counts } from "./counts.ts";
import { type Forwarded, ForwardLog } from "./forward/log.ts";
import type { Written } from "./forward/real-server.ts";
import { askedOf, paramsOf } from "./key.ts";
import type { Miss } from "./miss.ts";
import { isProbe } from "./probes.ts";
import type { Recording } from "./recording.ts";

/** What a replay came to, for tests and CI. Written as JSON by `serve --report`; see schema/report.schema.json. */
export interface Report {
  /** The format. */
  readonly "mcp-vcr-report": 1;
  readonly cassette: string;
  /** Live connections. */
  readonly sessions: number;
  /** Requests answered from the recording, or by a scenario. */
  readonly hits: number;
  readonly misses: readonly Miss[];
  /** Requests that no recording answers, and the real server was asked instead. */
  readonly forwarded: readonly Forwarded[];
  /** Questions asked more often than they were recorded, answered by the last recording of them. */
  readonly repeats: readonly { readonly label: string; readonly times: number }[];
  /** Answers of the client to the server's requests that are not the recorded ones. */
  readonly differentAnswers: readonly DifferentAnswer[];
  /** Requests whose recording holds no answer, so that the client got none. */
  readonly unanswered: readonly Asked[];
  /** Requests in flight that the client gave up, with what it was not sent any more. */
  readonly cancelled: readonly CancelledRequest[];
  /**
   * Recorded requests nobody asked; `initialize`, `ping` and `server/discover` left aside. Of a scenario, replies that
   * never answered, and pages that nobody asked for.
   */
  readonly unused: readonly Asked[];
  /** The faults that were laid over the recording, struck or not. */
  readonly faults: readonly LaidFault[];
}

export interface LaidFault {
  /** In words: `the 3rd tools/call forecast: the answer comes 5s late`. */
  readonly fault: string;
  /** Where it is written: `faults.yaml:3:5`. */
  readonly place: string;
  /** How many requests it struck. */
  readonly struck: number;
  /** Which ones, by label. */
  readonly at: readonly { readonly label: string; readonly times: number }[];
}

export interface Asked {
  /** Method and name. */
  readonly label: string;
  /** Its params, without what is volatile. */
  readonly asked: JsonValue;
  /** Of a scenario's reply: where it is written. */
  readonly place?: string | undefined;
}

export interface CancelledRequest {
  readonly label: string;
  /** It was given up in the recording too. */
  readonly recorded: boolean;
  /** How many messages the recording holds for it that the client was not sent. */
  readonly unsent: number;
}

export interface DifferentAnswer {
  /** The request during which the server asked. */
  readonly label: string;
  readonly recorded: JsonValue;
  readonly live: JsonValue;
}

/** Whether clients differ in asking it, whatever they want of the server. */
function isOpening(request: Pick<Message, "method">): boolean {
  return request.method === "initialize" || isProbe(request);
}

/** Gathers what happens while a recording is served. */
export class ReportBuilder {
  readonly misses: Miss[] = [];
  readonly forwarded = new ForwardLog();
  readonly differentAnswers: DifferentAnswer[] = [];
  readonly unanswered: Asked[] = [];
  readonly cancelled: CancelledRequest[] = [];
  readonly #repeats = new Map<string, number>();
  /** How often each recording was, by its number. */
  readonly #used = new Counts();
  #asked = false;
  faults: readonly LaidFault[] = [];
  /** The last `server/discover` was answered as by a server that did not know it. */
  turnedAway = false;
  /** A mock that stands behind the recording. */
  written: Written | undefined;
  hits = 0;
  sessions = 0;

  hit(recorded: Recorded): void {
    this.hits++;
    this.heard(recorded);
    if (!isProbe(recorded.exchange)) this.#asked = true;
  }

  /** By the recording, and by a mock behind it. */
  get answered(): number {
    return this.hits + (this.written?.hits ?? 0);
  }

  /** Nothing was asked but what clients ask of any server, if anything. */
  get probed(): boolean {
    if (this.written?.asked) return false;
    const struck = this.faults.some((fault) => fault.struck > 0);
    return !this.#asked && !struck && this.misses.length + this.forwarded.all.length === 0;
  }

  /** A notification of the client that the recording knows: no hit, since it is not answered, but used. */
  heard(recorded: Recorded): void {
    this.#used.add(recorded.number, 1);
  }

  /** A hit that was none: the client could not be answered. `repeated` names what was counted as a repeat. */
  takeBack(recorded: Recorded, repeated: string | undefined): void {
    this.hits--;
    this.#used.add(recorded.number, -1);
    if (repeated !== undefined) this.#takeBackRepeat(repeated);
  }

  #takeBackRepeat(label: string): void {
    const left = (this.#repeats.get(label) ?? 0) - 1;
    if (left > 0) this.#repeats.set(label, left);
    else this.#repeats.delete(label);
  }

  repeat(label: string): void {
    this.#repeats.set(label, (this.#repeats.get(label) ?? 0) + 1);
  }

  /** How often something was asked once more than it was recorded. */
  get repeated(): number {
    return [...this.#repeats.values()].reduce((sum, times) => sum + times, 0);
  }

  /** Recorded requests nobody asked. What opens a connection is asked as it takes the client, in its own era's way. */
  unusedOf({ exchanges }: Recording): readonly Recorded[] {
    return exchanges.filter(
      (each) =>
        each.exchange.kind === "request" && this.#used.of(each.number) === 0 && !isOpening(each.exchange),
    );
  }

  build(recording: Recording, cassette: string): Report {
    return {
      "mcp-vcr-report": 1,
      cassette,
      sessions: this.sessions,
      hits: this.answered,
      misses: this.misses,
      forwarded: this.forwarded.all,
      repeats: [...this.#repeats].map(([label, times]) => ({ label, times })),
      differentAnswers: this.differentAnswers,
      unanswered: this.unanswered,
      cancelled: this.cancelled,
      unused: [
        ...this.unusedOf(recording).map((each) => askedIn(each, recording)),
        ...(this.written?.unused() ?? []),
      ],
      faults: this.faults.map(({ fault, place, struck, at }) => ({ fault, place, struck, at })),
    };
  }
}

function askedIn({ exchange }: Recorded, recording: Recording): Asked {
  const { message } = recording.at(exchange);
  return { label: labelOf(exchange.method ?? "", paramsOf(message)), asked: askedOf(message) };
}
