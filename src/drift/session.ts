import type { Change } from "../contract/change.ts";
import { canonicalJson } from "../protocol/canonical.ts";
import { eachMessage, readMessage } from "../protocol/message.ts";
import { type Ask, askOf, compareAsks } from "./asks.ts";
import { compareNotices, type Notice, noticeOf } from "./notices.ts";
import type { OwnRules } from "./own-rules.ts";
import { type DriftRuleId, driftOf } from "./rules.ts";
import type { Side } from "./side.ts";

const SUBJECT = "session";

/** How two recorded sessions differ in what is no answer to any request. */
export function compareSessions(old: Side, fresh: Side, own: OwnRules | undefined): Change[] {
  const facts = FACTS.flatMap(({ rule, of, sentence }): Change[] => {
    const [was, is] = [of(old), of(fresh)];
    if (was === undefined || is === undefined || was === is) return [];
    return [
      driftOf(rule, { subject: SUBJECT, pointer: "", message: sentence(was, is), before: was, after: is }),
    ];
  });
  // What belongs to no request needs a stream of its own over HTTP, which not every client opens.
  if (old.header.source.transport !== fresh.header.source.transport) return facts;
  const [before, after] = [apartOf(old, own), apartOf(fresh, own)];
  return [
    ...facts,
    ...compareAsks(before.asks, after.asks, { subject: SUBJECT, declared: () => undefined, own }),
    ...compareNotices(before.notices, after.notices, SUBJECT),
  ];
}

interface Fact {
  readonly rule: DriftRuleId;
  /** Undefined where the recording does not show it. */
  readonly of: (side: Side) => string | undefined;
  readonly sentence: (was: string, is: string) => string;
}

const FACTS: readonly Fact[] = [
  {
    rule: "transport-changed",
    of: ({ header }) => header.source.transport,
    sentence: (was, is) => `Recorded over ${is} rather than ${was}.`,
  },
  {
    rule: "era-changed",
    of: ({ era }) => era,
    sentence: (was, is) => `Recorded in the ${is} era rather than the ${was} one.`,
  },
  {
    rule: "session-id-changed",
    of: sessionIds,
    sentence: (was, is) => `The server gave ${was} before, and gives ${is} now.`,
  },
  {
    rule: "response-form-changed",
    of: responseForm,
    sentence: (was, is) => `Answers came as ${was} before, and come as ${is} now.`,
  },
];

/** Over HTTP: whether the server told its clients ids of their sessions. */
function sessionIds({ header, outline: { signs } }: Side): string | undefined {
  if (header.source.transport !== "http" || !signs.statuses) return undefined;
  return signs.sessionIds ? "session ids" : "none";
}

function responseForm({ header, outline: { signs } }: Side): string | undefined {
  if (header.source.transport !== "http" || !signs.answers) return undefined;
  return signs.streams ? "event streams" : "JSON";
}

interface Apart {
  readonly notices: Notice[];
  readonly asks: Ask[];
}

/**
 * What the server sent that belongs to no request: on its own account, or to a subscriber. When and how often depends
 * on what else went on, so each counts once.
 */
function apartOf(side: Side, own: OwnRules | undefined): Apart {
  const { homes, exchanges, entries } = side.outline;
  const notices = new Map<string, Notice>();
  const asks = new Map<string, Ask>();
  for (let ordinal = 0; ordinal < homes.length; ordinal++) {
    const home = homes[ordinal] as number;
    if (home >= 0 && exchanges[home]?.exchange.method !== "subscriptions/listen") continue;
    const { from, body } = entries.entryAt(ordinal);
    if (from !== "server" || !body) continue;
    const frame = readMessage(body.bytes);
    for (const [index] of [...eachMessage(frame)].entries()) {
      const place = { entry: ordinal, item: frame.kind === "batch" ? index : -1 };
      const message = side.abstractAt(place);
      if (message.method === undefined || UNTOLD.has(message.method)) continue;
      if (message.kind === "request") {
        const ask = askOf(message, side.readAt(place));
        asks.set(`${ask.method} ${canonicalJson(ask.params)}`, ask);
      } else if (message.kind === "notification") {
        const notice = noticeOf(message, side.readAt(place), own);
        notices.set(notice.identity, notice);
      }
    }
  }
  return { notices: inOrder(notices), asks: inOrder(asks) };
}

/** They say nothing of the server. */
const UNTOLD: ReadonlySet<string> = new Set(["ping", "notifications/cancelled", "notifications/progress"]);

function inOrder<Value>(values: ReadonlyMap<string, Value>): Value[] {
  return [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
