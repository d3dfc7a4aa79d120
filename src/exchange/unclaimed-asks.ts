import { addStep, type Exchange, type Step } from "./exchange.ts";
import type { OpenRequests } from "./open-requests.ts";

/** One request of the server, or several that one handler sent one after the other, with what became of them. */
export interface Unclaimed {
  /** Known in the end; the steps are there from then on. */
  home: Exchange | undefined;
  readonly steps: Step[];
  /** Entry of the first one: only exchanges begun before could have sent it. */
  readonly since: number;
  /** Open requests that could have sent it. */
  candidates: number;
  /** The client's notification that may have set it off, when no request did. */
  readonly trigger: Exchange | undefined;
  /** A candidate that the client cancelled meanwhile. */
  cancelled: Exchange | undefined;
  /** Requests of the server in it that are not replied to. */
  pending: number;
  /** How many requests had begun when the last reply came. */
  repliedAt: number;
  /** The last question turned out to be another exchange's, and goes on here. */
  rest?: Unclaimed;
}

export interface AskContext {
  readonly candidates: number;
  readonly trigger: Exchange | undefined;
  /** Requests begun so far on this connection. */
  readonly begun: number;
}

/**
 * Requests of the server that came on a stream which several open exchanges share: nothing on the wire says whose they
 * are, so it is read off what happens next. A handler goes on when its reply is there: the first exchange to be
 * answered after a reply is the one that had asked, and a request right after a reply is the same handler's. A handler
 * does not answer while its own question is open.
 */
export class UnclaimedAsks {
  readonly #asks = new Set<Unclaimed>();
  /** Those with all replies there, in the order of the last ones; the server has not reacted yet. */
  readonly #replied = new Set<Unclaimed>();

  ask(step: Step, { candidates, trigger, begun }: AskContext): Unclaimed {
    const [waiting] = this.#replied;
    if (waiting && waiting.repliedAt === begun) {
      this.#replied.delete(waiting);
      waiting.steps.push(step);
      waiting.pending += 1;
      return waiting;
    }
    const ask: Unclaimed = {
      home: undefined,
      steps: [step],
      since: step.entry,
      candidates,
      trigger,
      cancelled: undefined,
      pending: 1,
      repliedAt: 0,
    };
    this.#asks.add(ask);
    return ask;
  }

  /** The client replied, or the server took its request back. */
  closed(ask: Unclaimed, step: Step, begun: number): void {
    ask.steps.push(step);
    if (ask.pending > 0) ask.pending -= 1;
    if (ask.pending > 0) return;
    ask.repliedAt = begun;
    this.#replied.add(ask);
  }

  /** A request was answered; these are open still. */
  answered(exchange: Exchange, open: OpenRequests): void {
    if (this.#asks.size === 0) return;
    for (const ask of this.#replied) {
      if (exchange.entry >= ask.since) continue;
      this.#settle(ask, exchange);
      break;
    }
    // Some part while they are looked through.
    for (const ask of [...this.#asks]) {
      if (exchange.entry >= ask.since) continue;
      ask.candidates -= 1;
      if (ask.candidates === 0) this.#part(ask, ask.trigger ?? ask.cancelled ?? exchange, open);
      else if (ask.candidates === 1 && !ask.trigger && !ask.cancelled) {
        this.#part(ask, open.firstBefore(ask.since), open);
      }
    }
  }

  /** Nothing else could have asked; but a last question that is open still may be of one that began meanwhile. */
  #part(ask: Unclaimed, home: Exchange | undefined, open: OpenRequests): void {
    const pending = ask.pending > 0 ? ask.steps.findLastIndex(({ role }) => role === "ask") : 0;
    const steps = pending > 0 ? ask.steps.splice(pending) : [];
    const [first] = steps;
    this.#settle(ask, home);
    if (!first) return;
    const candidates = open.countBefore(first.entry);
    const rest: Unclaimed = { ...ask, home: undefined, steps, since: first.entry, candidates };
    ask.rest = rest;
    if (candidates === 0) this.#settle(rest, home);
    else if (candidates === 1) this.#settle(rest, open.firstBefore(first.entry));
    else this.#asks.add(rest);
  }

  /** The client gave a request up. Whether it had asked shows when the others are answered. */
  cancelled(exchange: Exchange): void {
    for (const ask of this.#asks) {
      if (exchange.entry >= ask.since) continue;
      ask.candidates -= 1;
      ask.cancelled = exchange;
      if (ask.candidates === 0) this.#settle(ask, ask.trigger ?? exchange);
    }
  }

  /** Nothing more comes that could tell. */
  finish(open: Iterable<Exchange>): void {
    for (const ask of [...this.#asks]) {
      let last = ask.cancelled ?? ask.trigger;
      for (const exchange of open) if (exchange.entry < ask.since) last = exchange;
      this.#settle(ask, last);
    }
  }

  #settle(ask: Unclaimed, home: Exchange | undefined): void {
    this.#asks.delete(ask);
    this.#replied.delete(ask);
    if (!home) return;
    ask.home = home;
    for (const step of ask.steps) addStep(home, step);
    home.steps.sort(inOrder);
  }
}

/** As they stand, but a reply after its question. */
function inOrder(a: Step, b: Step): number {
  const [one, other] = [a.after ?? a, b.after ?? b];
  return one.entry - other.entry || one.item - other.item || Number(!!a.after) - Number(!!b.after);
}
