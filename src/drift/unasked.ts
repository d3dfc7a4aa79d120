import type { Change } from "../contract/change.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { type JsonValue, jsonOf, type Message } from "../protocol/message.ts";
import type { Pair } from "./aligned.ts";
import { driftOf } from "./rules.ts";
import type { Side } from "./side.ts";

/** Responses that no request waited for. */
interface Unasked {
  /** Further ones to requests that had been answered. */
  readonly further: ReadonlyMap<Exchange, readonly Message[]>;
  readonly others: readonly Message[];
}

/** Answers that came in addition: second ones to a request, or such as nobody asked for. */
export function compareUnasked(
  pairs: readonly Pair[],
  { old, fresh }: { readonly old: Side; readonly fresh: Side },
  subjectOf: (pair: Pair) => string,
): Change[] {
  const after = unaskedIn(fresh);
  if (after.further.size === 0 && after.others.length === 0) return [];
  const before = unaskedIn(old);
  const changes = pairs.flatMap((pair): Change[] => {
    const [was, is] = [
      before.further.get(pair.old.exchange) ?? [],
      after.further.get(pair.fresh.exchange) ?? [],
    ];
    if (is.length <= was.length) return [];
    return [told(subjectOf(pair), "It is answered more than once", is.at(-1))];
  });
  if (after.others.length <= before.others.length) return changes;
  return [...changes, told("session", "An answer comes to a request that nobody made", after.others.at(-1))];
}

function told(subject: string, what: string, message: Message | undefined): Change {
  const after = message && (jsonOf(message) as JsonValue);
  return driftOf("answer-unasked", { subject, pointer: "", message: `${what}.`, after });
}

function unaskedIn(side: Side): Unasked {
  const further = new Map<Exchange, Message[]>();
  const others: Message[] = [];
  for (const entry of side.outline.odd.unnamed) {
    if (!isAnswer(side, entry)) others.push(side.messageAt({ entry, item: -1 }));
  }
  for (const { entry, item, id, namesake } of side.outline.odd.strays) {
    const message = side.messageAt({ entry, item });
    if (namesake === undefined || namesake.id !== id) others.push(message);
    else if (further.has(namesake)) further.get(namesake)?.push(message);
    else further.set(namesake, [message]);
  }
  return { further, others };
}

/** Whether an error that names no request answers one all the same: by its stream, or a line that could not be read. */
function isAnswer({ outline }: Side, ordinal: number): boolean {
  const steps = outline.exchanges[outline.homes[ordinal] ?? -1]?.exchange.steps ?? [];
  return steps.some(({ entry, role }) => entry === ordinal && role !== "send");
}
