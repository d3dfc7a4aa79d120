import { nearestWord } from "../../cassette/fault.ts";
import { type FilePlace, VcrError } from "../../errors.ts";
import { rowOf } from "../../protocol/member.ts";
import type { JsonValue } from "../../protocol/message.ts";
import type { Effect, Step, TimedEvent, Turn } from "../model.ts";
import type { Whereabouts } from "../read/places.ts";
import { allReferences, type Reference } from "../template.ts";

/** Names that can follow a root; undefined where any can. */
export type Names = Readonly<Record<"args" | "answers" | "state", readonly string[] | undefined>>;

/** @throws VcrError `scenario-invalid` for a reference that nothing can ever be there for */
export function checkReferences(turn: Turn, where: Whereabouts, names: Names): void {
  for (const reference of templatesOf(turn).flatMap(allReferences)) checkReference(reference, where, names);
}

/** Where a reference stands. */
function placeOf({ text }: Reference, where: Whereabouts): FilePlace {
  return where.find((each) => each.includes(`\${${text}}`));
}

/** The same of an event, which no request is behind. */
export function checkEventReferences({ effects, where }: TimedEvent, state: Names["state"]): void {
  for (const reference of effects.flatMap(templatesOfEffect).flatMap(allReferences)) {
    if (reference.path[0] !== "state") {
      const hint = "An event happens by itself, for no request: only ${state.…} is there.";
      throw new VcrError("scenario-invalid", `\${${reference.text}} refers to nothing`, {
        place: placeOf(reference, where),
        hint,
      });
    }
    checkReference(reference, where, { args: undefined, answers: undefined, state });
  }
}

function checkReference(reference: Reference, where: Whereabouts, all: Names): void {
  const { text, path, otherwise } = reference;
  const [root = "", name] = path;
  const names = rowOf(all, root);
  if (otherwise !== undefined || name === undefined || !names || names.includes(name)) return;
  const meant = nearestWord(name, names);
  const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  const there = names.length > 0 ? `There are ${names.join(", ")}.` : "There are none.";
  throw new VcrError("scenario-invalid", `\${${text}} refers to nothing${hint}`, {
    place: placeOf(reference, where),
    hint: root === "state" ? BEGINNING : there,
  });
}

const BEGINNING =
  "Give it a beginning under state:, or set: it in a reply; with :- there is another value in its place.";

function templatesOf({ steps, set, outcome }: Turn): readonly JsonValue[] {
  const values: JsonValue[] = steps.flatMap(templatesOfStep);
  if (set) values.push(set);
  if (outcome.kind === "result") values.push(outcome.result);
  if (outcome.kind === "error") values.push(outcome.error);
  return values;
}

function templatesOfStep(step: Step): readonly JsonValue[] {
  switch (step.kind) {
    case "log":
    case "progress":
      return [step.params];
    case "ask":
      return [...step.asks.values()].map(({ params }) => params);
    case "delay":
      return [step.ms];
    case "status":
      return [step.message];
    case "task":
      return [step.plan.message ?? null, step.plan.meta ?? null];
    case "effect":
      return templatesOfEffect(step.effect);
    case "cut":
      return [];
  }
}

function templatesOfEffect(effect: Effect): readonly JsonValue[] {
  switch (effect.kind) {
    case "set":
      return [effect.state];
    case "notify":
      return effect.params ? [effect.params] : [];
    case "update":
      return effect.uris;
    case "show":
      return [];
  }
}
