import type { Action } from "../../replay/action.ts";
import { isMessage, type Out, type Stage } from "../stage.ts";

/**
 * Ends the stream of an answer early, and goes on when the client comes back to it. Every event bears an id, and the
 * first one has nothing else, so that there is a place to come back to (2025-11-25 basic/transports, resumability).
 */
export class Cut implements Stage {
  readonly #out: Out;
  readonly #retry: number | undefined;
  #left: number;
  #begun = false;
  /** Undefined until it is cut, and after the client came back. */
  #rest: Action[] | undefined;

  constructor(out: Out, retry: number | undefined) {
    this.#out = out;
    this.#retry = retry;
    this.#left = out.afterEvents;
  }

  get held(): number {
    return this.#rest?.filter(isMessage).length ?? 0;
  }

  get holding(): boolean {
    return this.#rest !== undefined;
  }

  take(action: Action): void {
    if (this.#rest) {
      this.#rest.push(action);
      return;
    }
    this.#begin();
    if (this.#left === 0) {
      this.#cut();
      this.#rest = [action];
      return;
    }
    this.#pass(action);
    if (isMessage(action)) this.#left--;
  }

  resumed(): boolean {
    const rest = this.#rest;
    if (!rest) return false;
    this.#rest = undefined;
    this.#left = Number.POSITIVE_INFINITY;
    for (const action of rest) this.#pass(action);
    return true;
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#out.next({
      type: "event",
      on: this.#out.request.id,
      event: { id: this.#out.newEventId(), ...(this.#retry === undefined ? {} : { retry: this.#retry }) },
    });
  }

  #cut(): void {
    this.#out.struck();
    this.#out.next({ type: "end", on: this.#out.request.id });
  }

  #pass(action: Action): void {
    if (action.type !== "send" && action.type !== "outcome") return this.#out.next(action);
    this.#out.next({ ...action, event: { ...action.event, id: this.#out.newEventId() } });
  }
}
