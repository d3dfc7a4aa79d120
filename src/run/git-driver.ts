import { readFileSync } from "node:fs";
import { compareRecordings } from "../drift/compare-recordings.ts";
import { type Drift, driftFrom, isEmpty } from "../drift/drift.ts";
import type { DriftSettings } from "../drift/settings.ts";
import { VcrError } from "../errors.ts";
import { writeReports } from "./diff-report.ts";
import { readRecording } from "./load-recording.ts";

/** A file as git hands it to a driver (`GIT_EXTERNAL_DIFF` in git(1)). */
interface Blob {
  readonly file: string;
  /** `.` where there is no such file. */
  readonly mode: string;
}

interface Blobs {
  readonly old: Blob;
  readonly new: Blob;
}

/**
 * Shows what changed in a cassette, as git's external diff. git ends at any other exit code than 0, so what cannot be
 * compared is told in the place of the report.
 */
export async function driveGitDiff(
  path: string,
  blobs: Blobs,
  settings: () => Promise<DriftSettings>,
): Promise<void> {
  const { old, new: fresh } = blobs;
  process.stdout.write(`diff mcp-vcr ${path}\n`);
  const there = [old, fresh].map(({ mode }) => mode !== ".");
  if (!there[0] || !there[1]) {
    process.stdout.write(there[0] ? "The cassette is gone.\n" : "The cassette is new.\n");
    return;
  }
  try {
    const drift = await driftOf(path, blobs, await settings());
    await writeReports(drift, [{ format: "terminal", file: undefined }], "never");
    const same = !isEmpty(drift) && Object.values(drift.counts).every((count) => count === 0);
    if (same)
      process.stdout.write("Only what changes from run to run differs; git diff --no-ext-diff shows it.\n");
  } catch (error) {
    if (!(error instanceof VcrError)) throw error;
    process.stdout.write(`${error.message}\n${error.hint ?? "git diff --no-ext-diff shows the text."}\n`);
  }
}

async function driftOf(path: string, { old, new: fresh }: Blobs, settings: DriftSettings): Promise<Drift> {
  const before = await readRecording(path, readFileSync(old.file));
  const after = await readRecording(path, readFileSync(fresh.file), before);
  const compared = await compareRecordings(before, after, settings);
  return driftFrom({
    old: path,
    new: path,
    comparisons: [{ old: path, new: path, ...compared }],
    decisions: settings.decisions,
  });
}
