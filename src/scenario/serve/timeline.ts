import { nameOf } from "../../protocol/methods.ts";
import type { Effect, Scenario, TimedEvent } from "../model.ts";
import type { Asked } from "./asked.ts";
import type { Host } from "./host.ts";
import { eventMiss } from "./miss.ts";

/** Lets happen what happens by itself, for one client. */
export class Timeline {
  readonly #scenario: Scenario;
  readonly #host: Host;
  readonly #perform: (effect: Effect) => void;
  readonly #counts = new Map<TimedEvent, number>();
  readonly #running = new Set<() => void>();
  /** Events that could not happen, which is told once. */
  readonly #failed = new Set<TimedEvent>();
  #began = false;

  constructor(scenario: Scenario, host: Host, perform: (effect: Effect) => void) {
    this.#scenario = scenario;
    this.#host = host;
    this.#perform = perform;
  }

  /** The client has come. */
  begin(): void {
    if (this.#began) return;
    this.#began = true;
    for (const event of this.#scenario.timeline) {
      const { trigger } = event;
      if (trigger.kind !== "after") this.#in(trigger.ms, event);
    }
  }

  answered({ method, params }: Pick<Asked, "method" | "params">): void {
    for (const event of this.#scenario.timeline) {
      const { trigger } = event;
      if (trigger.kind !== "after" || trigger.method !== method) continue;
      if (trigger.name !== undefined && trigger.name !== nameOf(method, params)) continue;
      const count = (this.#counts.get(event) ?? 0) + 1;
      this.#counts.set(event, count);
      if (count === trigger.times) this.#happen(event);
    }
  }

  end(): void {
    for (const callOff of this.#running) callOff();
    this.#running.clear();
  }

  #in(ms: number, event: TimedEvent): void {
    const callOff = this.#host.timer(ms, () => {
      this.#running.delete(callOff);
      this.#happen(event);
      if (event.trigger.kind === "every") this.#in(ms, event);
    });
    this.#running.add(callOff);
  }

  #happen(event: TimedEvent): void {
    try {
      for (const effect of event.effects) this.#perform(effect);
    } catch (error) {
      const { miss, explanation } = eventMiss(error, event, this.#scenario.origin);
      if (!this.#failed.has(event)) this.#host.miss(miss, explanation);
      this.#failed.add(event);
    }
  }
}
