import type { JsonObject } from "../../protocol/message.ts";
import type { Ask } from "../model.ts";

/** A question, and the name its answer goes by. */
export interface Question extends Ask {
  readonly name: string;
}

/** As they are put. */
export function questionsOf(
  asks: ReadonlyMap<string, Ask>,
  rendered: (params: JsonObject) => JsonObject,
): readonly Question[] {
  return [...asks].map(([name, ask]) => ({ name, ...ask, params: rendered(ask.params) }));
}

/** Questions as the modern era puts them, by their names. */
export function inputRequests(questions: Iterable<Question>): JsonObject {
  const requests = [...questions].map(({ name, method, params }) => [name, { method, params }] as const);
  return Object.fromEntries(requests);
}
