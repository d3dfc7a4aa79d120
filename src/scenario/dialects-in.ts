import type { JsonValue } from "../protocol/message.ts";
import { type Dialect, dialectOf } from "./dialects.ts";
import { allAnswering, asksByForm, hasHandler } from "./effects.ts";
import type { Matcher } from "./matcher.ts";
import type { Scenario } from "./model.ts";
import { eachTurn } from "./turns.ts";

/** All dialects that come up in a scenario. */
export function dialectsIn(scenario: Scenario): ReadonlySet<Dialect> {
  const replies = allAnswering(scenario).flatMap((each) =>
    [...eachTurn(each.replies ?? [])].map(({ reply }) => reply),
  );
  const completions = [...scenario.templates, ...scenario.prompts].flatMap(({ complete }) =>
    [...complete.values()].flat(),
  );
  const matchers = [
    ...replies.flatMap(({ when, requires, client }) => [when, requires, client]),
    ...completions.map(({ when }) => when),
  ];
  const schemas = [
    ...scenario.tools.flatMap(({ inputSchema, outputSchema }) => [inputSchema, outputSchema ?? true]),
    ...matchers.flatMap(schemasIn),
    // Forms, which a program may ask for too, are checked in the dialect of what names none.
    ...(asksByForm(scenario) || hasHandler(scenario) ? [true] : []),
  ];
  return new Set(schemas.map(dialectOf));
}

function schemasIn(matcher: Matcher | undefined): readonly JsonValue[] {
  switch (matcher?.kind) {
    case "schema":
      return [matcher.schema];
    case "members":
      return [...matcher.members.values()].flatMap(schemasIn);
    case "oneOf":
      return matcher.of.flatMap(schemasIn);
    case "not":
      return schemasIn(matcher.matcher);
    default:
      return [];
  }
}
