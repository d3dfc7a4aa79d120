import type { Outlined } from "../rerecord/outline.ts";
import { Pairing } from "../rerecord/pairing.ts";
import { pairSessions } from "../rerecord/sessions.ts";
import type { Aligned, Pair } from "./aligned.ts";
import { Correspondence } from "./correspondence.ts";
import { withLastPolls } from "./polls.ts";
import type { Side } from "./side.ts";

/** What a key of the modern era begins with that one of the legacy era does not: see `questionOf`. */
const ERA = /^(\S* )modern /;

/**
 * Which exchange of one recording is which of the other. Within a pair of connections the n-th that asks a question is
 * the n-th that asked it; what is left then goes by its question alone, on whatever connection and in whatever era.
 */
export function alignExchanges(old: Side, fresh: Side): Aligned {
  const renames = new Correspondence(fresh.outline.names.all);
  const pairing = new Pairing(fresh.outline, old.outline, {
    sessions: pairSessions(fresh.outline, old.outline),
    renames,
    questions: "same",
    // There is nothing to learn of names that are counted.
    wholly: fresh.outline.names.minted && old.outline.names.minted,
  });
  pairing.pairRest(({ key }) => key);
  pairing.pairRest(({ key }) => key.replace(ERA, "$1"));
  const pairs = pairing.exchanges.sort(
    ({ old: { exchange: a } }, { old: { exchange: b } }) => a.entry - b.entry || a.item - b.item,
  );
  const rest = restOf(pairs);
  const aligned = { pairs, missing: rest(old, "old"), added: rest(fresh, "fresh") };
  return withLastPolls(aligned, { old, fresh }, renames);
}

function restOf(pairs: readonly Pair[]) {
  return ({ outline: { exchanges } }: Side, which: keyof Pair): readonly Outlined[] => {
    if (exchanges.length === pairs.length) return [];
    const known = new Set(pairs.map((pair) => pair[which].exchange));
    return exchanges.filter(({ exchange }) => !known.has(exchange));
  };
}
