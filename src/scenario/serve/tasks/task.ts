import type { JsonObject } from "../../../protocol/message.ts";
import type { Era } from "../../../protocol/revisions.ts";
import { inputRequests, type Question } from "../question.ts";
import type { Settled } from "../settled.ts";

export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** What a task is told to be like. */
export interface TaskFacts {
  readonly id: string;
  readonly era: Era;
  /** Milliseconds from its beginning; null keeps it for good. */
  readonly ttl: number | null;
  /** Milliseconds. */
  readonly pollInterval: number | undefined;
  /** Milliseconds since 1970, as it is told. */
  readonly createdAt: number;
}

/** A request that goes on after its answer, as far as clients see it. */
export class Task {
  readonly facts: TaskFacts;
  message: string | undefined;
  #status: TaskStatus = "working";
  /** Milliseconds since it was created. */
  #age = 0;
  #updated = 0;
  #settled: Settled | undefined;
  /** What the client is to answer, by name. */
  readonly #open = new Map<string, Question>();
  readonly #watchers = new Set<() => void>();

  constructor(facts: TaskFacts, message: string | undefined) {
    this.facts = facts;
    this.message = message;
  }

  get status(): TaskStatus {
    return this.#status;
  }

  get isOver(): boolean {
    return this.#status === "completed" || this.#status === "failed" || this.#status === "cancelled";
  }

  get settled(): Settled | undefined {
    return this.#settled;
  }

  get open(): ReadonlyMap<string, Question> {
    return this.#open;
  }

  /**
   * So many milliseconds have passed. A task's times are those that its scenario spends, so that they are the same in
   * every run.
   */
  pass(ms: number): void {
    this.#age += ms;
  }

  /** Calls back at every change; returns what ends that. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  say(message: string): void {
    this.message = message;
    this.#changed();
  }

  ask(questions: readonly Question[]): void {
    for (const question of questions) this.#open.set(question.name, question);
    this.#become("input_required");
  }

  /** The client has answered these. */
  answered(names: Iterable<string>): void {
    for (const name of names) this.#open.delete(name);
    if (this.#open.size === 0) this.#become("working");
  }

  settle(status: "completed" | "failed", settled: Settled, message: string | undefined): void {
    this.#settled = settled;
    if (message !== undefined) this.message = message;
    this.#open.clear();
    this.#become(status);
  }

  cancel(): void {
    this.message = "The task was cancelled";
    this.#open.clear();
    this.#become("cancelled");
  }

  /** As results and notifications have it. */
  get told(): JsonObject {
    const { id, era, ttl, pollInterval, createdAt } = this.facts;
    const isLegacy = era === "legacy";
    return {
      taskId: id,
      status: this.#status,
      ...(this.message === undefined ? {} : { statusMessage: this.message }),
      createdAt: new Date(createdAt).toISOString(),
      lastUpdatedAt: new Date(createdAt + this.#updated).toISOString(),
      [isLegacy ? "ttl" : "ttlMs"]: ttl,
      ...(pollInterval === undefined ? {} : { [isLegacy ? "pollInterval" : "pollIntervalMs"]: pollInterval }),
    };
  }

  /** With what it wants or has come to, as the modern era has it (SEP-2663, DetailedTask). */
  get detailed(): JsonObject {
    const wanted = this.#open.size > 0 ? { inputRequests: inputRequests(this.#open.values()) } : {};
    return { ...this.told, ...wanted, ...(this.#settled as JsonObject | undefined) };
  }

  #become(status: TaskStatus): void {
    this.#status = status;
    this.#changed();
  }

  #changed(): void {
    this.#updated = this.#age;
    for (const onChange of [...this.#watchers]) onChange();
  }
}
