import type { JsonObject } from "../../protocol/message.ts";
import { generated, NotGenerated } from "../generate.ts";
import { jsonText } from "../spelt-number.ts";
import type { Asked } from "./asked.ts";
import { asResult } from "./speech.ts";
import type { Stage } from "./stage.ts";
import type { Subject } from "./subject.ts";

/** Whom a result is for, and of what. */
export interface Answered {
  readonly stage: Stage;
  readonly asked: Asked;
  readonly subject: Subject;
}

/**
 * A result as the client's revision has it; where it breaks a promise, why the reply does not do. `isWhole`: nothing is
 * added but what the revision wants of every result.
 */
export function finished(result: JsonObject, isWhole: boolean, answered: Answered): JsonObject | string {
  const { stage, subject } = answered;
  const problem = stage.checker && subject.problem?.(result, stage.checker);
  if (problem !== undefined) return `cannot be given: ${problem}.`;
  return whole(isWhole ? result : subject.finish(result), answered);
}

/** With what the revision wants of every result. */
export function whole(result: JsonObject, { stage, asked, subject }: Answered): JsonObject {
  const cached = subject.cached && result.resultType === undefined;
  return asResult(result, asked.client.revision, { scenario: stage.scenario, cached });
}

/** What a tool's `outputSchema` describes, the same for the n-th equal request; or why there is no such thing. */
export function madeUp(nth: number, { stage, asked, subject }: Answered): JsonObject | string {
  const { scenario, checker } = stage;
  if (!checker) throw new Error("a result is made up before schemas can be checked");
  const seed = `${scenario.seed} ${asked.label} ${jsonText(subject.args)} ${nth}`;
  try {
    return { structuredContent: generated(subject.outputSchema ?? true, seed, checker) };
  } catch (error) {
    if (!(error instanceof NotGenerated)) throw error;
    return `cannot be made from the outputSchema: ${error.message}.`;
  }
}
