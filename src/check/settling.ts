import { Correlator } from "../exchange/correlator.ts";
import type { Entry, Header } from "../exchange/entry.ts";
import { type Exchange, isSettled } from "../exchange/exchange.ts";
import type { Report } from "./finding.ts";

/** Finds requests whose end the recording does not tell: no answer, no cancellation, no broken connection. */
export class Settling {
  readonly #exchanges = new Set<Exchange>();
  readonly #correlator: Correlator;
  readonly #report: Report;
  #entries = 0;

  constructor(header: Header, report: Report) {
    this.#report = report;
    this.#correlator = new Correlator({
      sharedStream: header.source.transport === "stdio",
      onExchange: (exchange) => this.#began(exchange),
      onSameId: (later, earlier) => this.#sameId(later, earlier),
    });
  }

  add(entry: Entry, ordinal: number): void {
    this.#entries++;
    this.#correlator.add(entry, ordinal);
    // What is settled is let go of now and then, so that long recordings take little memory.
    if (this.#entries % 4096 === 0) for (const each of this.#exchanges) this.#letGo(each);
  }

  finish(): void {
    this.#correlator.finish();
    if (this.#entries === 0) {
      this.#report({ rule: "empty", ordinal: -1, path: [], message: "the cassette holds no entries" });
    }
    for (const exchange of this.#exchanges) {
      if (!isSettled(exchange))
        this.#unanswered(exchange.entry, `${exchange.method} is asked, and never answered`);
      else if (isUnansweredAsk(exchange)) {
        const ask = exchange.steps.findLast(({ role }) => role === "ask");
        this.#unanswered(ask?.entry ?? exchange.entry, "the server asks, and the client never answers");
      }
    }
  }

  #began(exchange: Exchange): void {
    if (exchange.kind === "request") this.#exchanges.add(exchange);
  }

  #letGo(exchange: Exchange): void {
    if (isSettled(exchange) && !isUnansweredAsk(exchange)) this.#exchanges.delete(exchange);
  }

  #unanswered(ordinal: number, message: string): void {
    this.#report({
      rule: "unanswered",
      ordinal,
      path: [],
      message,
      hint: "Record it again, cancel it (notifications/cancelled), end the connection (closed:), or delete the entry.",
    });
  }

  #sameId(later: Exchange, earlier: Exchange): void {
    this.#report({
      rule: "same-id",
      ordinal: later.entry,
      path: [],
      message: `the request with id ${later.id} is asked while entry ${earlier.entry + 1}, with the same id, waits for its answer`,
      hint: "Give one of the two, and its answer, another id.",
    });
  }
}

/** The exchange went well, and yet a request of the server within it was left without an answer. */
function isUnansweredAsk({ steps }: Exchange): boolean {
  if (
    !steps.some(({ role }) => role === "outcome") ||
    steps.some(({ role }) => role === "cancel" || role === "crash")
  )
    return false;
  const asks = steps.filter(({ role }) => role === "ask");
  return asks.some(({ id }) => !steps.some((step) => step.role === "reply" && step.id === id));
}
