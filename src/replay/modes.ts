import { VcrError } from "../errors.ts";

/** What becomes of the cassette: nothing, a recording where there was none, or one more exchange for each miss. */
export type ServeMode = "replay" | "once" | "append";

/** What a client gets for a request that no recording answers: an error, or the real server's answer. */
export type OnMiss = "error" | "forward";

interface ModeRow {
  /** Where there is no cassette yet, or one that holds only a probe. */
  readonly without: "refuse" | "record";
  /** What a miss may lead to; the first where nothing is said. */
  readonly onMiss: readonly [OnMiss, ...OnMiss[]];
  /** What the real server answered is appended to the cassette. */
  readonly keeps: boolean;
}

/**
 * One meaning a flag: `--mode` says what is written, `--on-miss` what the client gets. Each implies the other where it
 * is left out, since only `append` keeps what was forwarded.
 */
const MODES: Readonly<Record<ServeMode, ModeRow>> = {
  replay: { without: "refuse", onMiss: ["error", "forward"], keeps: false },
  once: { without: "record", onMiss: ["error", "forward"], keeps: false },
  append: { without: "record", onMiss: ["forward"], keeps: true },
};

export const SERVE_MODES = Object.keys(MODES) as readonly ServeMode[];
export const ON_MISS: readonly OnMiss[] = ["error", "forward"];

export interface ModeFlags {
  readonly mode?: ServeMode | undefined;
  readonly onMiss?: OnMiss | undefined;
  /** A real server was named. */
  readonly hasServer: boolean;
}

export interface Policy {
  readonly mode: ServeMode;
  readonly records: boolean;
  readonly forwards: boolean;
  readonly keeps: boolean;
}

const HOW_TO_NAME = "Name it: its command after --, or its URL with --url.";

/** @throws VcrError `usage` for flags that contradict each other, or that need a server none was named for */
export function policyOf({ mode: asked, onMiss, hasServer }: ModeFlags): Policy {
  const mode = asked ?? (onMiss === "forward" ? "append" : "replay");
  const row = MODES[mode];
  const miss = onMiss ?? row.onMiss[0];
  if (!row.onMiss.includes(miss)) {
    throw new VcrError(
      "usage",
      `--mode ${mode} appends what it forwards, and --on-miss ${miss} forwards nothing`,
      {
        hint: "Leave --on-miss out, or serve with --mode once, which records where there is no cassette yet.",
      },
    );
  }
  const forwards = miss === "forward";
  if (forwards && !hasServer) {
    const flag = onMiss === "forward" ? "--on-miss forward" : `--mode ${mode}`;
    throw new VcrError("usage", `${flag} asks the real server, and none was named`, { hint: HOW_TO_NAME });
  }
  return { mode, records: row.without === "record", forwards, keeps: row.keeps };
}

/** @throws VcrError `usage` where there is neither a recording nor a server to make one of */
export function refuseToRecordNothing(file: string, mode: ServeMode): never {
  throw new VcrError("usage", `${file} is still to be recorded (--mode ${mode}), and no server was named`, {
    hint: HOW_TO_NAME,
  });
}
