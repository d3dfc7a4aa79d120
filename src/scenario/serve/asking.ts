import { memberAt } from "../../protocol/member.ts";
import { type JsonObject, type JsonValue, jsonOf, type Message } from "../../protocol/message.ts";
import type { Ask } from "../model.ts";
import { opaque } from "../random.ts";
import { speltValue } from "../spelt-number.ts";
import type { Asked } from "./asked.ts";
import { isDeclared, nested, requiredFor, unknownIn } from "./may-ask.ts";
import { type Progress, sealed } from "./request-state.ts";
import { MISSING_CAPABILITY } from "./speech.ts";
import type { Stage } from "./stage.ts";
import { notificationBytes, type RpcError, requestBytes } from "./wire.ts";

/** A question, and the name its answer goes by. */
export interface Question extends Ask {
  readonly name: string;
}

export interface Questions {
  readonly open: readonly Question[];
  readonly progress: Progress;
  /** Tells the client something on the stream of the answer. */
  readonly send: (bytes: Uint8Array) => void;
}

/**
 * What the client is asked for while a request waits: by requests of the server, one after the other, in the legacy era;
 * by an answer that the client sends the request again upon in the modern one.
 */
export class Asking {
  readonly #stage: Stage;
  readonly #asked: Asked;
  readonly #questions: Questions;
  #cancelled = false;

  constructor(stage: Stage, asked: Asked, questions: Questions) {
    this.#stage = stage;
    this.#asked = asked;
    this.#questions = questions;
  }

  /** Why the client cannot be asked: an error that the revision has for it, or a reason that it has none for. */
  get refusal(): { readonly error: RpcError } | { readonly miss: string } | undefined {
    const { client, label } = this.#asked;
    const { era, version } = client.revision;
    for (const question of this.#questions.open) {
      const unknown = unknownIn(question, version);
      if (unknown !== undefined) {
        return { miss: `${label} asks the client for ${unknown}, which ${version} does not have.` };
      }
      const path = requiredFor(question);
      if (isDeclared(path, client)) continue;
      const capability = path.join(".");
      if (era === "legacy") {
        const condition = nested(path, "{ any: false }");
        const why = `${label} asks the client for ${capability}, and the client did not declare it.`;
        return { miss: `${why} A reply with client: ${condition} could answer then.` };
      }
      const message = `Missing required client capability: ${capability}`;
      const requiredCapabilities = JSON.parse(
        nested(
          path.map((each) => JSON.stringify(each)),
          "{}",
        ),
      );
      return { error: { code: MISSING_CAPABILITY, message, data: { requiredCapabilities } } };
    }
    return undefined;
  }

  /** Asks; in the modern era, the result to answer with is returned, and nothing is heard of it again. */
  begin(done: (answers: JsonObject) => void): JsonObject | undefined {
    const { client, params } = this.#asked;
    if (client.revision.era === "legacy") {
      this.#askNext(this.#questions.open, {}, done);
      return undefined;
    }
    const { open, progress } = this.#questions;
    const requests = open.map(({ name, method, params: own }) => [name, { method, params: own }] as const);
    return {
      resultType: "input_required",
      inputRequests: Object.fromEntries(requests),
      requestState: sealed(progress, params, this.#stage.scenario.seed),
    };
  }

  cancel(): void {
    this.#cancelled = true;
  }

  #askNext(open: readonly Question[], answers: JsonObject, done: (answers: JsonObject) => void): void {
    const [question, ...rest] = open;
    if (!question) return done(answers);
    const params = this.#legacyParams(question);
    const id = this.#stage.ask((answer) => {
      if (this.#cancelled) return;
      const given = answerOf(answer);
      this.#complete(question, params, given);
      this.#askNext(rest, { ...answers, [question.name]: given }, done);
    });
    this.#questions.send(requestBytes(id, question.method, params));
  }

  /** An elicitation by URL has an id until 2025-11-25 (client/elicitation). */
  #legacyParams({ name, method, params }: Question): JsonObject {
    if (method !== "elicitation/create" || params.mode !== "url" || params.elicitationId !== undefined)
      return params;
    return { ...params, elicitationId: opaque(`${this.#stage.scenario.seed} ${name} ${this.#asked.id}`) };
  }

  #complete({ completes }: Question, { elicitationId }: JsonObject, given: JsonValue): void {
    if (completes === undefined || elicitationId === undefined || memberAt(given, "action") !== "accept")
      return;
    this.#stage.host.timer(completes, () =>
      this.#questions.send(notificationBytes("notifications/elicitation/complete", { elicitationId })),
    );
  }
}

/** A client's error is an answer too: `{ error: { code, message } }`. */
function answerOf(message: Message): JsonValue {
  const whole = message.scan.harmed ? speltValue(message.bytes) : jsonOf(message);
  const error = memberAt(whole, "error");
  return error === undefined ? (memberAt(whole, "result") ?? null) : { error };
}
