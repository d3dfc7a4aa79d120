import type { IdToken, Message } from "../protocol/message.ts";
import type { Action } from "./action.ts";
import type { Arrival } from "./arrival.ts";
import type { RealServer } from "./forward/real-server.ts";
import type { Listeners } from "./listeners.ts";
import type { LiveExchange } from "./live-exchange.ts";
import type { LooseIndex } from "./loose-index.ts";
import type { Miss, RecordedMiss } from "./miss.ts";
import type { Pace } from "./pace.ts";
import type { Timer } from "./pacer.ts";
import type { Questions } from "./questions.ts";
import type { Recording } from "./recording.ts";
import type { LaidFault, ReportBuilder } from "./report.ts";
import type { Rules } from "./rules.ts";
import type { Visitors } from "./visitor.ts";

export interface PlayerOptions {
  /** The cassette's name, for misses and the report. */
  readonly cassette: string;
  /** A question asked more often than recorded is a miss. Default false: the last answer serves again. */
  readonly strict?: boolean | undefined;
  /** How fast it is served. Default: as fast as it can be. */
  readonly pace?: Pace | undefined;
  /** What besides equal params makes two requests the same question. */
  readonly rules?: Rules | undefined;
  /** The recording's own redaction, so that what a client sends today matches what was stored. Identity if absent. */
  readonly redact?: Redaction | undefined;
  /**
   * What becomes of a request that was recorded without an answer: its client waits, as the recorded one did, or it is
   * a miss. Default `wait`.
   */
  readonly unanswered?: "wait" | "miss" | undefined;
  /** Asked what the recording does not hold; without it, that is a miss. */
  readonly realServer?: RealServer | undefined;
  /** What comes between the player and its doors, if anything. */
  readonly between?: Between | undefined;
  /** Told what a user should know although it is no miss. */
  readonly onNotice?: ((notice: string) => void) | undefined;
  /** Told of each message of a client, those of a batch one by one. */
  readonly onReceived?: ((message: Message) => void) | undefined;
  /** Told, as a sentence, of a request over HTTP that no server takes, and that nothing recorded answers. */
  readonly onRefused?: ((refused: string) => void) | undefined;
  /** Told of each miss as it happens. */
  readonly onMiss?: ((miss: Miss, explanation: string) => void) | undefined;
}

export interface Redaction {
  message(message: Message): Message;
  /** Value of an HTTP header, its name in lower case. */
  header(name: string, value: string): string;
}

/** What of a client's connection its door asks for. */
export interface ClientSession {
  /** A message of the client. False for a flawed request that is the door's to refuse. */
  receive(message: Message, arrival?: Arrival): boolean;
  /** The client dropped the response stream of a request: in the modern era that cancels it. */
  drop(id: IdToken): void;
  /** The client is gone for good. */
  close(): void;
  /** The client is gone. What it asked for is over, which is no giving up. */
  disconnect(): void;
  /** No more is received: what still waits for its time is sent now. */
  flush(): void;
  /** Whether something will be sent for this request by itself, when its time has come. */
  isPausing(id: IdToken): boolean;
  /** The client came back to an ended stream, or the door has none that could end. */
  resume(id: IdToken): void;
  /** Whether an HTTP status is on its way for this request, in the place of an answer. */
  owesStatus?(id: IdToken): boolean;
}

/** Stands between the player and its doors. */
export interface Between {
  /** A client's connection as the door sees it; `open` is the player's own, for a door of ours. */
  connect(live: Live, open: (door: DoorSide) => ClientSession): ClientSession;
  /** For the report. */
  readonly faults: readonly LaidFault[];
}

export interface Live {
  readonly door: DoorSide;
  readonly visitors: Visitors;
  readonly player: Playing;
}

/**
 * What messages are carried by: lines, Streamable HTTP with sessions (2025-03-26 to 2025-11-25), POST alone
 * (2026-07-28), the HTTP+SSE pair of 2024-11-05, or objects within a process.
 */
export type Carrier = "stdio" | "http" | "post" | "sse" | "memory";

/** What a door is to the player. */
export interface DoorSide {
  /** Asked for by what stands between the player and this door. */
  readonly carrier?: Carrier;
  /** Lets time pass that was asked for (a pace, a delay), where `timer` does not. */
  readonly wait?: Timer;
  /** Carries out what the player decides, in order. */
  act(action: Action): void;
  /**
   * Room for the bytes of an answer, where a door is done with them when `act` returns, so that they are made where they
   * are wanted.
   */
  readonly roomFor?: ((length: number) => Uint8Array) | undefined;
  /** Told, where it matters, that nothing more comes for a request before its client says something. */
  rests?(on: IdToken): void;
  /** Told before an answer whose connection is to be closed with it, where each has its own. */
  closes?(on: IdToken): void;
  /** HTTP answers without a message (401, …) can be given here. */
  readonly carriesStatus: boolean;
  readonly timer: Timer;
  /**
   * What is done is translated for a client of the other era. Then every request of the server waits for its answer, also
   * one on the standalone stream, to which a client need not listen; and updates of resources come whoever subscribed,
   * since who listens is known there. Default false.
   */
  readonly isForOtherEra?: boolean | undefined;
}

/** What the sessions of one player have in common. */
export interface Playing {
  readonly recording: Recording;
  readonly options: PlayerOptions;
  readonly tally: ReportBuilder;
  readonly listeners: Listeners<LiveExchange>;
  readonly questions: Questions;
  /** The recording as its rules see it, where there are any. */
  readonly loosely: LooseIndex | undefined;
  /** Notes a miss, and returns its explanation. */
  miss(miss: RecordedMiss): string;
}
