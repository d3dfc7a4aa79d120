import type { Message } from "../protocol/message.ts";
import { allAnswering, asksByForm, hasHandler } from "./effects.ts";
import { usesSchema } from "./matcher.ts";
import type { Answering, Reply, Scenario } from "./model.ts";

/** Methods whose answers are checked or chosen by schemas, where a scenario has any for them. */
const CHOOSING: ReadonlySet<string | undefined> = new Set([
  "resources/read",
  "prompts/get",
  "completion/complete",
]);

const known = new WeakMap<Scenario, boolean>();

/** Whether a message cannot be answered before schemas can be checked. */
export function needsChecker({ kind, method }: Message, scenario: Scenario): boolean {
  if (kind === "response") return usesSchemas(scenario);
  if (kind !== "request") return false;
  if (method === "tools/call") return true;
  const custom = scenario.methods.some((each) => each.method === method);
  return (custom || CHOOSING.has(method)) && usesSchemas(scenario);
}

function usesSchemas(scenario: Scenario): boolean {
  let matches = known.get(scenario);
  if (matches === undefined) {
    const completions = [...scenario.templates, ...scenario.prompts].flatMap(({ complete }) =>
      [...complete.values()].flat(),
    );
    matches =
      asksByForm(scenario) ||
      hasHandler(scenario) ||
      allAnswering(scenario).some(isChosenBySchema) ||
      completions.some(({ when }) => usesSchema(when));
    known.set(scenario, matches);
  }
  return matches;
}

function isChosenBySchema({ replies = [] }: Pick<Answering, "replies">): boolean {
  return replies.some(
    ({ when, requires, client, turns }: Reply) =>
      [when, requires, client].some(usesSchema) ||
      turns.some(
        ({ outcome }) => outcome.kind === "replies" && isChosenBySchema({ replies: outcome.replies }),
      ),
  );
}
