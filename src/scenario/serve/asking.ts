import { memberAt } from "../../protocol/member.ts";
import { type JsonObject, type JsonValue, jsonOf, type Message } from "../../protocol/message.ts";
import { isObject } from "../matcher.ts";
import { opaque } from "../random.ts";
import { speltValue } from "../spelt-number.ts";
import type { Asked } from "./asked.ts";
import { isDeclared, missingCapability, nested, requiredFor, unknownIn } from "./may-ask.ts";
import { inputRequests, type Question } from "./question.ts";
import { type Progress, sealed } from "./request-state.ts";
import type { RpcError } from "./settled.ts";
import type { Stage } from "./stage.ts";
import { notificationBytes, requestBytes } from "./wire.ts";

/** Why a client cannot be asked: an error that the revision has for it, or a reason that it has none for. */
export type Refusal = { readonly error: RpcError } | { readonly miss: string };

export function refusalOf({ client, label }: Asked, questions: readonly Question[]): Refusal | undefined {
  const { era, version } = client.revision;
  for (const question of questions) {
    const unknown = unknownIn(question, version);
    if (unknown !== undefined) {
      return { miss: `${label} asks the client for ${unknown}, which ${version} does not have.` };
    }
    const path = requiredFor(question);
    if (isDeclared(path, client)) continue;
    if (era === "modern") return { error: missingCapability(path) };
    const why = `${label} asks the client for ${path.join(".")}, and the client did not declare it.`;
    const condition = nested(path, "{ any: false }");
    return { miss: `${why} A reply with client: ${condition} could answer then.` };
  }
  return undefined;
}

interface Resumption {
  readonly progress: Progress;
  readonly params: JsonObject;
  readonly seed: number;
}

/** The answer that the client sends the request again upon. */
export function inputRequired(
  questions: readonly Question[],
  { progress, params, seed }: Resumption,
): JsonObject {
  return {
    resultType: "input_required",
    inputRequests: inputRequests(questions),
    requestState: sealed(progress, params, seed),
  };
}

interface Sending {
  readonly send: (bytes: Uint8Array) => void;
  /** `_meta` of every request. */
  readonly meta?: JsonObject;
}

/** What the client is asked for while a request waits: by requests of the server, one after the other (the legacy era). */
export class Asking {
  readonly #stage: Stage;
  readonly #asked: Asked;
  readonly #sending: Sending;
  #cancelled = false;

  constructor(stage: Stage, asked: Asked, sending: Sending) {
    this.#stage = stage;
    this.#asked = asked;
    this.#sending = sending;
  }

  begin(questions: readonly Question[], done: (answers: JsonObject) => void): void {
    this.#askNext(questions, {}, done);
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
    this.#sending.send(requestBytes(id, question.method, params));
  }

  /** An elicitation by URL has an id until 2025-11-25 (client/elicitation). */
  #legacyParams({ name, method, params }: Question): JsonObject {
    const { meta } = this.#sending;
    const all = meta
      ? { ...params, _meta: { ...(isObject(params._meta) ? params._meta : {}), ...meta } }
      : params;
    if (method !== "elicitation/create" || all.mode !== "url" || all.elicitationId !== undefined) return all;
    return { ...all, elicitationId: opaque(`${this.#stage.scenario.seed} ${name} ${this.#asked.id}`) };
  }

  #complete({ completes }: Question, { elicitationId }: JsonObject, given: JsonValue): void {
    if (completes === undefined || elicitationId === undefined || memberAt(given, "action") !== "accept")
      return;
    this.#stage.host.timer(completes, () =>
      this.#sending.send(notificationBytes("notifications/elicitation/complete", { elicitationId })),
    );
  }
}

/** A client's error is an answer too: `{ error: { code, message } }`. */
function answerOf(message: Message): JsonValue {
  const whole = message.scan.harmed ? speltValue(message.bytes) : jsonOf(message);
  const error = memberAt(whole, "error");
  return error === undefined ? (memberAt(whole, "result") ?? null) : { error };
}
