import type { JsonObject } from "../../protocol/message.ts";
import type { Ask } from "../model.ts";
import { answersAmong } from "./input.ts";
import type { Brought } from "./resumptions.ts";

/** What a client has answered to what one request asks it. */
export class Inputs {
  answers: JsonObject = {};
  /** What it brought along, for the first step that asks. */
  #brought: Brought | undefined;

  bring(brought: Brought): void {
    this.#brought = brought;
    this.answers = brought.progress?.answers ?? {};
  }

  /** Takes what was brought for these questions; a sentence for what is no answer to one. */
  take(asks: ReadonlyMap<string, Ask>): string | undefined {
    const brought = this.#brought;
    this.#brought = undefined;
    if (!brought) return undefined;
    const answers = answersAmong(brought.responses, asks);
    if (typeof answers === "string") return answers;
    brought.taken();
    this.add(answers);
    return undefined;
  }

  add(answers: JsonObject): void {
    this.answers = { ...this.answers, ...answers };
  }
}
