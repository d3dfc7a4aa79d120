import type { Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import { paramsOf, type Question } from "./key.ts";
import { plainKey } from "./plain-key.ts";

/** The question of a request whose key is had without parsing it; undefined for any other message. */
export function plainQuestion(message: Message): Question | undefined {
  const { kind, method, bytes, scan } = message;
  const { params } = scan.members;
  if (kind !== "request" || method === undefined || !params) return undefined;
  const key = plainKey(bytes, method, params);
  return key === undefined ? undefined : new PlainQuestion(key, message);
}

/** Shows nothing but its key. What people are told of it is worked out when somebody asks. */
class PlainQuestion implements Question {
  readonly key: string;
  readonly inputs = undefined;
  readonly without = undefined;
  readonly client = undefined;
  readonly withToken = false;
  readonly era = "legacy";
  readonly #message: Message;

  constructor(key: string, message: Message) {
    this.key = key;
    this.#message = message;
  }

  get label(): string {
    return labelOf(this.#message.method ?? "", paramsOf(this.#message));
  }
}
