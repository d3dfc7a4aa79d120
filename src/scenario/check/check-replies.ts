import { nearestWord } from "../../cassette/fault.ts";
import { type FilePlace, formatPlace, VcrError } from "../../errors.ts";
import { type Matcher, written } from "../matcher.ts";
import type { Reply, Scenario } from "../model.ts";
import { askedIn, eachTurn } from "../turns.ts";
import { checkAnswers } from "./check-answers.ts";
import { checkReferences } from "./check-references.ts";
import { covers, coversObject } from "./covers.ts";
import { isNever, type Values } from "./never.ts";
import { settings, stateNames } from "./state-values.ts";

/** What the arguments of a name can be; undefined where that is not known. */
export type ValuesOf = (name: string) => Values | undefined;

export interface Checked {
  readonly label: string;
  readonly place: FilePlace;
  readonly replies: readonly Reply[] | undefined;
  /** Names of the arguments; undefined where any may come. */
  readonly names: readonly string[] | undefined;
  /** No arguments come but these. */
  readonly closed: boolean;
  readonly valuesOf?: ValuesOf;
}

/** @throws VcrError `scenario-invalid` for replies that can never answer, and references to nothing */
export function checkReplies({ replies = [], names, closed, valuesOf }: Checked, scenario: Scenario): void {
  checkReach(replies);
  for (const { turn, reply, answered } of eachTurn(replies)) {
    checkRequired(reply, scenario);
    const asks = new Map([...answered, ...askedIn(turn)]);
    const here = [...asks.keys()];
    checkReferences(turn, reply.where, {
      args: names && (closed || names.length > 0) ? names : undefined,
      answers: here,
      state: stateNames(scenario),
    });
    if (turn.outcome.kind === "replies") {
      for (const each of turn.outcome.replies) {
        checkNames(each, here, "no question is called");
        checkAnswers(each, asks);
      }
    }
  }
  if (names && closed) for (const reply of replies) checkNames(reply, names, "no argument is called");
  if (valuesOf) for (const reply of replies) checkTexts(reply, valuesOf);
}

/** Replies after one that answers whatever they would answer, and never ends. */
function checkReach(replies: readonly Reply[]): void {
  for (const [index, reply] of replies.entries()) {
    const before = replies.slice(0, index).find((earlier) => isAlwaysFirst(earlier, reply));
    if (before) {
      throw new VcrError("scenario-invalid", "this reply is never reached: one before it answers the same", {
        place: reply.place,
        hint: `That is the one at ${formatPlace(before.place)}. Put the special case first, or give that one times:.`,
      });
    }
    for (const { outcome } of reply.turns) if (outcome.kind === "replies") checkReach(outcome.replies);
  }
}

function isAlwaysFirst(earlier: Reply, later: Reply): boolean {
  if (earlier.times !== undefined) return false;
  return (["when", "requires", "client"] as const).every((key) => coversObject(earlier[key], later[key]));
}

function checkNames({ when, where }: Reply, names: readonly string[], what: string): void {
  if (when?.kind !== "members") return;
  for (const [name, matcher] of when.members) {
    if (names.includes(name) || isAbsence(matcher)) continue;
    const meant = nearestWord(name, names);
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    throw new VcrError("scenario-invalid", `when: can never match: ${what} ${JSON.stringify(name)}${hint}`, {
      place: where.placeOf("when", name),
      hint: names.length > 0 ? `There are ${names.join(", ")}.` : "There are none.",
    });
  }
}

function checkTexts({ when, where }: Reply, valuesOf: ValuesOf): void {
  if (when?.kind !== "members") return;
  for (const [name, matcher] of when.members) {
    const values = valuesOf(name);
    if (!values || !isNever(matcher, values)) continue;
    const isLeftOut = matcher.kind === "any";
    throw new VcrError(
      "scenario-invalid",
      `when: can never match: ${name} is never ${isLeftOut ? "left out" : JSON.stringify(written(matcher))}`,
      {
        place: where.placeOf("when", name),
        hint: isLeftOut ? "It is required." : "It is always text: put it in quotes.",
      },
    );
  }
}

function isAbsence(matcher: Matcher): boolean {
  return (matcher.kind === "any" && !matcher.there) || matcher.kind === "not";
}

/** State that a reply requires must be there from the beginning, or set by something. */
function checkRequired({ requires, where }: Reply, scenario: Scenario): void {
  if (requires?.kind !== "members") return;
  for (const [name, matcher] of requires.members) {
    const { values, open } = settings(name, scenario);
    if (open || isAbsence(matcher)) continue;
    if (values.some((value) => covers(matcher, { kind: "equals", value }))) continue;
    const known = settings(undefined, scenario).names;
    const meant = nearestWord(
      name,
      known.filter((each) => each !== name),
    );
    const hint =
      values.length > 0
        ? `It is only ever ${values.map((value) => JSON.stringify(value)).join(", ")}.`
        : undefined;
    const sentence = values.length > 0 ? `nothing sets ${name} to that` : `nothing sets ${name}`;
    throw new VcrError(
      "scenario-invalid",
      `requires: can never match: ${sentence}${meant === undefined || values.length > 0 ? "" : ` (did you mean ${meant}?)`}`,
      {
        place: where.placeOf("requires", name),
        hint: hint ?? "Give it a beginning under state:, or set: it in a reply.",
      },
    );
  }
}
