import type { JsonObject } from "../../protocol/message.ts";
import type { Ask } from "../model.ts";
import type { SchemaChecker } from "../schemas.ts";
import type { Asked } from "./asked.ts";
import { type Refusal, refusalOf } from "./asking.ts";
import { answersAmong, invalidParams, problemAmong } from "./input.ts";
import { type Question, questionsOf } from "./question.ts";
import type { Brought } from "./resumptions.ts";

/** Who is asked, and what answers are held against. */
export interface Asker {
  readonly asked: Asked;
  /** Undefined until one is loaded. */
  readonly checker: SchemaChecker | undefined;
}

interface Putting extends Asker {
  readonly rendered: (params: JsonObject) => JsonObject;
}

/** What a client has answered to what one request asks it. */
export class Inputs {
  answers: JsonObject = {};
  /** What it brought along, for the first step that asks. */
  #brought: Brought | undefined;

  bring(brought: Brought): void {
    this.#brought = brought;
    this.answers = brought.progress?.answers ?? {};
  }

  /** What the client has not answered yet, with what it brought; or why it is not asked. */
  open(
    asks: ReadonlyMap<string, Ask>,
    { asked, checker, rendered }: Putting,
  ): { readonly questions: readonly Question[] } | { readonly refusal: Refusal } {
    const brought = this.#take(asks);
    if (typeof brought === "string") return { refusal: invalidParams(brought) };
    const all = questionsOf(asks, rendered);
    const refused = this.add(brought, all, { asked, checker });
    if (refused) return { refusal: refused };
    const questions = all.filter(({ name }) => !Object.hasOwn(this.answers, name));
    const refusal = refusalOf(asked, questions);
    return refusal ? { refusal } : { questions };
  }

  /** Takes answers; or says why one of them is none to its question. */
  add(answers: JsonObject, questions: readonly Question[], { asked, checker }: Asker): Refusal | undefined {
    const refusal = problemAmong(answers, questions, { checker, era: asked.client.revision.era });
    if (!refusal) this.answers = { ...this.answers, ...answers };
    return refusal;
  }

  /** What was brought for these questions; a sentence for what is no answer to one. */
  #take(asks: ReadonlyMap<string, Ask>): JsonObject | string {
    const brought = this.#brought;
    this.#brought = undefined;
    if (!brought) return {};
    const answers = answersAmong(brought.responses, asks);
    if (typeof answers !== "string") brought.taken();
    return answers;
  }
}
