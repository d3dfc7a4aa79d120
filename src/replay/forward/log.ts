import type { JsonValue } from "../../protocol/message.ts";

/**
 * `answered`   by a result or an error of the server
 * `cancelled`  the client gave up
 * `failed`     the server could not be reached, or ended before it answered
 * `unanswered` the client left before
 */
export type ForwardOutcome = "answered" | "cancelled" | "failed" | "unanswered";

/** A request that was asked of the real server. */
export interface Forwarded {
  readonly label: string;
  readonly asked: JsonValue;
  readonly outcome: ForwardOutcome;
  /** It is in the cassette now. */
  readonly appended: boolean;
  /** Of `failed`. */
  readonly reason?: string | undefined;
}

/** A forwarded request while it is under way. */
export interface Underway {
  /** It waits for an answer of the client's. */
  waits(asks: boolean): void;
  end(outcome: ForwardOutcome, more?: { readonly appended?: boolean; readonly reason?: string }): void;
}

/** All requests that were asked of the real server, for the report. */
export class ForwardLog {
  readonly #all: Forwarded[] = [];
  /** Those under way that the client keeps nobody waiting for. */
  readonly #moving = new Set<number>();
  readonly #onSettled: (() => void)[] = [];
  readonly #onEnd: (() => void)[] = [];

  begin(label: string, asked: JsonValue): Underway {
    const index = this.#all.push({ label, asked, outcome: "unanswered", appended: false }) - 1;
    let over = false;
    this.#moving.add(index);
    return {
      waits: (asks) => {
        if (asks) this.#rest(index);
        else if (!over) this.#moving.add(index);
      },
      end: (outcome, { appended = false, reason } = {}) => {
        over = true;
        this.#all[index] = { label, asked, outcome, appended, ...(reason === undefined ? {} : { reason }) };
        this.#rest(index);
        for (const resolve of this.#onEnd.splice(0)) resolve();
      },
    };
  }

  get all(): readonly Forwarded[] {
    return this.#all;
  }

  /** Resolves when nothing more comes from the server but what a client would have to ask or answer for. */
  settled(): Promise<void> {
    if (this.#moving.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onSettled.push(resolve));
  }

  /** Resolves when the next request comes to its end. */
  nextEnd(): Promise<void> {
    return new Promise((resolve) => this.#onEnd.push(resolve));
  }

  #rest(index: number): void {
    this.#moving.delete(index);
    if (this.#moving.size === 0) for (const resolve of this.#onSettled.splice(0)) resolve();
  }
}
