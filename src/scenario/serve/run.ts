import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import type { Outcome, Step, TaskPlan, Turn } from "../model.ts";
import { render, renderObject, type Scope } from "../template.ts";
import { GENERATED, taskStepOf } from "../turns.ts";
import { type Asked, scopeOf } from "./asked.ts";
import type { Refusal } from "./asking.ts";
import { called } from "./call-handler.ts";
import { delayOf } from "./delay.ts";
import { APART, DirectWay } from "./direct-way.ts";
import { Inputs } from "./inputs.ts";
import { absenceWords, noTimeWords, type Unanswered } from "./miss.ts";
import type { Progress } from "./request-state.ts";
import { type Answered, finished, madeUp, whole } from "./results.ts";
import type { Brought } from "./resumptions.ts";
import type { Settled } from "./settled.ts";
import type { Stage } from "./stage.ts";
import type { Subject } from "./subject.ts";
import { type Telling, tellingOf } from "./told.ts";
import type { Underway, Way } from "./way.ts";

/** A request on its way to its answer. */
export class Run implements Underway {
  readonly asked: Asked;
  readonly #stage: Stage;
  readonly #subject: Subject;
  #way: Way;
  #isTask = false;
  #turn: Turn | undefined;
  #step = 0;
  #nth = 0;
  /** A reply that answers so often and no more is on the way to this answer. */
  #limited = false;
  readonly #inputs = new Inputs();
  #callOff: (() => void) | undefined;
  /** The last thing that was sent for it is a notification. */
  #notified = false;
  #over = false;

  constructor(stage: Stage, asked: Asked, subject: Subject) {
    this.#stage = stage;
    this.asked = asked;
    this.#subject = subject;
    this.#way = new DirectWay(stage, asked);
  }

  /** Nothing more is sent for it. */
  get over(): boolean {
    return this.#over;
  }

  /** Goes on where an earlier request asked for something, or begins; either with what the client brings along. */
  go(brought: Brought): void {
    this.#inputs.bring(brought);
    if (brought.progress) this.#resume(brought.progress);
    else this.start();
  }

  start(): void {
    const { about, args, pointer, outputSchema, refused, task } = this.#subject;
    if (refused) {
      if (task === "asked") this.#beginTask(undefined);
      return this.#settle({ result: whole(refused, this.#answered) });
    }
    this.#guard(() => {
      if (about.replies) this.#choose(about.replies, args, pointer);
      else if (outputSchema !== undefined) this.#begin(GENERATED);
      else this.#miss({ reason: "unwritten", why: `Nothing is written that answers ${this.asked.label}.` });
    });
  }

  #resume({ turn, step, nth, limited }: Progress): void {
    this.#limited = limited;
    this.#turn = this.#stage.turn(turn);
    this.#step = step;
    this.#nth = nth;
    if (this.#turn?.steps[step]?.kind === "ask") return this.#next();
    this.#miss({ reason: "unfit", why: "The request was begun with another server, which is gone." });
  }

  /** The client gave it up. */
  cancel(): void {
    this.#over = true;
    this.#callOff?.();
    this.#way.cancel();
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
    // Under another reply, what is chosen by are the client's answers.
    const answers = this.#turn && this.#inputs.answers;
    this.#miss({ reason: "unwritten", why, refusals: chosen, used: world.used(replies), answers });
  }

  #begin(turn: Turn): void {
    this.#turn = turn;
    this.#step = 0;
    this.#guard(() => {
      const { task } = this.#subject;
      const written = taskStepOf(turn);
      // Who asks for a task gets one at once; else it begins where that is written, or with the reply.
      if (task === "asked" || (task === "offered" && turn.task && !written)) this.#beginTask(written);
      this.#way.begin(turn);
    });
    if (!this.#over) this.#next();
  }

  #beginTask(plan: TaskPlan | undefined): void {
    if (this.#isTask) return;
    this.#isTask = true;
    this.#notified = false;
    this.#way = this.#stage.beginTask(this, {
      ...plan,
      message: plan?.message === undefined ? undefined : String(render(plan.message, this.#scope())),
      meta: plan?.meta && this.#rendered(plan.meta),
    });
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
    if (telling) return this.#tell(telling);
    switch (step.kind) {
      case "delay":
        return this.#delay(step.ms);
      case "ask":
        return this.#ask(step.asks);
      case "effect":
        this.#stage.perform(step.effect, this.#scope());
        return true;
      case "cut":
        this.#way.cut(step.retry);
        return true;
      case "status":
        this.#way.status(() => String(render(step.message, this.#scope())));
        return true;
      case "task":
        if (this.#subject.task === "offered") this.#beginTask(step.plan);
        return true;
      default:
        return true;
    }
  }

  /** False where the client cannot be told. */
  #tell(telling: Telling): boolean {
    const told = this.#way.tell(telling, (params) => this.#rendered(params));
    if (typeof told === "string") return this.#refuse({ miss: told });
    this.#notified ||= told;
    return true;
  }

  #delay(time: number | string): false {
    const ms = delayOf(time, this.#scope());
    const next = () => {
      this.#step++;
      this.#next();
    };
    if (typeof ms === "number") return this.#wait(ms, next);
    return this.#refuse({ miss: noTimeWords(ms, this.asked.label) });
  }

  #wait(ms: number, then: () => void, timer = this.#stage.host.timer): false {
    this.#callOff = timer(ms, () => {
      this.#way.waited(ms);
      if (!this.#over) then();
    });
    return false;
  }

  #refuse(refusal: Refusal): false {
    if ("miss" in refusal) this.#miss({ reason: "unfit", why: refusal.miss });
    else this.#settle(refusal);
    return false;
  }

  #ask(asks: Extract<Step, { kind: "ask" }>["asks"]): boolean {
    const given = { asked: this.asked, checker: this.#stage.checker };
    const open = this.#inputs.open(asks, { ...given, rendered: (params) => this.#rendered(params) });
    if ("refusal" in open) return this.#refuse(open.refusal);
    const { questions } = open;
    if (questions.length === 0) return true;
    const waits = this.#way.ask(questions, this.#progress, (answers) =>
      this.#guard(() => {
        const refusal = this.#inputs.add(answers, questions, given);
        if (refusal) this.#refuse(refusal);
        else if (!this.#over) this.#next();
      }),
    );
    this.#over ||= !waits;
    return false;
  }

  get #progress(): Progress {
    const turn = this.#turn?.id ?? "";
    return { turn, step: this.#step, answers: this.#inputs.answers, nth: this.#nth, limited: this.#limited };
  }

  #outcome(outcome: Outcome): void {
    if (this.#notified && outcome.kind !== "hang") {
      this.#notified = false;
      this.#wait(APART, () => this.#guard(() => this.#outcome(outcome)), this.#stage.host.apart);
      return;
    }
    switch (outcome.kind) {
      case "hang":
        return this.#way.rest();
      case "replies":
        return this.#choose(outcome.replies, this.#inputs.answers, "/answers");
      case "handler":
        return called(outcome.answer, { scope: this.#scope(), asked: this.asked }, (returned) => {
          if (this.#over) return;
          if (typeof returned === "string") return this.#miss({ reason: "unfit", why: returned });
          const turn = { ...returned, place: this.#turn?.place };
          this.#stage.remember(turn);
          this.#begin(turn);
        });
      case "error":
        return this.#answer({ error: this.#rendered(outcome.error) });
      case "generate":
        return this.#result(madeUp(this.#nth, this.#answered), false);
      case "result":
        return this.#result(this.#rendered(outcome.result), outcome.whole);
    }
  }

  #result(result: JsonObject | string, isWhole: boolean): void {
    const done = typeof result === "string" ? result : finished(result, isWhole, this.#answered);
    if (typeof done !== "string") return this.#answer({ result: done });
    this.#miss({ reason: "unfit", why: `The reply to ${this.asked.label} ${done}` });
  }

  /** What the turn comes to, with what it leaves in the state. */
  #answer(outcome: Settled): void {
    const { set } = this.#turn ?? {};
    if (set) this.#stage.world.set(this.#rendered(set));
    this.#settle(outcome);
    if (!this.#isTask) this.#stage.answered(this.asked);
  }

  #settle(outcome: Settled): void {
    this.#over = true;
    this.#way.settle(outcome);
  }

  #miss(unanswered: Omit<Unanswered, "asked" | "about" | "place">): void {
    const told = { ...unanswered, asked: this.asked, about: this.#subject.about, place: this.#turn?.place };
    this.#settle({ error: this.#stage.missed(told) });
  }

  #rendered(value: JsonObject): JsonObject {
    return renderObject(value, this.#scope());
  }

  get #answered(): Answered {
    return { stage: this.#stage, asked: this.asked, subject: this.#subject };
  }

  #scope(): Scope {
    const { state } = this.#stage.world;
    return scopeOf(this.asked, {
      args: this.#subject.args,
      answers: this.#inputs.answers,
      state,
      nth: this.#nth,
    });
  }
}
