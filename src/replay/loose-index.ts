import { VcrError } from "../errors.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { JsonValue, Message } from "../protocol/message.ts";
import { Candidates, type Recorded } from "./candidates.ts";
import { rekeyed } from "./full-key.ts";
import { looseKeyOf, paramsOf, questionOf } from "./key.ts";
import type { Recording } from "./recording.ts";
import { type Loosening, namesOf, type Rules } from "./rules.ts";
import { type UnfitPlace, unfit } from "./unfit-places.ts";

/** A place of a rule that nothing recorded has. */
export interface IdlePlace extends UnfitPlace {
  readonly rule: string;
}

/** A question as the recording's index knows it. */
export interface Keyed {
  readonly message: Message;
  /** Of the message alone. */
  readonly key: string;
  /** With what the way it came adds. */
  readonly fullKey: string;
}

/** The recorded requests that matching rules make the same question, by keys that leave out what the rules do. */
export class LooseIndex {
  readonly #recording: Recording;
  readonly #rules: Rules;
  #classes: ReadonlyMap<string, Candidates> | undefined;
  readonly #params = new WeakMap<Recorded, { readonly params: JsonValue }>();

  readonly #tell: ((notice: string) => void) | undefined;

  /** @param tell told of matching functions that fail */
  constructor(recording: Recording, rules: Rules, tell?: (notice: string) => void) {
    this.#tell = tell;
    this.#recording = recording;
    this.#rules = rules;
  }

  /** In wire order; undefined where rules make none the same question. */
  answersTo(asked: Keyed): Candidates | undefined {
    const { method } = asked.message;
    if (method === undefined || !this.#rules.concern(method)) return undefined;
    const params = paramsOf(asked.message);
    const loosening = this.#rules.for(method, params);
    const key =
      loosening && rekeyed(asked.fullKey, asked.key, looseKeyOf(asked.message, loosening.canonical));
    const alike = key === undefined ? undefined : this.#index().get(key);
    if (!alike || !loosening?.compares) return alike;
    const same = alike.all.filter((each) => this.#accepts(loosening, params ?? {}, each));
    if (same.length === alike.all.length) return alike;
    return same.length === 0 ? undefined : new Candidates(same);
  }

  /** Rules that are for nothing that was recorded, and all that they could be for. */
  idle(): { readonly rules: readonly string[]; readonly recorded: readonly string[] } {
    const known = this.#namesOf(this.#recording.exchanges.filter(({ exchange }) => this.#concern(exchange)));
    const rules = Object.keys(this.#rules.source).filter((name) => !known.has(name));
    return { rules, recorded: rules.length === 0 ? [] : [...this.#namesOf(this.#recording.exchanges)] };
  }

  /** Places of rules that are for something recorded, at which none of it has anything, as far as another one was meant. */
  idlePlaces(): readonly IdlePlace[] {
    const all = this.#recording.exchanges.filter(({ exchange }) => this.#concern(exchange));
    return Object.entries(this.#rules.source).flatMap(([rule, is]) => {
      if (typeof is === "function") return [];
      const asked = all
        .map((each) => this.#recording.at(each.exchange).message)
        .filter((message) => {
          return namesOf(message.method as string, paramsOf(message)).includes(rule);
        });
      return asked.length === 0
        ? []
        : unfit(
            is,
            asked.map((message) => paramsOf(message) ?? {}),
          ).map((place) => ({ rule, ...place }));
    });
  }

  #concern({ method }: Exchange): boolean {
    return method !== undefined && this.#rules.concern(method);
  }

  #namesOf(all: readonly Recorded[]): ReadonlySet<string> {
    const names = all.flatMap(({ exchange }) => {
      const { message } = this.#recording.at(exchange);
      return message.method === undefined ? [] : namesOf(message.method, paramsOf(message));
    });
    return new Set(names);
  }

  /** A function that fails is told of, and lets nothing answer. */
  #accepts(loosening: Loosening, params: JsonValue, recorded: Recorded): boolean {
    try {
      return loosening.accepts(params, this.#paramsOf(recorded));
    } catch (error) {
      if (!(error instanceof VcrError)) throw error;
      this.#tell?.(`${error.message}\n${error.hint}`);
      return false;
    }
  }

  #paramsOf(recorded: Recorded): JsonValue {
    let known = this.#params.get(recorded);
    if (!known) {
      known = { params: paramsOf(this.#recording.at(recorded.exchange).message) ?? {} };
      this.#params.set(recorded, known);
    }
    return known.params;
  }

  #index(): ReadonlyMap<string, Candidates> {
    this.#classes ??= this.#classified();
    return this.#classes;
  }

  /** Requests with equal keys have equal loose ones, so one of them tells for all. */
  #classified(): ReadonlyMap<string, Candidates> {
    const classes = new Map<string, Recorded[]>();
    for (const [fullKey, all] of this.#recording.byKey()) {
      const [first] = all;
      if (!first || !this.#concern(first.exchange)) continue;
      const { message } = this.#recording.at(first.exchange);
      const loosening = this.#rules.for(message.method as string, paramsOf(message));
      if (!loosening) continue;
      const { key } = questionOf(message);
      const looseKey = rekeyed(fullKey, key, looseKeyOf(message, loosening.canonical));
      const alike = classes.get(looseKey) ?? [];
      for (const recorded of all) alike.push(recorded);
      classes.set(looseKey, alike);
    }
    return new Map([...classes].map(([key, all]) => [key, new Candidates(all.sort(inWireOrder))]));
  }
}

function inWireOrder({ exchange: a }: Recorded, { exchange: b }: Recorded): number {
  return a.entry - b.entry || a.item - b.item;
}
