import { codecFor } from "../cassette/codecs.ts";
import type { Change } from "../contract/change.ts";
import { type ComparingOptions, compareRecordings } from "../drift/compare-recordings.ts";
import type { Noted } from "../drift/drift.ts";
import { type DriftRuleId, driftOf } from "../drift/rules.ts";
import { type BaseCassette, baseCassettes } from "./base-cassettes.ts";
import { readCassetteFile } from "./cassette-source.ts";
import { loadRecording, readRecording } from "./load-recording.ts";

/**
 * The cassettes of files and folders as they are, against a revision of the repository that is the working directory's.
 * @throws VcrError when git cannot tell, or a cassette not be read
 */
export async function diffWithRevision(
  revision: string,
  paths: readonly string[],
  options: ComparingOptions = {},
): Promise<Noted[]> {
  const comparisons: Noted[] = [];
  for (const cassette of await baseCassettes(process.cwd(), revision, paths)) {
    comparisons.push(await compareWithBase(cassette, revision, options));
  }
  return comparisons;
}

async function compareWithBase(
  cassette: BaseCassette,
  revision: string,
  options: ComparingOptions,
): Promise<Noted> {
  const { old, new: fresh, same } = cassette;
  if (same || old === undefined || fresh === undefined) options.own?.pass();
  if (old === undefined || fresh === undefined) {
    const gone = fresh === undefined;
    const rule = gone ? "cassette-removed" : "cassette-added";
    const change = told(rule, fresh ?? old ?? "", gone ? "The cassette is gone." : "The cassette is new.");
    return { old: old ?? null, new: fresh ?? null, changes: [change], compared: { cassettes: 0 } };
  }
  const moved = old === fresh ? [] : [told("cassette-renamed", fresh, `The cassette was called ${old}.`)];
  const named = { old, new: fresh };
  if (same) await requireCassette(fresh);
  if (same) return { ...named, changes: moved, compared: { cassettes: 1 } };
  const before = await readRecording(`${revision}:${old}`, await cassette.before());
  const { changes, compared, notes } = await compareRecordings(
    before,
    await loadRecording(fresh, before),
    options,
  );
  return { ...named, changes: [...moved, ...changes], compared: { cassettes: 1, ...compared }, notes };
}

/** Bytes in which a header stands, unless the file is no cassette, or a strange one. */
const HEAD = 64 * 1024;

/**
 * What did not change is not read, but for its header.
 * @throws VcrError as if it had changed
 */
async function requireCassette(file: string): Promise<void> {
  const decoder = (await codecFor(file)).decoder(file);
  try {
    decoder.push(readCassetteFile(file).subarray(0, HEAD));
  } catch {
    // Told better by who reads all of it.
  }
  if (!decoder.header) await loadRecording(file);
}

function told(rule: DriftRuleId, subject: string, message: string): Change {
  return driftOf(rule, { subject, pointer: "", message });
}
