import type { FaultPlan } from "../faults/plan.ts";
import type { Message } from "../protocol/message.ts";
import type { Player } from "../replay/player.ts";
import type { PlayerOptions } from "../replay/playing.ts";
import type { Recording } from "../replay/recording.ts";
import type { RequestRecording, Send } from "../run/request-recording.ts";

/** What a tape listens to. */
export type Listening = Required<Pick<PlayerOptions, "onNotice" | "onReceived" | "onMiss" | "onRefused">>;

/** One run of what a tape plays, from its opening or its last reset on. */
export interface Run {
  readonly player: Player;
  /** What by itself goes wrong, as sentences, besides misses. */
  problems(): readonly string[];
  /** Nothing happens by itself any more. */
  end(): void;
}

/** What a tape plays: a cassette, a scenario, a mock. */
export interface Play {
  /** As the user would name it, for messages. */
  readonly name: string;
  /** An absolute path; where there is none, the name. */
  readonly file: string;
  /** Empty where nothing was recorded. */
  readonly recording: Recording;
  /** Laid over it. */
  readonly faults: FaultPlan | undefined;
  /** Fails a run also where clients answer otherwise than recorded, or are left waiting. */
  readonly strict: boolean;
  /** How a test records what is missed, where it can. */
  readonly remedy?: string | undefined;
  begin(listening: Listening): Run;
  /** What goes wrong besides its runs, as sentences. */
  problems?(): readonly string[];
  /**
   * Something stands before the real server, which `send` goes past. Returns what answers in the place of a run, where
   * nothing is recorded yet.
   */
  passing?(send: Send, onReceived: (message: Message) => void): RequestRecording | undefined;
  /** After the last run. */
  close(run: Run | undefined): Promise<void>;
}
