import { VcrError } from "../errors.ts";
import type { Header } from "../exchange/entry.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { tokenAt } from "../exchange/token.ts";
import { canonicalJson } from "../protocol/canonical.ts";
import { type Difference, diffJson } from "../protocol/json-diff.ts";
import type { JsonValue, Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Recorded } from "./candidates.ts";
import { driveStep } from "./drive-step.ts";
import { isRecordable } from "./eras/recordable.ts";
import { askedOf, askedTextOf, paramsOf } from "./key.ts";
import { type LooserRule, looserPlace, looserRule, looserText } from "./loosen.ts";
import type { Recording } from "./recording.ts";
import type { Loosening, Rules } from "./rules.ts";

/**
 * `unrecorded` nothing recorded answers this
 * `unanswered` it was recorded without an answer (in tests, where nobody is to be kept waiting)
 * `exhausted`  it was recorded, but asked less often (`--strict`)
 * `era`        it was recorded in the other era of the protocol, and cannot be translated
 * `status`     recorded as an HTTP answer that answers no request by its id, which this transport cannot carry
 * `unwritten`  no reply of a scenario answers this
 * `unfit`      a reply of a scenario cannot be given to this client, or breaks what the server promises
 */
export type MissReason = RecordedMissReason | "unwritten" | "unfit";

/** What of a recording cannot be told to a client of the other era. */
export interface Untranslatable {
  /** As the specification names it: a method, a member, an error. */
  readonly feature: string;
  /** A sentence without its full stop. */
  readonly why: string;
}

/** What makes a request a miss. */
export interface Why {
  readonly reason: RecordedMissReason;
  readonly untranslatable?: Untranslatable;
  /** With reason `unanswered`: the recording that has no answer. */
  readonly silent?: Exchange;
  /** Sent instead of the miss's own. */
  readonly answer?: Uint8Array | undefined;
  /** With reason `exhausted`: the recordings of the question that this client can be answered from. */
  readonly series?: readonly Recorded[] | undefined;
}

export type RecordedMissReason = "unrecorded" | "unanswered" | "exhausted" | "era" | "status";

/** A request that no recording, or nothing of a scenario, answers: data first, a sentence second. */
export interface Miss {
  readonly reason: MissReason;
  readonly method: string;
  /** Method and name, as in `tools/call forecast`. */
  readonly label: string;
  /** Its params as far as they matter. Numbers that JavaScript cannot hold stand as strings of their digits. */
  readonly asked: JsonValue;
  /** The exact text, where there are such numbers. */
  readonly askedText?: string | undefined;
  /** Of a scenario, and with reason `unanswered`: what is the matter, as a sentence. */
  readonly why?: string | undefined;
  readonly nearest?: Nearest | undefined;
  /** With reason `era`. */
  readonly untranslatable?: Untranslatable | undefined;
  /**
   * How many exchanges of this label the cassette holds, and how many of them this client used; with reason `exhausted`,
   * of this very question. Of a scenario, how many replies it has.
   */
  readonly recorded: number;
  readonly used: number;
  readonly cassette: string;
  /** A command that records what is missing; undefined where no recording could hold it. Of a scenario, what to write where. */
  readonly fix?: string | undefined;
  /** A matching rule that lets the nearest answer, where one can. */
  readonly looser?: LooserRule | undefined;
}

/** A miss on a recording. */
export interface RecordedMiss extends Miss {
  readonly reason: RecordedMissReason;
}

/**
 * Of the recorded requests that were compared, the one with the fewest differences; of a scenario's replies, with what
 * they want.
 */
export interface Nearest {
  readonly asked: JsonValue;
  readonly askedText?: string | undefined;
  /** From the recorded request to the asked one, in `params`; at most fifty. */
  readonly differences: readonly Difference[];
}

/** JSON-RPC error code of a miss on the wire: implementation-defined, and none that the specification gives a meaning. */
const MISS_CODE = -32010;

const NEAREST_AMONG = 500;
const MOST_DIFFERENCES = 50;
const SHOWN_DIFFERENCES = 5;
const SHOWN_LENGTH = 160;

export interface MissContext {
  readonly recording: Recording;
  readonly cassette: string;
  readonly reason: RecordedMissReason;
  readonly rules: Rules | undefined;
  /** With reason `era`. */
  readonly untranslatable?: Untranslatable | undefined;
  /** With reason `unanswered`: the recording that has no answer. */
  readonly silent?: Exchange | undefined;
  /** With reason `exhausted`: the recordings of the question that this client can be answered from. */
  readonly series?: readonly Recorded[] | undefined;
  /** Whether this client was served the exchange. */
  readonly used: (recorded: Recorded) => boolean;
}

export function missOf(message: Message, context: MissContext): RecordedMiss {
  const { recording, cassette, reason, rules } = context;
  const method = message.method ?? "malformed";
  const params = paramsOf(message);
  const label = labelOf(method, params);
  const { all, byLabel } = recording.catalogue.shelf(method);
  const sameLabel = byLabel.get(label) ?? [];
  const nearest =
    reason === "unrecorded" ? nearestOf(message, byLabel.get(label) ?? all, context) : undefined;
  const counted = context.series ?? sameLabel;
  const differences = sameLabel.length > 0 && nearest ? nearest.differences : [];
  return {
    reason,
    method,
    label,
    ...asIs(message),
    ...(context.untranslatable ? { untranslatable: context.untranslatable } : {}),
    ...(context.silent ? { why: silenceOf(context.silent, recording) } : {}),
    nearest,
    recorded: counted.length,
    used: counted.filter(context.used).length,
    cassette,
    ...(isRecordable(message, context.untranslatable?.feature)
      ? { fix: recordCommand(cassette, recording.header) }
      : {}),
    looser:
      differences.length < MOST_DIFFERENCES ? looserRule({ method, params, differences, rules }) : undefined,
  };
}

function silenceOf(exchange: Exchange, recording: Recording): string {
  const stray = recording.strays.meantFor(exchange);
  const meant = stray === undefined ? "" : ` ${stray} may be meant to be it, but answers nothing.`;
  return `It is at ${recording.strays.placeOf(exchange.entry)}, and its answer is missing.${meant}`;
}

function asIs(message: Message): { readonly asked: JsonValue; readonly askedText?: string } {
  const askedText = askedTextOf(message);
  return { asked: askedOf(message), ...(askedText === undefined ? {} : { askedText }) };
}

function nearestOf(
  message: Message,
  among: readonly Recorded[],
  { recording, rules }: MissContext,
): Nearest | undefined {
  const asked = askedOf(message);
  const loosening = rules?.for(message.method ?? "malformed", paramsOf(message));
  let best: Nearest | undefined;
  let limit = MOST_DIFFERENCES;
  for (const { exchange } of among.slice(0, NEAREST_AMONG)) {
    const theirs = recording.at(exchange).message;
    const differences = loosening
      ? differencesUnder(loosening, askedOf(theirs), asked).slice(0, limit)
      : diffJson(askedOf(theirs), asked, { limit });
    if (best && differences.length === limit) continue;
    best = { ...asIs(theirs), differences };
    limit = differences.length;
    if (limit === 0) break;
  }
  return best;
}

/** What rules allow is no difference. */
function differencesUnder(loosening: Loosening, recorded: JsonValue, asked: JsonValue): Difference[] {
  return diffJson(recorded, asked).filter(({ pointer, before, after }) => {
    try {
      return !loosening.allows(pointer, after, before);
    } catch (error) {
      if (error instanceof VcrError) return true;
      throw error;
    }
  });
}

function recordCommand(cassette: string, { source }: Header): string {
  const target =
    source.transport === "stdio"
      ? `-- ${source.command.map(shellQuote).join(" ")}`
      : `--url ${shellQuote(source.url)}`;
  return `npx mcp-vcr record --mode append -o ${shellQuote(cassette)} ${target}`;
}

/** A word as a POSIX shell reads it back. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const SENTENCES: Readonly<Record<RecordedMissReason, (miss: Miss) => string>> = {
  unrecorded: ({ label }) => `No recorded exchange answers ${label}.`,
  unanswered: ({ label }) => `${label} was recorded without an answer.`,
  exhausted: ({ label, recorded }) =>
    `This ${label} was recorded ${times(recorded)}, and is asked once more (--strict).`,
  era: ({ label, untranslatable }) =>
    `The recording was made in the other era of the protocol, and cannot answer ${label}: ${untranslatable?.feature} is not translated, since ${untranslatable?.why}.`,
  status: ({ label }) =>
    `${label} was refused with an HTTP status when it was recorded, which only HTTP can carry.`,
};

/** The miss on the wire: an error that carries the explanation and the data. */
export function missAnswer(request: Message, miss: Miss, explanation: string): Uint8Array {
  const error = JSON.stringify({ code: MISS_CODE, message: `mcp-vcr: ${explanation}`, data: miss });
  return new TextEncoder().encode(`{"jsonrpc":"2.0","id":${request.id ?? "null"},"error":${error}}`);
}

/** Whether a response is a miss. */
export function isMiss(response: Message): boolean {
  return tokenAt(response, ["error", "code"]) === String(MISS_CODE);
}

/**
 * A miss on a recording for people: what was asked, what is nearest, where they differ, how to mend it.
 * @param rules those there are, whose place a further one goes to
 */
export function explainMiss(miss: RecordedMiss, rules?: Rules): string {
  const lines = [SENTENCES[miss.reason](miss), `  asked    ${shown(miss)}`];
  if (miss.nearest) lines.push(`  nearest  ${shown(miss.nearest)}`, ...differencesOf(miss.nearest, miss));
  lines.push(`  tape     ${miss.cassette} (${held(miss)})`);
  if (miss.why !== undefined) lines.push(`${miss.why}\nPut it back, or delete that entry and record anew.`);
  if (miss.fix !== undefined) lines.push(`Record it:  ${miss.fix}`);
  if (miss.fix !== undefined && miss.why === undefined) lines.push(...stepFor(miss, miss.fix));
  if (miss.looser) lines.push(`Or loosen, in ${looserPlace(rules)}:  ${looserText(miss.looser)}`);
  return lines.join("\n");
}

function stepFor(miss: Miss, fix: string): readonly string[] {
  const step = driveStep(miss);
  const place = fix.includes(" -- ") ? " before the --" : "";
  return step === undefined ? [] : [`  without a client: --drive FILE${place}, with the line  - ${step}`];
}

function differencesOf({ differences, askedText: recorded }: Nearest, { askedText: asked }: Miss): string[] {
  if (differences.length === 0) return ["           differs in a number that JavaScript cannot hold"];
  const lines = differences.slice(0, SHOWN_DIFFERENCES).map((each) => {
    const { pointer, before = null, after = null } = each;
    return `           ${describe(each, brief(before, textAt(recorded, pointer)), brief(after, textAt(asked, pointer)))}`;
  });
  const more = differences.length - SHOWN_DIFFERENCES;
  return more > 0 ? [...lines, `           and ${more} more`] : lines;
}

function held({ reason, label, recorded, used }: Miss): string {
  const counted = reason === "exhausted" ? "this question" : label;
  return recorded === 0
    ? `${counted} never recorded`
    : `${counted} recorded ${times(recorded)}, ${used} used`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function describe({ pointer, kind }: Difference, before: string, after: string): string {
  const at = pointer === "" ? "as a whole" : `at ${pointer}`;
  if (kind === "added") return `differs ${at}: asked with ${after}, recorded without`;
  if (kind === "removed") return `differs ${at}: recorded with ${before}, asked without`;
  return `differs ${at}: recorded ${before}, asked ${after}`;
}

function shown({ asked, askedText }: Pick<Miss, "asked" | "askedText">): string {
  return shortened(askedText ?? JSON.stringify(asked));
}

function brief(value: JsonValue, exact: string | undefined): string {
  return shortened(exact ?? JSON.stringify(value));
}

/** What stands at a pointer of an exact text, where there is one. */
function textAt(text: string | undefined, at: string): string | undefined {
  if (text === undefined || at === "") return text;
  let found: string | undefined;
  canonicalJson(new TextEncoder().encode(text), {
    rewrite: (pointer, plain) => {
      if (pointer === at) found = plain.whole();
      return undefined;
    },
  });
  return found;
}

function shortened(text: string): string {
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH - 1)}…`;
}
