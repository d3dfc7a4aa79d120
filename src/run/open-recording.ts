import type { Source } from "../exchange/entry.ts";
import type { OnTruncated } from "../replay/cassette-bytes.ts";
import { GrowingSource } from "../replay/growing-source.ts";
import type { Policy } from "../replay/modes.ts";
import { Recording } from "../replay/recording.ts";
import type { Behind } from "./behind.ts";
import { CassetteSource } from "./cassette-source.ts";
import { warn } from "./notices.ts";
import type { RedactSettings } from "./own-secrets.ts";

export interface ToOpen {
  readonly file: string;
  readonly policy: Policy;
  /** It is still to be recorded: see `isToBeRecorded`. */
  readonly isNew: boolean;
  readonly server: Source | undefined;
  readonly redact: RedactSettings | undefined;
  /** Told when the file stops in the middle of an entry; default: says so on stderr. */
  readonly onTruncated?: OnTruncated | undefined;
  /** In bytes: see `CassetteSource.open`. */
  readonly atOnce?: number | undefined;
}

export interface OpenedRecording {
  readonly recording: Recording;
  /** The real server, where it is asked for what the recording does not hold. */
  readonly behind: Behind | undefined;
}

/** What is appended to is read before that. */
const ALL = Number.POSITIVE_INFINITY;

/**
 * A recording and, where its mode wants that, the real server behind it, whose answers it grows by.
 * @param asks whether the server may be asked at all
 * @throws VcrError when the cassette cannot be read
 */
export async function openRecording(
  { file, policy, isNew, server, redact, onTruncated = warn, atOnce }: ToOpen,
  asks = true,
): Promise<OpenedRecording> {
  // What records is loaded where something is to be recorded.
  const source = new GrowingSource(
    isNew && server
      ? (await import("./serve-new.ts")).nothingRecorded(server, redact)
      : await CassetteSource.open(file, onTruncated, server ? ALL : atOnce),
  );
  const recording = new Recording(source, warn);
  if (!server || !asks || !(isNew || policy.forwards)) return { recording, behind: undefined };
  const { Behind: Server } = await import("./behind.ts");
  const behind = await Server.open({
    file,
    source: server,
    keeps: isNew || policy.keeps,
    isNew,
    redact,
    onEntry: (entry) => source.append(entry, recording),
  });
  return { recording, behind };
}
