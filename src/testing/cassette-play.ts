import { resolve } from "node:path";
import { Faults } from "../faults/faults.ts";
import type { FaultPlan } from "../faults/plan.ts";
import type { Pace } from "../replay/pace.ts";
import { Player } from "../replay/player.ts";
import type { Redaction } from "../replay/playing.ts";
import type { Recording } from "../replay/recording.ts";
import type { Rules } from "../replay/rules.ts";
import type { Behind } from "../run/behind.ts";
import type { Listening, Play, Run } from "./play.ts";

export interface CassetteParts {
  readonly file: string;
  readonly recording: Recording;
  readonly behind: Behind | undefined;
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
      pace,
      rules,
      redact,
      realServer: behind?.server,
      between: faults && new Faults(faults),
    });
    return { player, problems: () => behind?.problems(player) ?? [], end: () => undefined };
  }

  async close(run: Run | undefined): Promise<void> {
    const { behind } = this.#parts;
    if (behind) await behind.close((run ?? this.begin(SILENT)).player);
  }
}

const SILENT: Listening = {
  onNotice: () => undefined,
  onReceived: () => undefined,
  onMiss: () => undefined,
};
