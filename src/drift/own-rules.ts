import { nearestWord } from "../cassette/fault.ts";
import { eachMessage, type JsonValue, readMessage } from "../protocol/message.ts";
import { paramsOf } from "../replay/key.ts";
import { type Loosening, namesOf, type Rules } from "../replay/rules.ts";
import { unfit } from "../replay/unfit-places.ts";
import { answeredIn } from "./answer.ts";
import type { Side } from "./side.ts";

/**
 * What may differ in answers, and in what the server says and asks besides, by the configuration: rules as for requests,
 * whose places are pointers into the answer. Knows which of them found nothing that they could be for.
 */
export class OwnRules {
  readonly #rules: Rules;
  readonly #names = new Set<string>();
  readonly #values = new Map<string, JsonValue[]>();
  readonly #leftOut = new Set<string>();
  #passed = false;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /** Undefined where none is for it. */
  for(method: string | undefined, params: JsonValue | undefined): Loosening | undefined {
    return method === undefined ? undefined : this.#rules.for(method, params);
  }

  /** Takes in what a recording holds, for `notes`. */
  look(side: Side): void {
    if (Object.keys(this.#rules.source).length === 0) return;
    for (const { exchange } of side.outline.exchanges) {
      if (exchange.method === undefined) continue;
      const names = namesOf(exchange.method, paramsOf(side.messageAt(exchange)));
      for (const name of names) this.#names.add(name);
      if (!this.#rules.concern(exchange.method)) continue;
      const { answer } = answeredIn(side, exchange);
      const value = "result" in answer ? answer.result : "error" in answer ? answer.error : undefined;
      for (const name of names) this.#add(name, value);
    }
    for (let ordinal = 0; ordinal < side.outline.count; ordinal++) {
      const { from, body } = side.entryAt(ordinal);
      if (from !== "server" || !body) continue;
      for (const message of eachMessage(readMessage(body.bytes))) {
        if (message.method === undefined) continue;
        const params = paramsOf(message);
        for (const name of namesOf(message.method, params)) this.#add(name, params);
      }
    }
  }

  /** Takes in that a recording was not looked into, which any rule may be for. */
  pass(): void {
    this.#passed = true;
  }

  /** Takes in that a request was not made again. */
  leaveOut(method: string | undefined, params: JsonValue | undefined): void {
    if (method === undefined) return;
    for (const name of namesOf(method, params)) this.#leftOut.add(name);
  }

  #add(name: string, value: JsonValue | undefined): void {
    this.#names.add(name);
    if (!Object.hasOwn(this.#rules.source, name) || value === undefined) return;
    const values = this.#values.get(name);
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }

  /** Sentences on rules and places that most likely are misspelt. */
  notes(): string[] {
    if (this.#passed) return [];
    return Object.entries(this.#rules.source).flatMap(([name, rule]) => {
      const of = `${this.#rules.origin}: drift.match[${JSON.stringify(name)}]`;
      if (!this.#names.has(name) && this.#leftOut.has(name)) {
        return [`${of} is for what was not asked again, and therefore not compared.`];
      }
      if (!this.#names.has(name)) {
        return [`${of} is for nothing that was compared${didYouMean(nearestWord(name, [...this.#names]))}`];
      }
      const places = typeof rule === "function" ? [] : unfit(rule, this.#values.get(name) ?? []);
      return places.map(
        ({ place, meant }) => `${of}: nothing that was compared is at ${place}${didYouMean(meant)}`,
      );
    });
  }
}

function didYouMean(meant: string | undefined): string {
  return meant === undefined ? "." : `; did you mean ${JSON.stringify(meant)}?`;
}
