import type { Outline, Outlined } from "./outline.ts";
import { onlySession } from "./sessions.ts";

/** No exchange is this entry's. */
const LOOSE = -1;

/** What is of one connection. */
interface OfSession {
  readonly exchanges: readonly Outlined[];
  readonly loose: readonly number[];
}

/** The same while it is gathered. */
interface Sorted extends OfSession {
  readonly exchanges: Outlined[];
  readonly loose: number[];
}

/**
 * What each connection of a recording holds.
 * @param wholly the entries that are of no exchange, too
 */
export function bySession(
  { exchanges, sessions, homes, count }: Outline,
  wholly: boolean,
): Map<number, OfSession> {
  const only = wholly ? undefined : onlySession({ sessions });
  if (only !== undefined) return new Map([[only, { exchanges, loose: [] }]]);
  const all = new Map<number, Sorted>();
  let last: Sorted | undefined;
  let lastSession = 0;
  const of = (session: number): Sorted => {
    if (last && session === lastSession) return last;
    const known = all.get(session) ?? { exchanges: [], loose: [] };
    all.set(session, known);
    [last, lastSession] = [known, session];
    return known;
  };
  for (const each of exchanges) of(each.exchange.session).exchanges.push(each);
  for (let ordinal = 0; wholly && ordinal < count; ordinal++) {
    if (homes[ordinal] === LOOSE) of(sessions[ordinal] as number).loose.push(ordinal);
  }
  return all;
}
