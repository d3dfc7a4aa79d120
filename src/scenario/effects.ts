import type { Answering, Effect, Scenario, Step } from "./model.ts";
import { eachTurn, type PlacedTurn } from "./turns.ts";

export function allAnswering({
  tools,
  resources,
  templates,
  prompts,
  methods,
}: Scenario): readonly Answering[] {
  return [...tools, ...resources, ...templates, ...prompts, ...methods];
}

export function* everyTurn(scenario: Scenario): Iterable<PlacedTurn> {
  for (const { replies } of allAnswering(scenario)) yield* eachTurn(replies ?? []);
}

export function* eachStep(scenario: Scenario): Iterable<Step> {
  for (const { turn } of everyTurn(scenario)) yield* turn.steps;
}

/** What happens to the server anywhere: in a step of a reply, or by itself. */
export function* eachEffect(scenario: Scenario): Iterable<Effect> {
  for (const { effects } of scenario.timeline) yield* effects;
  for (const step of eachStep(scenario)) if (step.kind === "effect") yield step.effect;
}

/** A client may be asked to fill in a form, which is checked. */
export function asksByForm(scenario: Scenario): boolean {
  return [...eachStep(scenario)].some(
    (step) => step.kind === "ask" && [...step.asks.values()].some(({ params }) => params.requestedSchema),
  );
}

/** A program answers something, and may do whatever a reply can. */
export function hasHandler(scenario: Scenario): boolean {
  return [...everyTurn(scenario)].some(({ turn }) => turn.outcome.kind === "handler");
}
