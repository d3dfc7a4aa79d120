import { resolve } from "node:path";
import { VcrError } from "../errors.ts";
import { Faults } from "../faults/faults.ts";
import type { FaultPlan } from "../faults/plan.ts";
import type { Message } from "../protocol/message.ts";
import type { Pace } from "../replay/pace.ts";
import { Player } from "../replay/player.ts";
import type { Redaction } from "../replay/playing.ts";
import type { Recording } from "../replay/recording.ts";
import type { Rules } from "../replay/rules.ts";
import type { Behind } from "../run/behind.ts";
import { RequestRecording, type Send, type ToRecordRequests } from "../run/request-recording.ts";
import type { Listening, Play, Run } from "./play.ts";

type Fresh = Pick<ToRecordRequests, "source" | "redact">;

export interface CassetteParts {
  readonly file: string;
  readonly recording: Recording;
  readonly behind: Behind | undefined;
  /** The server that it is still to be recorded from, if it is one behind a URL. */
  readonly fresh: Fresh | undefined;
  readonly strict: boolean;
  readonly pace: Pace | undefined;
  readonly rules: Rules | undefined;
  readonly redact: Redaction | undefined;
  readonly faults: FaultPlan | undefined;
  readonly remedy: string | undefined;
}

/** A cassette, with the real server behind it where it is recorded. */
export class CassettePlay implements Play {
  readonly name: string;
  readonly file: string;
  readonly recording: Recording;
  readonly faults: FaultPlan | undefined;
  readonly strict: boolean;
  readonly remedy: string | undefined;
  readonly #parts: CassetteParts;
  #passing: RequestRecording | undefined;

  constructor(parts: CassetteParts) {
    this.name = parts.file;
    this.file = resolve(parts.file);
    this.recording = parts.recording;
    this.faults = parts.faults;
    this.strict = parts.strict;
    this.remedy = parts.remedy;
    this.#parts = parts;
  }

  begin(listening: Listening): Run {
    const { file, recording, behind, strict, pace, rules, redact, faults } = this.#parts;
    const player = new Player(recording, {
      ...listening,
      cassette: file,
      strict,
      unanswered: "miss",
      pace,
      rules,
      redact,
      realServer: behind?.server,
      between: faults && new Faults(faults),
    });
    const problems = () => [...(behind?.problems(player) ?? []), ...(this.#passing?.problems() ?? [])];
    return { player, problems, end: () => undefined };
  }

  passing(send: Send, onReceived: (message: Message) => void): RequestRecording | undefined {
    const { behind, fresh, file, faults } = this.#parts;
    if (behind) behind.server.fetch = (...request) => send(new Request(...request));
    if (!fresh) return undefined;
    if (faults) {
      throw new VcrError("usage", `${file} is still to be recorded, and faults lie over a recording`, {
        hint: "Record it first, without faults.",
      });
    }
    this.#passing ??= new RequestRecording({ ...fresh, file, send, onReceived });
    return this.#passing;
  }

  async close(run: Run | undefined): Promise<void> {
    const { behind } = this.#parts;
    await this.#passing?.close();
    if (behind) await behind.close((run ?? this.begin(SILENT)).player);
  }
}

const SILENT: Listening = {
  onNotice: () => undefined,
  onReceived: () => undefined,
  onMiss: () => undefined,
  onRefused: () => undefined,
};
