import { nearestWord } from "../../cassette/fault.ts";
import type { FilePlace } from "../../errors.ts";
import type { Difference } from "../../protocol/json-diff.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { askedOf } from "../../replay/key.ts";
import type { Miss, MissReason } from "../../replay/miss.ts";
import { Undecided } from "../exact-order.ts";
import { written } from "../matcher.ts";
import type { Answering, Reply, TimedEvent } from "../model.ts";
import { type SpeltNumber, withoutSpelt } from "../spelt-number.ts";
import { AbsentValue } from "../template.ts";
import type { Asked } from "./asked.ts";

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
}

/** Something that a request names and that is not there. */
export interface Unknown {
  readonly what: string;
  readonly name: JsonValue | undefined;
  /** What is there in its place. */
  readonly known: readonly string[];
}

export function missOf(unanswered: Unanswered, origin: string): Miss {
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
    cassette: origin,
    fix: fixOf(asked, about, reason),
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

export function unknownWords({ what, name, known }: Unknown): string {
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

/** What to add to the file, in YAML's flow style. */
function fixOf(asked: Asked, about: Answering | undefined, reason: MissReason): string {
  if (reason === "unfit") return `mend the reply in ${placeOf(about)}`;
  const { arguments: args } = asked.params as { arguments?: JsonObject };
  const when =
    args === undefined || Object.keys(args).length === 0
      ? ""
      : `when: ${JSON.stringify(withoutSpelt(args, writable))}, `;
  const reply = `- { ${when}text: … }`;
  return about
    ? `add to the replies of ${about.label} (${placeOf(about)}): ${reply}`
    : `write what answers ${asked.label}`;
}

/** What a file can hold of a number. */
function writable({ isHarmed, number }: SpeltNumber): JsonValue {
  return isHarmed ? { any: true } : number;
}

function placeOf(about: Answering | undefined): string {
  if (!about) return "the scenario";
  return placeText(about.place);
}

function placeText({ file, line }: FilePlace): string {
  return line === undefined ? file : `${file}:${line}`;
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
