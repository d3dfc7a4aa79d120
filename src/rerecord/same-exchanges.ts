import type { Exchange, Step } from "../exchange/exchange.ts";
import type { Outline } from "./outline.ts";
import { NONE } from "./pairing.ts";

/**
 * Whether a recording's entries, in another order, make the same exchanges: each question with the same answer and all
 * that belongs to it in the same order, and equal questions one after the other as before. What belongs to no exchange
 * may come elsewhere.
 * @param ordinals of the recording, in the other order
 * @param exchanges that were found there
 */
export function hasSameExchanges(
  fresh: Outline,
  ordinals: readonly number[],
  exchanges: readonly Exchange[],
): boolean {
  if (exchanges.length !== fresh.exchanges.length) return false;
  const ordinalAt = (place: number) => ordinals[place] as number;
  const found = new Map(exchanges.map((other) => [`${ordinalAt(other.entry)} ${other.item}`, other]));
  const asked = new Map<string, number>();
  const own = new Steps(fresh);
  return fresh.exchanges.every(({ exchange, question: hash }) => {
    const other = found.get(`${exchange.entry} ${exchange.item}`);
    if (!other || other.kind !== exchange.kind || other.method !== exchange.method) return false;
    const question = `${exchange.session} ${hash}`;
    const before = asked.get(question) ?? -1;
    asked.set(question, other.entry);
    const stay = (ordinal: number) => ordinal;
    return before <= other.entry && own.text(exchange, stay) === own.text(other, ordinalAt);
  });
}

/** The steps of exchanges as texts to be compared. */
class Steps {
  readonly #homes: ArrayLike<number>;

  constructor({ homes }: Outline) {
    this.#homes = homes;
  }

  text({ steps }: Exchange, ordinalOf: (entry: number) => number): string {
    const lines: string[][] = [];
    let last: string | undefined;
    for (const step of steps) {
      const ordinal = ordinalOf(step.entry);
      if (this.#isApart(step, ordinal)) continue;
      const { role, item, progress } = step;
      const line = `${role} ${ordinal} ${item}${progress ? " progress" : ""}`;
      // Questions asked one after the other, and answers likewise, have no order among themselves.
      if (role === last && (role === "ask" || role === "reply")) lines.at(-1)?.push(line);
      else lines.push([line]);
      last = role;
    }
    return lines.map((run) => run.sort().join()).join("\n");
  }

  #isApart({ role, listener }: Step, ordinal: number): boolean {
    return listener !== undefined || (role !== "crash" && this.#homes[ordinal] === NONE);
  }
}

/**
 * Whether connections that followed one another, and were answered differently to one question, still do: a client that
 * could stand for either is answered from the first.
 */
export function keepsOrderOfSessions(fresh: Outline, numberOf: (session: number) => number): boolean {
  const spans = spansOf(fresh);
  const order = [...spans.keys()].sort((a, b) => a - b);
  let answers: ReadonlyMap<number, ReadonlyMap<string, number>> | undefined;
  for (const [index, later] of order.entries()) {
    for (const earlier of order.slice(0, index)) {
      if (numberOf(earlier) < numberOf(later)) continue;
      if ((spans.get(earlier)?.last ?? 0) > (spans.get(later)?.first ?? 0)) continue;
      answers ??= answersOf(fresh);
      if (differ(answers.get(earlier), answers.get(later))) return false;
    }
  }
  return true;
}

function spansOf({ sessions }: Outline): Map<number, { first: number; last: number }> {
  const spans = new Map<number, { first: number; last: number }>();
  for (const [ordinal, session] of sessions.entries()) {
    const span = spans.get(session);
    if (span) span.last = ordinal;
    else spans.set(session, { first: ordinal, last: ordinal });
  }
  return spans;
}

/** Of each connection: what each question led to, as one number. */
function answersOf(outline: Outline): Map<number, Map<string, number>> {
  const all = new Map<number, Map<string, number>>();
  for (const outlined of outline.exchanges) {
    const { exchange, question } = outlined;
    const answers = all.get(exchange.session) ?? new Map<string, number>();
    all.set(exchange.session, answers);
    let sum = answers.get(question) ?? 0;
    for (const ordinal of outline.entriesOf(outlined)) {
      sum = (sum * 31 + (outline.says[ordinal] as number)) % 2 ** 48;
    }
    answers.set(question, sum);
  }
  return all;
}

function differ(
  a: ReadonlyMap<string, number> | undefined,
  b: ReadonlyMap<string, number> | undefined,
): boolean {
  return [...(a ?? [])].some(([question, sum]) => b?.has(question) && b.get(question) !== sum);
}
