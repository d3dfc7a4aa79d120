import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { generated } from "../generate.ts";
import type { Outcome, Step, Turn } from "../model.ts";
import { jsonText } from "../spelt-number.ts";
import { renderObject, type Scope } from "../template.ts";
import { AnswerStream } from "./answer-stream.ts";
import { type Asked, scopeOf } from "./asked.ts";
import { Asking } from "./asking.ts";
import { called } from "./call-handler.ts";
import { answersAmong } from "./input.ts";
import { absenceWords, type Unanswered } from "./miss.ts";
import type { Progress } from "./request-state.ts";
import { asResult, INVALID_PARAMS } from "./speech.ts";
import type { Stage } from "./stage.ts";
import type { Subject } from "./subject.ts";
import { tellingOf, toldOf } from "./told.ts";
import { errorBytes, resultBytes } from "./wire.ts";

/**
 * Between a notification and the outcome that follows it, in milliseconds: clients hand notifications to their handlers
 * a moment later than they take an outcome, so one that arrives together with the outcome is lost on them.
 */
const APART = 2;

/** A request on its way to its answer. */
export class Run {
  readonly asked: Asked;
  readonly #stage: Stage;
  readonly #subject: Subject;
  readonly #stream: AnswerStream;
  #turn: Turn | undefined;
  #step = 0;
  #nth = 0;
  /** A reply that answers so often and no more is on the way to this answer. */
  #limited = false;
  /** Told when the client's input is taken. */
  #taken: (() => void) | undefined;
  #answers: JsonObject = {};
  /** What the client brought along, for the first step that asks. */
  #given: JsonObject = {};
  #callOff: (() => void) | undefined;
  #asking: Asking | undefined;
  /** The last thing that was sent for it is a notification. */
  #notified = false;
  #over = false;

  constructor(stage: Stage, asked: Asked, subject: Subject) {
    this.#stage = stage;
    this.asked = asked;
    this.#subject = subject;
    this.#stream = new AnswerStream(stage, asked);
  }

  /** Nothing more is sent for it. */
  get over(): boolean {
    return this.#over;
  }

  /** `given`: what the client says without having been asked by this server, or having been asked before. */
  start(given: JsonObject = {}): void {
    this.#given = given;
    const { about, args, pointer, outputSchema } = this.#subject;
    this.#guard(() => {
      if (about.replies) return this.#choose(about.replies, args, pointer);
      if (outputSchema !== undefined) return this.#outcome({ kind: "generate" });
      this.#miss({ reason: "unwritten", why: `Nothing is written that answers ${this.asked.label}.` });
    });
  }

  /** Goes on with a request that was sent again with the client's input. */
  resume({ turn, step, answers, nth, limited }: Progress, responses: JsonObject, taken: () => void): void {
    this.#taken = taken;
    this.#limited = limited;
    this.#turn = this.#stage.turn(turn);
    this.#step = step;
    this.#nth = nth;
    this.#answers = answers;
    const asking = this.#turn?.steps[step];
    if (!this.#turn || asking?.kind !== "ask") {
      return this.#miss({
        reason: "unfit",
        why: "The request was begun with another server, which is gone.",
      });
    }
    this.#given = responses;
    this.#next();
  }

  /** The client gave it up. */
  cancel(): void {
    this.#over = true;
    this.#callOff?.();
    this.#asking?.cancel();
  }

  #choose(replies: Parameters<Stage["world"]["choose"]>[0], args: JsonValue, pointer: string): void {
    const { world, checker, host } = this.#stage;
    const { capabilities } = this.asked.client;
    const chosen = world.choose(replies, { args, pointer, capabilities, checker });
    if ("reply" in chosen) {
      const { reply, nth } = chosen;
      host.used?.({ kind: "reply", reply });
      this.#nth = nth;
      this.#limited ||= reply.times !== undefined;
      return this.#begin(reply.turns[Math.min(nth, reply.turns.length) - 1] as Turn);
    }
    const why = `No reply of ${this.asked.label} answers this.`;
    this.#miss({ reason: "unwritten", why, refusals: chosen, used: world.used(replies) });
  }

  #begin(turn: Turn): void {
    this.#turn = turn;
    this.#step = 0;
    this.#stream.begin(turn);
    this.#next();
  }

  /** Goes on as far as nothing has to be waited for. */
  #next(): void {
    const { steps, outcome } = this.#turn as Turn;
    this.#guard(() => {
      for (let step = steps[this.#step]; step; step = steps[this.#step]) {
        if (this.#over || !this.#perform(step)) return;
        this.#step++;
      }
      if (!this.#over) this.#outcome(outcome);
    });
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#miss({ reason: "unfit", why: absenceWords(error, this.asked.label) });
    }
  }

  /** False when the step has to be waited for; what is waited for calls `#next` anew. */
  #perform(step: Step): boolean {
    const telling = tellingOf(step, this.asked);
    if (telling) return this.#tell(toldOf(telling, this.asked, (params) => this.#rendered(params)));
    switch (step.kind) {
      case "delay":
        return this.#wait(step.ms, () => {
          this.#step++;
          this.#next();
        });
      case "ask":
        return this.#ask(step.asks);
      case "effect":
        this.#stage.perform(step.effect, this.#scope());
        return true;
      case "cut":
        this.#stream.cut(step.retry);
        return true;
      default:
        return true;
    }
  }

  #wait(ms: number, then: () => void, timer = this.#stage.host.timer): false {
    this.#callOff = timer(ms, () => {
      this.#callOff = undefined;
      if (!this.#over) then();
    });
    return false;
  }

  /** False where the client cannot be told. */
  #tell(told: ReturnType<typeof toldOf>): boolean {
    if (typeof told === "string") {
      this.#miss({ reason: "unfit", why: told });
      return false;
    }
    if (!told) return true;
    this.#notified = true;
    this.#stream.send(told);
    return true;
  }

  #ask(asks: Extract<Step, { kind: "ask" }>["asks"]): boolean {
    const taken = answersAmong(this.#given, asks);
    this.#given = {};
    if (typeof taken === "string") {
      this.#send(errorBytes(this.asked.id, { code: INVALID_PARAMS, message: `Invalid params: ${taken}` }));
      return false;
    }
    this.#taken?.();
    this.#answers = { ...this.#answers, ...taken };
    const open = [...asks].filter(([name]) => !Object.hasOwn(this.#answers, name));
    if (open.length === 0) return true;
    const asking = new Asking(this.#stage, this.asked, {
      open: open.map(([name, ask]) => ({ name, ...ask, params: this.#rendered(ask.params) })),
      progress: {
        turn: this.#turn?.id ?? "",
        step: this.#step,
        answers: this.#answers,
        nth: this.#nth,
        limited: this.#limited,
      },
      send: (bytes) => this.#stream.send(bytes),
    });
    if (asking.refusal) {
      this.#refuse(asking.refusal);
      return false;
    }
    this.#asking = asking;
    const inputRequired = asking.begin((answers) => {
      this.#asking = undefined;
      this.#answers = { ...this.#answers, ...answers };
      if (!this.#over) this.#next();
    });
    if (inputRequired) this.#send(resultBytes(this.asked.id, this.#whole(inputRequired)));
    return false;
  }

  #refuse(refusal: Exclude<Asking["refusal"], undefined>): void {
    if ("miss" in refusal) return this.#miss({ reason: "unfit", why: refusal.miss });
    this.#send(errorBytes(this.asked.id, refusal.error));
  }

  #outcome(outcome: Outcome): void {
    if (this.#notified && outcome.kind !== "hang") {
      this.#notified = false;
      const { apart } = this.#stage.host;
      this.#wait(APART, () => this.#guard(() => this.#outcome(outcome)), apart);
      return;
    }
    switch (outcome.kind) {
      case "hang":
        return this.#stage.host.rests?.(this.asked.id);
      case "replies":
        return this.#choose(outcome.replies, this.#answers, "/answers");
      case "handler":
        return called(outcome.answer, { scope: this.#scope(), asked: this.asked }, (turn) => {
          if (this.#over) return;
          if (typeof turn === "string") return this.#miss({ reason: "unfit", why: turn });
          this.#stage.remember(turn);
          this.#begin(turn);
        });
      case "error":
        return this.#settle(errorBytes(this.asked.id, this.#rendered(outcome.error)));
      case "generate":
        return this.#result(this.#generated(), false);
      case "result":
        return this.#result(this.#rendered(outcome.result), outcome.whole);
    }
  }

  #generated(): JsonObject {
    const { scenario } = this.#stage;
    const seed = `${scenario.seed} ${this.asked.label} ${jsonText(this.#subject.args)} ${this.#nth}`;
    return { structuredContent: generated(this.#subject.outputSchema ?? true, seed) };
  }

  #result(result: JsonObject, whole: boolean): void {
    const { checker } = this.#stage;
    const problem = checker && this.#subject.problem?.(result, checker);
    if (problem !== undefined) {
      return this.#miss({
        reason: "unfit",
        why: `The reply to ${this.asked.label} cannot be given: ${problem}.`,
      });
    }
    this.#settle(resultBytes(this.asked.id, this.#whole(whole ? result : this.#subject.finish(result))));
  }

  #whole(result: JsonObject): JsonObject {
    const cached = this.#subject.cached && result.resultType === undefined;
    return asResult(result, this.asked.client.revision, { scenario: this.#stage.scenario, cached });
  }

  #settle(bytes: Uint8Array): void {
    const set = this.#turn?.set;
    if (set) this.#stage.world.set(renderObject(set, this.#scope()));
    this.#send(bytes);
    this.#stage.answered(this.asked);
  }

  #send(bytes: Uint8Array): void {
    this.#over = true;
    this.#stream.send(bytes);
  }

  #miss(unanswered: Omit<Unanswered, "asked" | "about">): void {
    const error = this.#stage.missed({ ...unanswered, asked: this.asked, about: this.#subject.about });
    this.#send(errorBytes(this.asked.id, error));
  }

  #rendered(value: JsonObject): JsonObject {
    return renderObject(value, this.#scope());
  }

  #scope(): Scope {
    const { state } = this.#stage.world;
    return scopeOf(this.asked, { args: this.#subject.args, answers: this.#answers, state, nth: this.#nth });
  }
}
