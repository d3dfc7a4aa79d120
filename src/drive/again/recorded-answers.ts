import type { Exchange, Step } from "../../exchange/exchange.ts";
import { canonicalJson } from "../../protocol/canonical.ts";
import { memberAt } from "../../protocol/member.ts";
import { jsonOf, type Message } from "../../protocol/message.ts";
import type { Outline } from "../../rerecord/outline.ts";
import type { LiveNames } from "./live-names.ts";
import { messageAt } from "./places.ts";

/** A request of the recorded server, and what the client answered. */
interface RecordedAsk {
  readonly ask: Step;
  /** Undefined where it did not. */
  readonly reply: Step | undefined;
  readonly method: string | undefined;
  /** Equal for equal questions. */
  readonly text: string;
  used: boolean;
}

/** Answers the server's requests on one connection as the recorded client did. */
export class RecordedAnswers {
  readonly #names: LiveNames;
  readonly #asks: readonly RecordedAsk[];

  constructor(outline: Outline, names: LiveNames, session: number) {
    this.#names = names;
    this.#asks = outline.exchanges
      .filter(({ exchange }) => exchange.session === session)
      .flatMap(({ exchange }) => asksIn(outline, exchange))
      .sort((a, b) => a.ask.entry - b.ask.entry || a.ask.item - b.ask.item);
  }

  /**
   * What is answered to a request: what was to the first such question that was not asked yet, or else to the first of
   * its method, or the last one again. Undefined where its method was never asked.
   */
  replyTo(asked: Message): Message | "none" | undefined {
    if (asked.method === "ping") return undefined;
    const text = textOf(asked);
    const alike = this.#asks.filter(({ method }) => method === asked.method);
    const open = alike.filter(({ used }) => !used);
    const found = open.find((each) => each.text === text) ?? open[0] ?? alike.at(-1);
    if (!found) return undefined;
    found.used = true;
    this.#names.pair(found.ask, asked, asked.method);
    return found.reply ? this.#names.write(found.reply) : "none";
  }
}

function asksIn({ entries }: Outline, { steps }: Exchange): RecordedAsk[] {
  return steps
    .filter(({ role }) => role === "ask")
    .map((ask) => {
      const message = messageAt(entries, ask);
      const reply = steps.find((step) => step.role === "reply" && step.id === ask.id && isAfter(step, ask));
      return { ask, reply, method: message.method, text: textOf(message), used: false };
    });
}

function isAfter(reply: Step, ask: Step): boolean {
  return reply.after ? reply.after === ask : reply.entry > ask.entry;
}

function textOf(message: Message): string {
  const params = memberAt(jsonOf(message), "params");
  const { _meta, ...rest } = (typeof params === "object" && params !== null ? params : {}) as {
    _meta?: unknown;
  };
  return canonicalJson(rest);
}
