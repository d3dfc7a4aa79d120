import type { Change } from "../contract/change.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { paramsOf } from "../replay/key.ts";
import { isProbe } from "../replay/probes.ts";
import type { Loosening } from "../replay/rules.ts";
import type { Outlined } from "../rerecord/outline.ts";
import type { Pair } from "./aligned.ts";
import { type Answered, answeredIn } from "./answer.ts";
import { type Ask, askOf, asksIn, compareAsks } from "./asks.ts";
import { BrokenMessages } from "./broken-messages.ts";
import type { Broken } from "./broken-results.ts";
import { CONTRACT_METHODS } from "./contract-methods.ts";
import { compareEndings } from "./endings.ts";
import { compareNotices, noticeOf } from "./notices.ts";
import { compareOutcomes } from "./outcome.ts";
import type { OwnRules } from "./own-rules.ts";
import { alignExchanges } from "./pairs.ts";
import { compareRefusals } from "./refusals.ts";
import { driftOf } from "./rules.ts";
import { compareSessions } from "./session.ts";
import type { Side } from "./side.ts";
import { compareTimes } from "./slower.ts";
import type { Slowness } from "./slowness.ts";
import { Subjects } from "./subject.ts";
import { compareUnasked } from "./unasked.ts";
import { isOwn, isUnchanged } from "./unchanged.ts";

export interface BehaviourComparison {
  readonly changes: readonly Change[];
  /** Requests that both recordings hold, those about the contract left aside. */
  readonly exchanges: number;
  /** The same request in both. */
  readonly pairs: readonly Pair[];
  /** Those that say something else, all of which may differ. */
  readonly forgiven: readonly Pair[];
  /** Answers that broke the protocol. */
  readonly broken: readonly Broken[];
}

export interface BehaviourOptions {
  /** What may differ in answers. */
  readonly own?: OwnRules | undefined;
  /** From when on an answer counts as slower; undefined where times mean nothing. */
  readonly slowness?: Slowness | undefined;
}

/** How a server's answers differ between two recordings, and how the sessions went. */
export function compareBehaviour(
  old: Side,
  fresh: Side,
  { own, slowness }: BehaviourOptions = {},
): BehaviourComparison {
  const aligned = alignExchanges(old, fresh);
  const subjects = new Subjects(old);
  const erasDiffer = old.era !== fresh.era;
  const protocol = new BrokenMessages({ old, fresh }, subjects);
  const broken: Broken[] = [];
  const changes: Change[] = [];
  const forgiven: Pair[] = [];
  let exchanges = 0;
  for (const pair of aligned.pairs) {
    if (pair.old.exchange.kind !== "request") continue;
    const told = isTold(pair.old.exchange);
    if (told) exchanges++;
    if (slowness && told) {
      const subject = () => subjects.of(pair.old);
      changes.push(...compareTimes(pair, { old, fresh }, { slowness, subject }));
    }
    if (isUnchanged(pair, old, fresh)) continue;
    const loosely = own?.for(pair.old.exchange.method, paramsOf(old.messageAt(pair.old.exchange)));
    const found = compareExchange(pair, { old, fresh, subjects, erasDiffer, own, loosely });
    if (found.length === 0 && loosely) forgiven.push(pair);
    changes.push(...found);
    const breaking = protocol.in(pair);
    if (breaking) broken.push(breaking);
  }
  const later = new Subjects(fresh);
  const missing = aligned.missing.filter(({ exchange }) => isTold(exchange)).map((each) => subjects.of(each));
  const added = aligned.added.filter(({ exchange }) => isTold(exchange)).map((each) => later.of(each));
  changes.push(
    ...missing.map((subject) =>
      driftOf("exchange-missing", { subject, pointer: "", message: "The new recording does not ask this." }),
    ),
    ...added.map((subject) =>
      driftOf("exchange-added", { subject, pointer: "", message: "The old recording does not ask this." }),
    ),
    ...compareUnasked(aligned.pairs, { old, fresh }, (pair) => subjects.of(pair.old)),
    ...compareRefusals(aligned.pairs, { old, fresh }, (pair) => subjects.of(pair.old)),
    ...compareEndings(old, fresh),
    ...compareSessions(old, fresh, own),
  );
  return { changes, exchanges, pairs: aligned.pairs, forgiven, broken };
}

/** What a client asks for the contract's sake, or to find out about the connection, is nobody's loss. */
function isTold({ kind, method }: Exchange): boolean {
  return kind === "request" && !CONTRACT_METHODS.has(method) && !isProbe({ method });
}

interface Comparing {
  readonly old: Side;
  readonly fresh: Side;
  readonly subjects: Subjects;
  readonly erasDiffer: boolean;
  readonly own: OwnRules | undefined;
  /** What may differ in this answer. */
  readonly loosely: Loosening | undefined;
}

function compareExchange(
  pair: Pair,
  { old, fresh, subjects, erasDiffer, own, loosely }: Comparing,
): Change[] {
  const subject = subjects.of(pair.old);
  const { method } = pair.old.exchange;
  const [before, after] = [answeredIn(old, pair.old.exchange), answeredIn(fresh, pair.fresh.exchange)];
  // When a subscription ends is the client's choice, and what it heard is the session's.
  if (method === "subscriptions/listen" && [before, after].every(({ answer }) => answer.form !== "error"))
    return [];
  const contract = CONTRACT_METHODS.has(method);
  const outcome = compareOutcomes(before, after, { subject, contract, erasDiffer, loosely });
  if (contract) return outcome;
  return [
    ...outcome,
    ...compareAsks(asksOf(old, pair.old, before), asksOf(fresh, pair.fresh, after), {
      subject,
      declared: () => fresh.declaredBy(pair.fresh.exchange),
      own,
    }),
    ...compareNotices(noticesOf(old, pair.old, own), noticesOf(fresh, pair.fresh, own), subject),
  ];
}

function asksOf(side: Side, { exchange }: Outlined, { answer }: Answered): Ask[] {
  const asked = exchange.steps
    .filter((step) => step.role === "ask" && isOwn(side, exchange, step))
    .map((step) => askOf(side.abstractAt(step), side.readAt(step)));
  return answer.form === "result" ? [...asked, ...asksIn(answer.result)] : asked;
}

function noticesOf(side: Side, { exchange }: Outlined, own: OwnRules | undefined) {
  return exchange.steps
    .filter((step) => step.role === "send" && step.takesBack === undefined && isOwn(side, exchange, step))
    .map((step) => ({ message: side.abstractAt(step), sent: side.readAt(step) }))
    .filter(({ message }) => message.kind === "notification")
    .map(({ message, sent }) => noticeOf(message, sent, own));
}
