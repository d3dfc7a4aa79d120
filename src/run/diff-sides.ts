import { type ComparingOptions, comparePromises, compareRecordings } from "../drift/compare-recordings.ts";
import type { Noted } from "../drift/drift.ts";
import type { RecordedEntries } from "../drift/side.ts";
import { EVERYTHING, type Inquiry, inquiryLike } from "../drive/discovery.ts";
import type { Source } from "../exchange/entry.ts";
import type { CassetteText } from "../rerecord/cassette-text.ts";
import { loadRecording } from "./load-recording.ts";
import { nameOfSource } from "./real-server.ts";
import type { LoadModule } from "./scenario-files.ts";

/** What a diff compares: a recording, a mock written by hand, or a real server. */
export type SideOf =
  | { readonly kind: "cassette"; readonly file: string }
  | { readonly kind: "scenario"; readonly file: string }
  | {
      readonly kind: "server";
      readonly source: Source;
      /** Sent with every HTTP request. */
      readonly headers: Readonly<Record<string, string>>;
    };

export interface SidesDiff {
  readonly comparison: Noted;
  readonly notes: readonly string[];
}

export interface DiffSidesOptions {
  readonly comparing: ComparingOptions;
  readonly loadModule: LoadModule;
}

const PROMISES_ONLY =
  "Only what the server promises was compared: of a real server and of a scenario, lists are asked for, and nothing else.";

/**
 * Two states of one server. Two recordings are compared in everything; otherwise in what the server promises.
 * @throws VcrError when a side cannot be read, or not be asked
 */
export async function diffSides(
  old: SideOf,
  fresh: SideOf,
  { comparing, loadModule }: DiffSidesOptions,
): Promise<SidesDiff> {
  const names = { old: nameOf(old), new: nameOf(fresh), ...fileOf(old, fresh) };
  const before = await recordingOf(old);
  const after = await recordingOf(fresh, before);
  if (before && after) {
    const comparison = await compareRecordings(before, after, comparing);
    return { comparison: { ...names, ...comparison }, notes: [] };
  }
  comparing.own?.pass();
  const recorded = before ?? after;
  const inquiry = recorded ? inquiryLike(recorded, recorded.header.source.transport === "stdio") : EVERYTHING;
  const asked = async (side: SideOf, known: RecordedEntries | undefined) =>
    known ?? (await promisesOf(side, loadModule, inquiry));
  const comparison = await comparePromises(await asked(old, before), await asked(fresh, after));
  return { comparison: { ...names, ...comparison }, notes: [PROMISES_ONLY] };
}

/** Changes are shown at the file that somebody may change. */
function fileOf(old: SideOf, fresh: SideOf): { readonly file?: string } {
  return fresh.kind === "server" && old.kind !== "server" ? { file: old.file } : {};
}

function nameOf(side: SideOf): string {
  return side.kind === "server" ? nameOfSource(side.source) : side.file;
}

async function recordingOf(side: SideOf, like?: CassetteText): Promise<CassetteText | undefined> {
  return side.kind === "cassette" ? loadRecording(side.file, like) : undefined;
}

async function promisesOf(side: SideOf, loadModule: LoadModule, inquiry: Inquiry): Promise<RecordedEntries> {
  if (side.kind === "server") {
    const { askPromises, connectTo } = await import("./ask-promises.ts");
    return askPromises(side.source, connectTo(side.source, side.headers), inquiry);
  }
  const { scenarioPromises } = await import("./scenario-promises.ts");
  return scenarioPromises(side.file, loadModule, inquiry);
}
