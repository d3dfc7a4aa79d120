import { VcrError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import type {
  AskDocument,
  EffectsDocument,
  LogDocument,
  MatcherDocument,
  ProgressDocument,
  ReplyDocument,
  ScenarioHandler,
  ScenarioRequest,
  StepDocument,
  TurnDocument,
} from "../../scenario/define-scenario.ts";
import type { Duration } from "../../scenario/duration.ts";

/** What is answered: a text, what a reply of a scenario says, or a function that returns either. */
export type Answer<Args> =
  | string
  | TurnDocument
  | ((request: ScenarioRequest<Args>) => string | TurnDocument | Promise<string | TurnDocument>);

/** What arguments have to be: see `when` in docs/scenarios.md. */
export type Matching<Args> = { readonly [Name in keyof Args]?: MatcherDocument };

/** A form, or a page (`mode: "url"`). The schema may be a constant. */
export type Elicitation =
  | { readonly message: string; readonly requestedSchema: object }
  | Extract<Extract<AskDocument, { readonly elicit: object }>["elicit"], { readonly mode: "url" }>;
type Sampling = Extract<AskDocument, { readonly sample: object }>["sample"];

type Draft = { -readonly [Name in keyof ReplyDocument]: ReplyDocument[Name] };

/** Whether something may still be added. @throws VcrError `usage` where not */
export type Gate = (what: string) => void;

/**
 * Something that a mock answers for: replies, of which the first whose conditions hold answers. What stands before
 * `reply`, `error` or `hang` is of that reply, in the order in which it is said.
 */
export class Replying<Args> {
  /** Method and name, for messages. */
  readonly #label: string;
  readonly #gate: Gate;
  readonly #replies: ReplyDocument[] = [];
  #draft: Draft = {};
  #steps: StepDocument[] = [];

  /** @internal */
  constructor(label: string, gate: Gate) {
    this.#label = label;
    this.#gate = gate;
  }

  /** It answers these arguments. Members that are not named do not matter. */
  when(args: Matching<Args>): this {
    return this.#with({ when: args as NonNullable<Draft["when"]> });
  }

  /** It answers clients whose state is so. */
  requires(state: { readonly [name: string]: MatcherDocument }): this {
    return this.#with({ requires: state });
  }

  /** It answers each client so often. */
  times(count: number): this {
    return this.#with({ times: count });
  }

  delay(duration: Duration): this {
    return this.#step({ delay: duration });
  }

  progress(...progress: readonly ProgressDocument[]): this {
    return this.#step({ progress });
  }

  log(...log: readonly LogDocument[]): this {
    return this.#step({ log });
  }

  /** Asks the user of the client; what is answered is `answers` of the request, by this name. */
  elicit(name: string, elicit: Elicitation): this {
    return this.#step({ ask: { [name]: { elicit } as AskDocument } });
  }

  /** Asks the client's model; what is answered is `answers` of the request, by this name. */
  sample(name: string, sample: Sampling): this {
    return this.#step({ ask: { [name]: { sample } } });
  }

  /** Asks the client for its roots; what is answered is `answers` of the request, by this name. */
  roots(name: string): this {
    return this.#step({ ask: { [name]: { roots: {} } } });
  }

  /** Something happens to the server: lists change, subscribers are told, the client's state is set. */
  effect(effects: EffectsDocument): this {
    return this.#step(effects);
  }

  reply(answer: Answer<Args>): this {
    if (typeof answer === "string") return this.#end({ text: answer });
    if (typeof answer !== "function") return this.#end(answer);
    const handler: ScenarioHandler<Args> = async (request) => turnOf(await answer(request));
    // Arguments are checked against the schema before a handler sees them.
    return this.#end({ handler: handler as ScenarioHandler<never> as ScenarioHandler });
  }

  /** A JSON-RPC error. */
  error(code: number, message: string, data?: JsonValue): this {
    return this.#end({ error: { code, message, ...(data === undefined ? {} : { data }) } });
  }

  /** Never an answer, until the client cancels. */
  hang(): this {
    return this.#end({ hang: true });
  }

  /** @internal @throws VcrError `usage` for a reply that was begun and never said */
  get replies(): readonly ReplyDocument[] | undefined {
    const begun = [...Object.keys(this.#draft), ...this.#steps.flatMap(Object.keys)];
    if (begun.length > 0) {
      throw new VcrError("usage", `${this.#label}: .${begun.join(", .")} of a reply that was never said`, {
        hint: 'End it with .reply("…"), .error(code, "…") or .hang().',
      });
    }
    return this.#replies.length > 0 ? this.#replies : undefined;
  }

  /** @internal */
  protected end(outcome: ReplyDocument): this {
    return this.#end(outcome);
  }

  #with(part: Draft): this {
    this.#gate(this.#label);
    Object.assign(this.#draft, part);
    return this;
  }

  #step(step: StepDocument): this {
    this.#gate(this.#label);
    this.#steps.push(step);
    return this;
  }

  #end(outcome: ReplyDocument): this {
    this.#gate(this.#label);
    const steps = this.#steps.length > 0 ? { steps: this.#steps } : {};
    this.#replies.push({ ...this.#draft, ...steps, ...outcome });
    this.#draft = {};
    this.#steps = [];
    return this;
  }
}

/** A tool can fail so that the model reads of it. */
export class ToolReplying<Args = JsonObject> extends Replying<Args> {
  /** A failure that the model reads: `isError`. */
  toolError(text: string): this {
    return this.end({ toolError: text });
  }
}

function turnOf(answer: string | TurnDocument): TurnDocument {
  return typeof answer === "string" ? { text: answer } : answer;
}
