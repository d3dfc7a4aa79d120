import { tokenAt } from "../exchange/token.ts";
import { memberAt } from "../protocol/member.ts";
import {
  eachMessage,
  type IdToken,
  type JsonObject,
  type JsonValue,
  jsonOf,
  type Message,
} from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";
import { Composer } from "./composer.ts";
import type { DriverOptions, Via } from "./driver-options.ts";
import { type Begin, Ended, errorOf, type Move, type Outcome, type Refusal } from "./move.ts";

interface Waiting {
  readonly method: string;
  readonly stopTimer: () => void;
  /** Of what was begun; otherwise the course waits for it. */
  readonly settled: Begin["settled"] | undefined;
  /** A subscription that was acknowledged: the course has gone on. */
  open: boolean;
}

/** Cancelling these is forbidden (2025-11-25 basic/utilities/cancellation), or asks too much of a server of the other era. */
const NEVER_CANCELLED: ReadonlySet<string> = new Set(["initialize", "server/discover"]);

type Beginning = Omit<Begin, "type" | "settled"> & { readonly settled?: Begin["settled"] | undefined };

const LATER = undefined;
const DONE: Outcome = { kind: "done" };

/**
 * A client of MCP as a state machine: follows a course, says what is to be sent, and takes what came. It knows both
 * eras and no socket, process or clock; a link carries out its actions and tells what happens.
 */
export class Driver<Result> {
  readonly #options: DriverOptions<Result>;
  readonly #composer: Composer;
  readonly #waiting = new Map<IdToken, Waiting>();
  #stopWaiting: (() => void) | undefined;
  #until: (() => boolean) | undefined;
  /** A move is being carried out: what comes of it at once is kept for its end. */
  #performing = false;
  #early: Outcome | undefined;
  #closed: string | undefined;
  #ended = false;

  constructor(options: DriverOptions<Result>) {
    this.#options = options;
    this.#composer = new Composer(options.client);
  }

  start(): void {
    this.#go(() => this.#options.course.next());
  }

  /** A message of the server, or a batch of them. */
  receive(message: Message, via: Via = {}): void {
    for (const one of eachMessage(message)) {
      if (this.#ended) return;
      if (one.kind === "response") this.#answered(one, via);
      else if (one.kind === "request") this.#asked(one);
      else if (one.kind === "notification") this.#notified(one);
      this.look();
    }
  }

  /** What a course watches for may have come about. */
  look(): void {
    if (!this.#until?.()) return;
    this.#stopWaiting?.();
    this.#until = undefined;
    this.#resume(DONE);
  }

  /** A request will get no answer; of a notification or an answer of ours, without an id: it was not taken. */
  refused(id: IdToken | undefined, refusal: Refusal): void {
    if (id === undefined) this.#options.onNote(`a message of ours was not taken: ${refusal.reason}`);
    else this.#settle(id, { kind: "refused", ...refusal });
  }

  /** The move to the HTTP+SSE pair is over. */
  paired(refusal: Refusal | undefined): void {
    this.#resume(refusal ? { kind: "refused", ...refusal } : DONE);
  }

  /** Nothing more will come, or is wanted. */
  close(reason: string): void {
    if (this.#ended || this.#closed !== undefined) return;
    this.#closed = reason;
    this.#stopTimers();
    this.#go(() => this.#options.course.throw(new Ended(reason)));
  }

  #go(first: () => IteratorResult<Move, Result>): void {
    for (let next = first; ; ) {
      let step: IteratorResult<Move, Result>;
      try {
        step = next();
      } catch (error) {
        return this.#end({ error });
      }
      if (step.done) return this.#end({ result: step.value });
      const closed = this.#closed;
      if (closed !== undefined) {
        next = () => this.#options.course.throw(new Ended(closed));
        continue;
      }
      const outcome = this.#perform(step.value);
      if (outcome === LATER) return;
      next = () => this.#options.course.next(outcome);
    }
  }

  #perform(move: Move): Outcome | undefined {
    this.#performing = true;
    this.#early = undefined;
    const outcome = this.#carryOut(move);
    this.#performing = false;
    return outcome ?? this.#early;
  }

  #carryOut(move: Move): Outcome | undefined {
    switch (move.type) {
      case "ask":
        this.#begin({ ...move, compose: (id) => this.#composer.request(Number(id), move) });
        return LATER;
      case "begin":
        return { kind: "begun", id: this.#begin(move) };
      case "notify":
        this.#send(this.#composer.notification(move.method, move.params));
        return DONE;
      case "send":
        this.#send(move.message);
        return DONE;
      case "watch":
        return this.#watch(move);
      case "wait":
        this.#stopWaiting = this.#options.timer(move.ms, () => this.#resume(DONE));
        return LATER;
      case "stop":
        this.#giveUp(move.id, move.reason);
        return DONE;
      case "speak":
        this.#composer.speech = move;
        return DONE;
      case "logLevel":
        this.#composer.logLevel = move.level;
        return DONE;
      case "standalone":
        this.#options.act(move);
        return DONE;
      case "pair":
        this.#options.act(move);
        return LATER;
    }
  }

  #begin({ method, compose, timeout, settled }: Beginning): IdToken {
    const message = compose(String(this.#composer.nextId()));
    const id = message.id as IdToken;
    const stopTimer = this.#options.timer(timeout, () => this.#timedOut(id, timeout));
    this.#waiting.set(id, { method, stopTimer, settled, open: false });
    this.#send(message);
    return id;
  }

  #watch({ until, ms }: Extract<Move, { type: "watch" }>): Outcome | undefined {
    if (until()) return DONE;
    this.#until = until;
    const over = () => {
      this.#until = undefined;
      this.#resume({ kind: "timeout", ms: ms ?? 0 });
    };
    this.#stopWaiting = ms === undefined ? undefined : this.#options.timer(ms, over);
    return LATER;
  }

  #send(message: Message): void {
    this.#options.act({ type: "send", message, headers: this.#composer.headers(message) });
  }

  #timedOut(id: IdToken, ms: number): void {
    const waiting = this.#waiting.get(id);
    if (NEVER_CANCELLED.has(waiting?.method ?? "")) this.#waiting.delete(id);
    else this.#giveUp(id, `no answer within ${ms} ms`);
    this.#tell(waiting, { kind: "timeout", ms });
  }

  /** Whoever asked is told. */
  #tell(waiting: Waiting | undefined, outcome: Outcome, message?: Message): void {
    if (!waiting?.settled) return this.#resume(outcome);
    waiting.settled(outcome, message);
    this.look();
  }

  /** Cancels a request as its era and transport have it. */
  #giveUp(id: IdToken, reason?: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    waiting.stopTimer();
    this.#waiting.delete(id);
    const byStream = this.#composer.era === "modern" && this.#options.door === "http";
    if (byStream) this.#options.act({ type: "abandon", id });
    else this.#send(this.#composer.cancellation(id, reason));
  }

  #answered(message: Message, { on, status }: Via): void {
    // An error may lack the id of a request that the server could not read.
    const id = message.id === undefined || message.id === "null" ? on : message.id;
    if (id === undefined) return;
    const { result, error } = jsonOf(message) as JsonObject;
    const method = this.#waiting.get(id)?.method;
    if (error !== undefined) this.#settle(id, { kind: "error", error: errorOf(error), status }, message);
    else {
      if (method === "tools/list") this.#composer.learnTools(result);
      this.#settle(id, { kind: "result", result: isObject(result) ? result : {} }, message);
    }
  }

  #settle(id: IdToken, outcome: Outcome, message?: Message): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    waiting.stopTimer();
    this.#waiting.delete(id);
    if (!waiting.open || waiting.settled) this.#tell(waiting, outcome, message);
    else if (outcome.kind !== "result")
      this.#options.onNote("a subscription ended without a word of the server");
  }

  #asked(message: Message): void {
    const method = message.method as string;
    if (this.#composer.era === "modern") {
      this.#options.onNote(
        `the server sent a request, ${method}, which the modern era has none of; not answered`,
      );
      return;
    }
    this.#options.onHeard?.(message);
    const reply = this.#options.replyTo?.(message);
    if (reply !== undefined) {
      if (reply !== "none") this.#send(reply);
      return;
    }
    const params = memberAt(jsonOf(message), "params");
    const answer = method === "ping" ? { result: {} } : this.#options.answers.answer(method, params);
    if (!answer) this.#options.onNote(`the server asked ${method}, and the drive has no answer for it`);
    this.#send(this.#composer.response(message, answer));
  }

  #notified(message: Message): void {
    this.#options.onHeard?.(message);
    if (message.method !== "notifications/subscriptions/acknowledged") return;
    const id = tokenAt(message, ["params", "_meta", META.subscriptionId]);
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (!waiting || id === undefined || waiting.open) return;
    waiting.open = true;
    waiting.stopTimer();
    if (!waiting.settled) this.#resume({ kind: "open", id });
  }

  #resume(outcome: Outcome): void {
    if (this.#ended || this.#closed !== undefined) return;
    if (this.#performing) this.#early = outcome;
    else this.#go(() => this.#options.course.next(outcome));
  }

  #stopTimers(): void {
    this.#stopWaiting?.();
    for (const { stopTimer } of this.#waiting.values()) stopTimer();
  }

  #end(end: { readonly result: Result } | { readonly error: unknown }): void {
    if (this.#ended) return;
    if (this.#closed === undefined) for (const id of [...this.#waiting.keys()]) this.#giveUp(id);
    this.#stopTimers();
    this.#ended = true;
    this.#options.onEnd(end);
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
