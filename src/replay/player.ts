import type { JsonValue } from "../protocol/message.ts";
import { nameOf } from "../protocol/methods.ts";
import { Eras } from "./eras/translation.ts";
import { Listeners } from "./listeners.ts";
import type { LiveExchange } from "./live-exchange.ts";
import { LooseIndex } from "./loose-index.ts";
import { explainMiss, type Miss, type RecordedMiss } from "./miss.ts";
import type { ClientSession, DoorSide, PlayerOptions, Playing } from "./playing.ts";
import { Questions } from "./questions.ts";
import type { Recording } from "./recording.ts";
import { type Report, ReportBuilder } from "./report.ts";
import { PlayerSession } from "./session.ts";
import { Visitor, type Visitors } from "./visitor.ts";

/**
 * The one state machine that answers from a recording: messages in, actions out. It knows no socket, process, file or
 * clock; doors (stdio, HTTP, in process) feed it and carry out its actions.
 */
export class Player implements Playing {
  readonly recording: Recording;
  readonly options: PlayerOptions;
  readonly tally = new ReportBuilder();
  readonly listeners = new Listeners<LiveExchange>();
  readonly questions = new Questions();
  readonly loosely: LooseIndex | undefined;
  readonly #eras = new Eras(this);

  constructor(recording: Recording, options: PlayerOptions) {
    this.recording = recording;
    this.options = options;
    this.tally.written = options.realServer?.written;
    this.loosely = options.rules && new LooseIndex(recording, options.rules, options.onNotice);
    if (options.between) this.tally.faults = options.between.faults;
  }

  /** A new client: it starts afresh and shares nothing with others. */
  welcome(): Visitor {
    this.tally.sessions++;
    return new Visitor();
  }

  /** A connection of a client, or of one of several: see `Visitors`. */
  connect(door: DoorSide, visitors: Visitors = [this.welcome()]): ClientSession {
    const { between } = this.options;
    if (!between) return this.#open(door, visitors);
    return between.connect({ door, visitors, player: this }, (side) => this.#open(side, visitors));
  }

  #open(door: DoorSide, visitors: Visitors): PlayerSession {
    const open = (side: DoorSide) => new PlayerSession(this, { door: side, visitors });
    // Where there is a real server, it answers in whichever era it is asked.
    const translates = this.options.realServer === undefined;
    return new PlayerSession(this, {
      door,
      visitors,
      translate: translates ? (live) => this.#eras.for({ live, visitors, door, open }) : undefined,
    });
  }

  /** The mock ends before its clients do: what can be ended gracefully is. */
  end(): void {
    this.#eras.end();
  }

  /** Notes a miss; the door's client is told by the session. */
  miss(miss: RecordedMiss): string {
    const explanation = explainMiss(miss, this.options.rules);
    this.missed(miss, explanation);
    return explanation;
  }

  /** Notes a miss that was explained already. */
  missed(miss: Miss, explanation: string): void {
    this.tally.misses.push(miss);
    this.options.onMiss?.(miss, explanation);
  }

  /** Something was asked that the recording does not hold; in strict mode, or the client answered otherwise, or was left waiting. */
  get failed(): boolean {
    const { misses, differentAnswers, unanswered } = this.tally;
    if (misses.length > 0) return true;
    return this.options.strict === true && differentAnswers.length + unanswered.length > 0;
  }

  /** The `inputSchema` of the tool that a `tools/call` names, where it is known. */
  inputSchemaFor(method: string | undefined, params: JsonValue | undefined): JsonValue | undefined {
    const recorded = this.recording.inputSchemaFor(method, params);
    const { written } = this.options.realServer ?? {};
    if (recorded !== undefined || !written || method !== "tools/call") return recorded;
    const name = nameOf(method, params);
    return name === undefined ? undefined : written.inputSchemaOf(name);
  }

  /** Resolves when the real server has answered what it can without the client. */
  settled(): Promise<void> {
    return (this.tally.written?.log ?? this.tally.forwarded).settled();
  }

  report(): Report {
    return this.tally.build(this.recording, this.options.cassette);
  }
}
