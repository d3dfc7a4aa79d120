import { type Message, textOf } from "../protocol/message.ts";
import { type Question, questionOf } from "./key.ts";

/** Questions remembered, and how long their params may be, in UTF-16 units. */
const MOST = 1024;
const LONGEST = 2048;

/** `questionOf` for live messages, which are often spelt as one before: a poll, the same call of every test. */
export class Questions {
  readonly #known = new Map<string, Question>();

  of(message: Message): Question {
    const { params } = message.scan.members;
    if (message.method === undefined || !params || params.end - params.start > LONGEST)
      return questionOf(message);
    const spelling = `${message.kind} ${message.method} ${textOf(message.bytes.subarray(params.start, params.end))}`;
    let question = this.#known.get(spelling);
    if (question) return question;
    question = questionOf(message);
    if (this.#known.size === MOST) this.#known.clear();
    this.#known.set(spelling, question);
    return question;
  }
}
