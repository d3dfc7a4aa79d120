import { canonicalJson } from "../protocol/canonical.ts";
import { memberAt } from "../protocol/member.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Outlined } from "../rerecord/outline.ts";
import { isObject } from "./content.ts";
import type { Side } from "./side.ts";

/** In UTF-16 units. */
const LONGEST_ARGUMENTS = 80;

/** Names exchanges of a recording for people: `tools/call forecast {"city":"Oslo"}`, and which time it is. */
export class Subjects {
  readonly #side: Side;
  #times: ReadonlyMap<Outlined["exchange"], number> | undefined;

  constructor(side: Side) {
    this.#side = side;
  }

  of({ exchange }: Outlined): string {
    const params = exchange.method === undefined ? undefined : this.#side.abstractParamsAt(exchange);
    const label = labelOf(exchange.method ?? "malformed", params);
    const given = memberAt(params, "arguments");
    const text =
      isObject(given) && Object.keys(given).length > 0 ? ` ${shortened(canonicalJson(given))}` : "";
    this.#times ??= timesOf(this.#side);
    const time = this.#times.get(exchange);
    return `${label}${text}${time === undefined ? "" : ` #${time}`}`;
  }
}

function shortened(text: string): string {
  return text.length <= LONGEST_ARGUMENTS ? text : `${text.slice(0, LONGEST_ARGUMENTS - 1)}…`;
}

/** Which time a question is asked, of those that are asked again. */
function timesOf({ outline }: Side): ReadonlyMap<Outlined["exchange"], number> {
  const times = new Map<Outlined["exchange"], number>();
  const asked = new Set<string>();
  const counts = new Map<string, number>();
  for (const { exchange, question } of outline.exchanges) {
    const before = asked.size;
    // Most questions are asked once, and to add to a set tells that in one go.
    if (asked.add(question).size > before) continue;
    const time = (counts.get(question) ?? 1) + 1;
    counts.set(question, time);
    times.set(exchange, time);
  }
  return times;
}
