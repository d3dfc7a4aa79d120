import type { Difference } from "../../protocol/json-diff.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { askedOf } from "../../replay/key.ts";
import type { Miss, MissReason } from "../../replay/miss.ts";
import type { Undecided } from "../exact-order.ts";
import { written } from "../matcher.ts";
import type { Answering, Reply } from "../model.ts";
import { type SpeltNumber, withoutSpelt } from "../spelt-number.ts";
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

function nearestOf(refusals: readonly Refusal[]): Refusal | undefined {
  const wanting = refusals.filter(({ differences }) => differences.length > 0);
  return wanting.reduce<Refusal | undefined>(
    (best, each) => (best && best.differences.length <= each.differences.length ? best : each),
    undefined,
  );
}

function wantedBy({ when, requires, client }: Reply): JsonValue {
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
  const { file, line } = about.place;
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
