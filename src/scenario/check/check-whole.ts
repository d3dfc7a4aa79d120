import { nearestWord } from "../../cassette/fault.ts";
import { LISTS, type ListName } from "../../drive/pages.ts";
import { type FilePlace, VcrError } from "../../errors.ts";
import { eraOf } from "../../protocol/revisions.ts";
import { eachEffect, everyTurn, hasHandler } from "../effects.ts";
import { isObject } from "../matcher.ts";
import type { Effect, Prompt, Reply, Scenario, Template, TimedEvent, Tool, Turn } from "../model.ts";
import { LIST_NAMES } from "../read/effects.ts";
import type { Without } from "../read/parts.ts";
import type { Whereabouts } from "../read/places.ts";
import { isListened } from "../serve/feeds.ts";
import { unknownIn } from "../serve/may-ask.ts";
import { pagesOf } from "../serve/pages.ts";
import { eachTurn } from "../turns.ts";
import { variablesOf } from "../uri-template.ts";
import { blamed } from "./blamed.ts";
import { checkFaults } from "./check-faults.ts";
import { checkEventReferences } from "./check-references.ts";
import { checkReplies } from "./check-replies.ts";
import { checkTasks } from "./check-tasks.ts";
import { texts } from "./never.ts";
import { stateNames } from "./state-values.ts";

/**
 * What only a whole scenario shows: names that mean nothing, replies that can never answer.
 * @param without what was left out of the files it extends, for messages
 * @throws VcrError `scenario-invalid`
 */
export function checkWhole(scenario: Scenario, without: readonly Without[]): void {
  for (const list of LIST_NAMES) checkPages(scenario, list);
  for (const event of scenario.timeline) checkEvent(event, scenario, without);
  for (const tool of scenario.tools) blamed(tool.overridden, () => checkTool(tool, scenario));
  for (const resource of scenario.resources) {
    const check = () => checkReplies({ ...resource, names: undefined, closed: true }, scenario);
    blamed(resource.overridden, check);
  }
  for (const each of scenario.templates) blamed(each.overridden, () => checkTemplate(each, scenario));
  for (const prompt of scenario.prompts) blamed(prompt.overridden, () => checkPrompt(prompt, scenario));
  for (const method of scenario.methods) {
    checkReplies({ ...method, names: undefined, closed: false }, scenario);
  }
  checkTasks(scenario);
  checkHidden(scenario);
  checkFaults(scenario, (name, list) => missing(name, list, { scenario, without }));
  for (const effect of effectsOf(scenario)) checkEffect(effect, scenario, without);
  for (const { turn, reply } of everyTurn(scenario)) checkAsks(turn, reply, scenario);
}

function unfit(message: string, place: FilePlace, hint?: string): VcrError {
  return new VcrError("scenario-invalid", message, { place, hint });
}

function nearest(word: string, words: readonly string[]): string {
  const meant = nearestWord(word, words);
  return meant === undefined ? "" : ` (did you mean ${meant}?)`;
}

function checkTool(tool: Tool, scenario: Scenario): void {
  const { properties, additionalProperties, patternProperties } = tool.inputSchema;
  const names = isObject(properties) ? Object.keys(properties) : undefined;
  // Where more is allowed, or comes by other ways, a name that is not listed may come all the same.
  const closed = additionalProperties === false && patternProperties === undefined;
  checkReplies({ ...tool, names: names ?? [], closed }, scenario);
  for (const { turn, reply } of eachTurn(tool.replies ?? [])) {
    const { outcome } = turn;
    if (outcome.kind === "generate" && tool.outputSchema === undefined) {
      throw unfit("generate: needs the tool's outputSchema, and there is none", reply.place);
    }
    if (outcome.kind !== "result" || tool.outputSchema === undefined || !tool.validate) continue;
    const { structuredContent, isError } = outcome.result;
    if (structuredContent !== undefined || isError === true) continue;
    throw unfit(
      `${tool.name} has an outputSchema, so what it answers must have structuredContent:`,
      reply.place,
      "Add it; or set validate: false on the tool, for a server that breaks its promise.",
    );
  }
}

function checkTemplate(template: Template, scenario: Scenario): void {
  const names = variablesOf(template.uriTemplate);
  const valuesOf = () => texts(false);
  checkReplies({ ...template, names, closed: true, valuesOf }, scenario);
  checkCompletions(template, names);
}

function checkPrompt(prompt: Prompt, scenario: Scenario): void {
  const names = prompt.arguments.map(({ name }) => name);
  const required = prompt.arguments.filter((each) => each.required).map(({ name }) => name);
  const valuesOf = (name: string) => texts(required.includes(name));
  checkReplies({ ...prompt, names, closed: true, valuesOf }, scenario);
  checkCompletions(prompt, names);
}

function checkCompletions({ complete, placeOf }: Template | Prompt, names: readonly string[]): void {
  for (const name of complete.keys()) {
    if (names.includes(name)) continue;
    const place = placeOf("complete", name);
    throw unfit(`complete: there is no argument ${name}${nearest(name, names)}`, place);
  }
}

/** Something must show what is hidden; a program may do so whenever it answers. */
function checkHidden(scenario: Scenario): void {
  if (hasHandler(scenario)) return;
  const shown = [...eachEffect(scenario)].flatMap((each) =>
    each.kind === "show" && each.shown ? [each.names] : [],
  );
  for (const list of LIST_NAMES) {
    const lost = scenario[list].find(
      ({ hidden, name }) => hidden && !shown.some((names) => names[list]?.includes(name)),
    );
    if (!lost) continue;
    const name = JSON.stringify(lost.name);
    throw unfit(
      `hidden: nothing ever shows the ${LISTS[list].item} ${name}, so it can never answer`,
      lost.placeOf("hidden"),
      `Show it in a step of a reply or in the timeline: show: { ${list}: [${name}] }; unlisted: true answers, and is in no list.`,
    );
  }
}

const KEYS: Readonly<Record<ListName, (scenario: Scenario) => readonly string[]>> = {
  tools: ({ tools }) => tools.map(({ name }) => name),
  resources: ({ resources }) => resources.map(({ name }) => name),
  templates: ({ templates }) => templates.map(({ name }) => name),
  prompts: ({ prompts }) => prompts.map(({ name }) => name),
};

function checkPages(scenario: Scenario, list: ListName): void {
  const rules = scenario.pages[list];
  if (!rules.place) return;
  if (scenario[list].length === 0) {
    throw unfit(`pages of ${list}: there is no ${LISTS[list].item} that could be on one`, rules.place);
  }
  const count = pagesOf(KEYS[list](scenario), rules).length;
  for (const key of ["loop", "emptyCursor"] as const) {
    const page = rules[key];
    if (page === undefined) continue;
    const last = key === "loop" ? count : count - 1;
    if (page <= last) continue;
    const there = count === 1 ? "only one page" : `${count} pages`;
    throw unfit(`pages of ${list}: ${key}: ${page} says nothing, since there is ${there}`, rules.place);
  }
  const beyond = rules.empty.find((page) => page > count);
  if (beyond !== undefined)
    throw unfit(`pages of ${list}: there is no page ${beyond} that could be empty`, rules.place);
}

interface PlacedEffect {
  readonly effect: Effect;
  readonly where: Whereabouts;
}

function effectsOf(scenario: Scenario): readonly PlacedEffect[] {
  return [
    ...scenario.timeline.flatMap(({ effects, where }) => effects.map((effect) => ({ effect, where }))),
    ...[...everyTurn(scenario)].flatMap(({ turn, reply: { where } }) =>
      turn.steps.flatMap((step) => (step.kind === "effect" ? [{ effect: step.effect, where }] : [])),
    ),
  ];
}

/** A question that none of the revisions has. */
function checkAsks({ steps }: Turn, { where }: Reply, { revisions }: Scenario): void {
  for (const step of steps) {
    for (const [name, ask] of step.kind === "ask" ? step.asks : []) {
      const unknown = revisions.map((version) => unknownIn(ask, version));
      if (unknown.every((each) => each !== undefined))
        throw unfit(
          `the question ${name} asks for ${unknown.at(-1)}, which no revision of revisions: has`,
          where.placeOf("ask", name),
        );
    }
  }
}

/** Why a name means nothing: it was left out, or another is meant. */
function missing(
  name: string,
  list: ListName,
  { scenario, without }: { scenario: Scenario; without: readonly Without[] },
): string {
  const left = without.find((each) => each.list === list && each.key === name);
  if (!left) return nearest(name, KEYS[list](scenario));
  const { file, line } = left.place;
  return `: without: leaves it out (${line === undefined ? file : `${file}:${line}`})`;
}

function checkEffect({ effect, where }: PlacedEffect, scenario: Scenario, without: readonly Without[]): void {
  if (effect.kind === "show") {
    for (const list of LIST_NAMES) {
      const keys = KEYS[list](scenario);
      const unknown = effect.names[list]?.find((name) => !keys.includes(name));
      if (unknown === undefined) continue;
      const word = effect.shown ? "show" : "hide";
      throw unfit(
        `${word}: there is no ${LISTS[list].item} ${JSON.stringify(unknown)}${missing(unknown, list, { scenario, without })}`,
        where.find((text) => text === unknown),
      );
    }
  }
  if (effect.kind !== "update") return;
  for (const uri of effect.uris) {
    if (uri.includes("${")) continue;
    const known = scenario.resources.some((resource) => resource.uri === uri);
    const templated = () => scenario.templates.some(({ pattern }) => pattern.match(uri) !== undefined);
    if (known || templated()) continue;
    throw unfit(
      `update: there is no resource ${uri}${missing(uri, "resources", { scenario, without })}`,
      where.find((text) => text === uri),
    );
  }
}

/** A server of the modern era sends by itself what clients listen to, and nothing else. */
function checkNotice(effect: Effect, place: FilePlace, { revisions }: Scenario): void {
  if (effect.kind !== "notify" || isListened(effect.method)) return;
  if (revisions.some((version) => eraOf(version) === "legacy")) return;
  throw unfit(
    `notify: a server of ${revisions.at(-1)} cannot send ${effect.method} by itself`,
    place,
    `Make it a step of a reply; or let revisions: have one of the legacy era.`,
  );
}

/** Lists by the method that asks for one of its items. */
const ASKED_BY: Readonly<Record<string, ListName>> = { "tools/call": "tools", "prompts/get": "prompts" };

function checkEvent(event: TimedEvent, scenario: Scenario, without: readonly Without[]): void {
  const { trigger, effects, where } = event;
  for (const effect of effects) checkNotice(effect, where.placeOf("notify"), scenario);
  checkEventReferences(event, stateNames(scenario));
  if (trigger.kind !== "after" || trigger.name === undefined) return;
  const list = ASKED_BY[trigger.method];
  if (!list) return;
  const keys = KEYS[list](scenario);
  if (keys.includes(trigger.name)) return;
  throw unfit(
    `after: there is no ${LISTS[list].item} ${trigger.name}${missing(trigger.name, list, { scenario, without })}`,
    where.placeOf("after", "name"),
  );
}
