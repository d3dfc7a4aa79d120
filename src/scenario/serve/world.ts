import type { Difference } from "../../protocol/json-diff.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { type Matcher, mismatches } from "../matcher.ts";
import type { Reply, Scenario } from "../model.ts";
import type { SchemaChecker } from "../schemas.ts";
import { Lists } from "./lists.ts";
import type { Refusal } from "./miss.ts";

/** What replies are chosen by. */
export interface Facts {
  readonly args: JsonValue;
  /** Where `args` stand in what was asked, as a JSON pointer. */
  readonly pointer: string;
  readonly capabilities: JsonObject;
  readonly checker: SchemaChecker | undefined;
}

export interface Choice {
  readonly reply: Reply;
  /** How often it has answered, this time included. */
  readonly nth: number;
}

/** What one client has made of the scenario: its state, the lists it sees, how often each reply answered. */
export class World {
  readonly lists: Lists;
  state: JsonObject;
  readonly #used = new Map<Reply, number>();

  constructor(scenario: Scenario, now: () => number) {
    this.lists = new Lists(scenario, now);
    this.state = scenario.state;
  }

  set(members: JsonObject): void {
    this.state = { ...this.state, ...members };
  }

  used(replies: readonly Reply[] = []): number {
    return replies.filter((reply) => this.#used.has(reply)).length;
  }

  /** The first reply that answers; or why none does. */
  choose(replies: readonly Reply[], facts: Facts): Choice | readonly Refusal[] {
    const refusals: Refusal[] = [];
    for (const reply of replies) {
      const used = this.#used.get(reply) ?? 0;
      const differences = this.#differences(reply, facts);
      if (differences.length > 0 || (reply.times !== undefined && used >= reply.times)) {
        refusals.push({ reply, differences });
        continue;
      }
      this.#used.set(reply, used + 1);
      return { reply, nth: used + 1 };
    }
    return refusals;
  }

  #differences({ when, requires, client }: Reply, facts: Facts): readonly Difference[] {
    const { args, pointer, capabilities, checker } = facts;
    const under = (prefix: string, matcher: Matcher | undefined, value: JsonValue) =>
      matcher
        ? mismatches(matcher, value, checker).map((each) => ({
            ...each,
            pointer: `${prefix}${each.pointer}`,
          }))
        : [];
    return [
      ...under(pointer, when, args),
      ...under("/state", requires, this.state),
      ...under("/capabilities", client, capabilities),
    ];
  }
}
