import type { Header } from "../exchange/entry.ts";
import { type Difference, diffJson } from "../protocol/json-diff.ts";
import type { JsonValue, Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import { isObject, paramsOf } from "./key.ts";
import type { Recorded, Recording } from "./recording.ts";

/**
 * `unrecorded` nothing recorded answers this
 * `exhausted`  it was recorded, but asked less often (`--strict`)
 * `era`        the client opens in an era the recording does not know
 * `status`     recorded as an HTTP answer without a message, which this transport cannot carry
 */
export type MissReason = "unrecorded" | "exhausted" | "era" | "status";

/** A request that no recording answers: data first, a sentence second. */
export interface Miss {
  readonly reason: MissReason;
  readonly method: string;
  /** Method and name, as in `tools/call forecast`. */
  readonly label: string;
  readonly asked: JsonValue;
  readonly nearest?: Nearest | undefined;
  /** How many exchanges of this label the cassette holds, and how many of them this client used. */
  readonly recorded: number;
  readonly used: number;
  readonly cassette: string;
  /** A command that records what is missing. */
  readonly fix: string;
}

export interface Nearest {
  readonly asked: JsonValue;
  /** From the recorded request to the asked one, in `params`. */
  readonly differences: readonly Difference[];
}

/** JSON-RPC error code of a miss on the wire: implementation-defined, and none that the specification gives a meaning. */
export const MISS_CODE = -32010;

const NEAREST_AMONG = 2_000;
const SHOWN_DIFFERENCES = 5;
const SHOWN_LENGTH = 160;

export interface MissContext {
  readonly recording: Recording;
  readonly cassette: string;
  readonly reason: MissReason;
  /** Whether this client was served the exchange. */
  readonly used: (recorded: Recorded) => boolean;
}

export function missOf(message: Message, context: MissContext): Miss {
  const { recording, cassette, reason } = context;
  const method = message.method ?? "malformed";
  const params = paramsOf(message);
  const label = labelOf(method, params);
  const sameMethod = recording.exchanges.filter((recorded) => recorded.exchange.method === method);
  const sameLabel = sameMethod.filter(
    (recorded) => labelOf(method, recordedParams(recording, recorded)) === label,
  );
  const among = sameLabel.length > 0 ? sameLabel : sameMethod;
  return {
    reason,
    method,
    label,
    asked: core(params),
    nearest: reason === "unrecorded" ? nearestOf(params, among, recording) : undefined,
    recorded: sameLabel.length,
    used: sameLabel.filter(context.used).length,
    cassette,
    fix: recordCommand(cassette, recording.header),
  };
}

function recordedParams(recording: Recording, { exchange }: Recorded): JsonValue | undefined {
  return paramsOf(recording.at(exchange).message);
}

function nearestOf(params: JsonValue | undefined, among: readonly Recorded[], recording: Recording) {
  let best: Nearest | undefined;
  for (const recorded of among.slice(0, NEAREST_AMONG)) {
    const theirs = core(recordedParams(recording, recorded));
    const differences = diffJson(theirs, core(params));
    if (!best || differences.length < best.differences.length) best = { asked: theirs, differences };
  }
  return best;
}

/** Params as people think of them: without the protocol's own metadata. */
function core(params: JsonValue | undefined): JsonValue {
  if (!isObject(params)) return params ?? {};
  const { _meta, ...rest } = params;
  return rest;
}

function recordCommand(cassette: string, { source }: Header): string {
  const target =
    source.transport === "stdio" ? `-- ${source.command.map(shellQuote).join(" ")}` : `--url ${source.url}`;
  return `mcp-vcr record --mode append -o ${shellQuote(cassette)} ${target}`;
}

/** A word as a POSIX shell reads it back. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const SENTENCES: Readonly<Record<MissReason, (miss: Miss) => string>> = {
  unrecorded: ({ label }) => `No recorded exchange answers ${label}.`,
  exhausted: ({ label, recorded }) =>
    `${label} was recorded ${times(recorded)}, and is asked once more (--strict).`,
  era: ({ label }) => `The recording cannot answer ${label}: it was made in the other era of the protocol.`,
  status: ({ label }) =>
    `${label} was recorded as an HTTP answer without a message, which only HTTP can carry.`,
};

/** The miss for people: what was asked, what is nearest, where they differ, how to mend it. */
export function explainMiss(miss: Miss): string {
  const lines = [SENTENCES[miss.reason](miss), `  asked    ${brief(miss.asked)}`];
  if (miss.nearest) {
    const { differences } = miss.nearest;
    lines.push(`  nearest  ${brief(miss.nearest.asked)}`);
    for (const difference of differences.slice(0, SHOWN_DIFFERENCES))
      lines.push(`           ${describe(difference)}`);
    const more = differences.length - SHOWN_DIFFERENCES;
    if (more > 0) lines.push(`           and ${more} more`);
  }
  lines.push(
    `  tape     ${miss.cassette} (${miss.label} recorded ${times(miss.recorded)}, ${miss.used} used)`,
  );
  lines.push(`Record it:  ${miss.fix}`);
  return lines.join("\n");
}

function times(count: number): string {
  return count === 1 ? "once" : count === 0 ? "never" : `${count} times`;
}

function describe({ pointer, kind, before, after }: Difference): string {
  const at = pointer === "" ? "as a whole" : `at ${pointer}`;
  if (kind === "added") return `differs ${at}: asked with ${brief(after ?? null)}, recorded without`;
  if (kind === "removed") return `differs ${at}: recorded with ${brief(before ?? null)}, asked without`;
  return `differs ${at}: recorded ${brief(before ?? null)}, asked ${brief(after ?? null)}`;
}

function brief(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH - 1)}…`;
}
