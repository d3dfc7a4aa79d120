import { readFileSync } from "node:fs";
import type { ByteSink, Codec } from "../cassette/codec.ts";
import { codecFor } from "../cassette/codecs.ts";
import type { ForeignRecording } from "../convert/foreign.ts";
import { type Foreign, readForeign } from "../convert/formats.ts";
import type { Header } from "../exchange/entry.ts";
import { memberSpans } from "../protocol/scan-json.ts";
import { REDACTION_RULES } from "../redact/redactor.ts";
import { VERSION } from "../version.ts";
import { warn } from "./notices.ts";
import { type RedactSettings, secretsToRecord } from "./own-secrets.ts";
import { readEntries, slicesOf, truncationNotice, unreadable } from "./read-entries.ts";
import { readHar, type TimedSeen } from "./read-har.ts";
import { redactedSource } from "./redact-entry.ts";
import { hashOf, openRedactor } from "./redaction.ts";
import { refuseExisting } from "./refuse-existing.ts";
import { EntryMaker } from "./seen-entry.ts";
import { writeBeside } from "./write-beside.ts";

export interface ConvertOptions {
  readonly file: string;
  readonly output: string;
  /** What is a secret besides what is known for one, in recordings of other tools. */
  readonly redact: RedactSettings;
}

/**
 * Writes a cassette in the other format, entry for entry, or a recording of another tool as a cassette. Answers how many
 * entries it has.
 * @throws VcrError where the file is none of these, and where there is something in the place of the output
 */
export async function convertCassette({ file, output, redact }: ConvertOptions): Promise<number> {
  const codec = await codecFor(output);
  refuseExisting(output, "convert");
  const own = await cassetteCodecOf(file);
  if (own) return writeAgain(file, own, { output, codec });
  return writeForeign(readForeign(readWhole(file), file), { output, codec, redact });
}

/** The codec of a file that is a cassette already. */
async function cassetteCodecOf(file: string): Promise<Codec | undefined> {
  if (/\.ya?ml$/i.test(file)) return codecFor(file);
  if (!/\.jsonl$/i.test(file)) return undefined;
  const codec = await codecFor(file);
  return isForeign(file, codec) ? undefined : codec;
}

/** Its first line is an object that is no header of a cassette, but of another tool's. */
function isForeign(file: string, codec: Codec): boolean {
  for (const slice of slicesOf(file, codec)) {
    const end = slice.indexOf(0x0a);
    const spans = memberSpans(slice.subarray(0, end < 0 ? undefined : end));
    return spans?.some(({ key }) => key === "cassetteVersion") === true;
  }
  return false;
}

interface Target {
  readonly output: string;
  readonly codec: Codec;
}

function writeAgain(file: string, own: Codec, { output, codec }: Target): number {
  let entries = 0;
  writeBeside(output, (sink) => {
    const encoder = codec.encoder();
    const { header, recordings, truncated } = readEntries(file, own, ({ entry }, ofFile) => {
      if (entries++ === 0) codec.header(ofFile, sink);
      encoder.encode(entry, sink);
    });
    if (entries === 0) codec.header(header, sink);
    sink.bytes(codec.terminator);
    if (truncated) warn(truncationNotice(file, truncated));
    if (recordings > 1) warn(`${file}: its ${recordings} recordings become one, under the first header`);
    return true;
  });
  return entries;
}

function writeForeign(foreign: Foreign, target: Target & { readonly redact: RedactSettings }): number {
  const { output, codec, redact } = target;
  const { recorded, source, notices, entries } =
    "har" in foreign ? readHar(foreign.har) : timed(foreign.recording);
  const own = secretsToRecord(redact, { env: process.env, hash: hashOf });
  for (const notice of [...own.notices, ...notices]) warn(notice);
  const redactor = openRedactor(own.rules);
  const header: Header = {
    recorded,
    recorder: `mcp-vcr/${VERSION}`,
    source: redactedSource(source, redactor),
    redacted: [...REDACTION_RULES, ...own.names],
  };
  writeBeside(output, (sink: ByteSink) => {
    const encoder = codec.encoder();
    const maker = new EntryMaker(redactor);
    codec.header(header, sink);
    for (const { at, seen } of entries) encoder.encode(maker.entry(seen, at, seen.session), sink);
    sink.bytes(codec.terminator);
    return true;
  });
  return entries.length;
}

function timed({ entries, ...rest }: ForeignRecording) {
  const all: TimedSeen[] = entries.map(({ at, ...seen }) => ({ at, seen: { ...seen, session: 1 } }));
  return { ...rest, entries: all };
}

function readWhole(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}
