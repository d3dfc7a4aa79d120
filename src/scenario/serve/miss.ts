import { nearestWord } from "../../cassette/fault.ts";
import { LISTS } from "../../drive/pages.ts";
import { type FilePlace, formatPlace } from "../../errors.ts";
import type { Difference } from "../../protocol/json-diff.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { askedOf } from "../../replay/key.ts";
import type { Miss, MissReason } from "../../replay/miss.ts";
import { Undecided } from "../exact-order.ts";
import { isObject, written } from "../matcher.ts";
import type { Answering, Reply, Scenario, TimedEvent } from "../model.ts";
import { type SpeltNumber, withoutSpelt } from "../spelt-number.ts";
import { AbsentValue } from "../template.ts";
import type { Asked } from "./asked.ts";
import type { Hidden } from "./lists.ts";

/** A reply that does not answer, and why. */
export interface Refusal {
  readonly reply: Reply;
  /** From what it wants to what is there; empty where it has answered as often as it may. */
  readonly differences: readonly Difference[];
}

/** A request that the scenario holds no answer to. */
export interface Unanswered {
  readonly asked: Asked;
  readonly reason: Extract<MissReason, "unwritten" | "unfit">;
  /** A sentence. */
  readonly why: string;
  /** Whom it is about; undefined where there is no such thing. */
  readonly about?: Answering | undefined;
  readonly refusals?: readonly Refusal[] | undefined;
  readonly used?: number | undefined;
  /** Where the reply is written that was to be given. */
  readonly place?: FilePlace | undefined;
  /** The client was asked, and these are its answers. */
  readonly answers?: JsonObject | undefined;
  /** What mends it, where that is no reply. */
  readonly fix?: string | undefined;
}

/** Something that a request names and that is not there. */
export interface Unknown {
  readonly what: string;
  readonly name: JsonValue | undefined;
  /** What is there in its place. */
  readonly known: readonly string[];
  /** It is there, and hidden now. */
  readonly hidden: Hidden | undefined;
}

export function missOf(unanswered: Unanswered, scenario: Scenario): Miss {
  const { asked, reason, why, about, refusals = [], used = 0 } = unanswered;
  const nearest = nearestOf(refusals);
  return {
    reason,
    method: asked.method,
    label: asked.label,
    asked: askedOf(asked.message),
    why,
    nearest: nearest && { asked: wantedBy(nearest.reply), differences: nearest.differences },
    recorded: about?.replies?.length ?? 0,
    used,
    cassette: scenario.origin,
    fix: unanswered.fix ?? fixOf(unanswered, scenario),
  };
}

/** Why whatever a schema decides cannot be decided. */
export function undecidedWords({ token }: Undecided): string {
  return `Whether a schema accepts ${token} cannot be told: JavaScript has no such number, and the nearest ones differ in that.`;
}

/**
 * Why a reply cannot be given for want of a value.
 * @throws any other error than such
 */
export function absenceWords(error: unknown, label: string): string {
  if (error instanceof Undecided) return undecidedWords(error);
  return absence(error, `The reply to ${label}`);
}

function absence(error: unknown, who: string): string {
  if (!(error instanceof AbsentValue)) throw error;
  const reference = error.reference;
  return `${who} refers to \${${reference}}, and there is no such value. With :- it has another one in its place: \${${reference}:-…}.`;
}

/**
 * An event of the timeline that cannot happen for want of a value: nobody asked for it, and it is missed all the same.
 * @throws any other error than such
 */
export function eventMiss(
  error: unknown,
  { trigger, place }: TimedEvent,
  origin: string,
): { readonly miss: Miss; readonly explanation: string } {
  const label = `timeline ${trigger.kind}`;
  const why = absence(error, `The event at ${placeText(place)}`);
  const fix = `mend the event in ${placeText(place)}`;
  const miss: Miss = {
    reason: "unfit",
    method: "timeline",
    label,
    asked: {},
    why,
    recorded: 0,
    used: 0,
    cassette: origin,
    fix,
  };
  return { miss, explanation: `${why}\nMend it:  ${fix}` };
}

/** Why a reply cannot be given that waits for no time. */
export function noTimeWords(text: string, label: string): string {
  return `The reply to ${label} waits for ${JSON.stringify(text)}, which is no time such as 500ms or 2s.`;
}

const MOST_NAMED = 10;

/** What is to be said of a request for what is not there. */
export function unknownMiss(unknown: Unknown): Pick<Unanswered, "why" | "fix"> {
  const { hidden } = unknown;
  if (!hidden) return { why: unknownWords(unknown) };
  const { list, name } = hidden;
  const shown = JSON.stringify(name);
  return {
    why: `The ${LISTS[list].item} ${shown} is hidden now, so it answers nobody until it is shown.`,
    fix: `show it before that, in a step of a reply or in the timeline: show: { ${list}: [${shown}] }`,
  };
}

function unknownWords({ what, name, known }: Unknown): string {
  const meant = typeof name === "string" ? nearestWord(name, known) : undefined;
  const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  const there =
    known.length === 0
      ? " There is none."
      : ` There are ${known.slice(0, MOST_NAMED).join(", ")}${known.length > MOST_NAMED ? ", …" : ""}.`;
  return `There is no ${what} ${JSON.stringify(name ?? null)}${hint}.${there}`;
}

function nearestOf(refusals: readonly Refusal[]): Refusal | undefined {
  const wanting = refusals.filter(({ differences }) => differences.length > 0);
  return wanting.reduce<Refusal | undefined>(
    (best, each) => (best && best.differences.length <= each.differences.length ? best : each),
    undefined,
  );
}

/** The conditions of a reply, as a file has them. */
export function wantedBy({ when, requires, client }: Reply): JsonValue {
  return Object.fromEntries(
    Object.entries({ when, requires, client }).flatMap(([key, matcher]) =>
      matcher ? [[key, written(matcher)]] : [],
    ),
  );
}

/** What to write where, in YAML's flow style. */
function fixOf({ asked, about, reason, place, answers }: Unanswered, { cassettes }: Scenario): string {
  if (!about) return reason === "unfit" ? "mend the scenario" : `write what answers ${asked.label}`;
  const { label } = about;
  const written = place ?? about.place;
  const extended = cassettes.get(written.file);
  if (reason === "unfit") {
    return extended
      ? `give ${label} replies of its own in ${placeText(extended)}, where those of ${written.file} are extended`
      : `mend the reply in ${placeText(written)}`;
  }
  const reply = `- { ${whenOf(answers ?? argumentsOf(asked))}${outcomeOf(about)} }`;
  if (answers) return `add to the replies under the ask of ${label} (${placeText(written)}): ${reply}`;
  return extended
    ? `give ${label} all its replies anew in ${placeText(extended)}, where those of ${written.file} are extended: ${reply}`
    : `add to the replies of ${label} (${placeText(written)}): ${reply}`;
}

function argumentsOf({ params }: Asked): JsonObject {
  return isObject(params.arguments) ? params.arguments : {};
}

function whenOf(args: JsonObject): string {
  return Object.keys(args).length === 0 ? "" : `when: ${JSON.stringify(withoutSpelt(args, writable))}, `;
}

/** What such a reply can say. */
function outcomeOf(about: Answering): string {
  if ("outputSchema" in about && about.outputSchema !== undefined) return "structuredContent: …";
  return "method" in about ? "result: …" : "text: …";
}

/** What a file can hold of a number. */
function writable({ isHarmed, number }: SpeltNumber): JsonValue {
  return isHarmed ? { any: true } : number;
}

/** Columns are of no use where something is to be added. */
function placeText({ column: _, ...place }: FilePlace): string {
  return formatPlace(place);
}

const MOST_SHOWN = 5;

/** The miss for people. */
export function explained(miss: Miss): string {
  const lines = [`${miss.why}`, `  asked    ${short(JSON.stringify(miss.asked))}`];
  if (miss.nearest) {
    lines.push(`  nearest  ${short(JSON.stringify(miss.nearest.asked))}`);
    lines.push(
      ...miss.nearest.differences.slice(0, MOST_SHOWN).map((each) => `           ${described(each)}`),
    );
  }
  const replies = miss.recorded === 1 ? "1 reply" : `${miss.recorded} replies`;
  lines.push(
    `  scenario ${miss.cassette} (${miss.label}: ${replies}, ${miss.used} used)`,
    `Mend it:  ${miss.fix}`,
  );
  return lines.join("\n");
}

function described({ pointer, before, after }: Difference): string {
  const there = after === undefined ? "and there is none" : `and it is ${short(JSON.stringify(after))}`;
  return `differs at ${pointer}: wanted ${short(JSON.stringify(before))}, ${there}`;
}

/** Characters. */
const LONGEST = 160;

function short(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`;
}
