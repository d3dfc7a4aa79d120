import { METHODS, type MethodRow } from "../../../src/protocol/methods.ts";
import { wayTo } from "../../../src/replay/eras/rows.ts";
import { type Cite, cite, type Row, type Section } from "./row.ts";

const EVERY = cite("e2e/every-message", "every message of %s is recorded, and comes back");
const WALK = cite("e2e/walk", "the walk prints the same lines directly, through record, and from serve");
const UNASKED = cite("unit/replay/answers", "those that were not recorded ask for nothing and are no miss");
const CROSSING = cite(
  "e2e/eras-walk",
  "a recording of each era, walked in the other, over stdio and HTTP, with SDK 1.x and 2.x",
);
const NOT_CROSSING = cite("unit/replay/eras/modern-client", "%s of a modern client is a miss that says why");
const ROUNDS = cite("unit/replay/eras/modern-client", "are an input round, and the retry gets what followed");
const LISTENS = cite(
  "unit/replay/eras/modern-client",
  "is acknowledged as far as the recorded server announces, and hears what it announced",
);
const LEVELS = cite(
  "unit/replay/eras/modern-client",
  "progress bears the live token, and log lines come as severe as was asked for, before the answer",
);
const UNHEARD = cite(
  "unit/replay/eras/modern-client",
  "for a URL lose the id that the modern era has no use for",
);
const SUBSCRIBING = cite(
  "unit/replay/eras/legacy-client",
  "of a resource is told to who subscribed, as long as it is",
);
const ANSWERED = cite(
  "unit/replay/eras/legacy-client",
  "ping and logging/setLevel are answered, and the level holds",
);

/** What is particular about a message in a replay, and where it is tested. */
interface Particular {
  readonly replayed?: string;
  /** Shows what a client of the other era gets, where the way it is translated does not choose the test. */
  readonly across?: Cite;
  readonly tests?: readonly Cite[];
}

const BY_QUESTION = "to the same method and params";
const ASKED = "under fresh ids; waits for the client's answer, and reports one that differs";
const ASKED_TEST = cite("unit/replay/asks", "bear fresh ids, and the exchange waits for its reply");
const ROUND_TEST = cite("unit/replay/modern", "input rounds");
const PLACE = "where it was recorded: within an exchange, after it, or outside";
const PLACE_TEST = cite(
  "unit/replay/answers",
  "stay inside, after and outside the exchanges they were recorded with",
);
const LISTENING = cite("unit/replay/modern", "under the live id %s, where the change came");
const CHANGE = `${PLACE}; in the modern era to whoever listens for it`;
const ASKS_NOTHING = "heard; what was recorded upon it comes upon it";
const POLLED = cite("unit/replay/tasks", "a task of 2025-11-25 is polled to its end, as often as it was");
const EXTENSION = cite("unit/replay/tasks", "a task of the extension asks, is told, and is cancelled");

const PARTICULARS: Readonly<Record<string, Particular>> = {
  initialize: {
    across: cite("unit/replay/eras/legacy-client", "is made of server/discover; %s is answered %s"),
    replayed: "whatever version, capabilities and name the client gives; the name may choose the recording",
    tests: [
      cite("unit/replay/recording", "initialize is answered before the rest is read"),
      cite("unit/replay/recorded-sessions", "clients told apart by their names"),
    ],
  },
  "server/discover": {
    across: cite(
      "unit/replay/eras/modern-client",
      "is made of the recorded handshake, whose pieces stay exact",
    ),
  },
  ping: {
    across: ANSWERED,
    replayed: "always answered, recorded or not",
    tests: [cite("unit/replay/answers", "ping is answered, however often, recorded or not")],
  },
  "tools/call": {
    replayed: "to the same method, name and arguments; the n-th time as the n-th time",
    tests: [
      WALK,
      cite(
        "unit/replay/answers",
        "the n-th gets the n-th, after the last the last again, noted in the report",
      ),
    ],
  },
  "tools/list": { tests: [WALK] },
  "resources/list": { tests: [WALK] },
  "resources/templates/list": { tests: [WALK] },
  "resources/read": { tests: [WALK] },
  "prompts/list": { tests: [WALK] },
  "prompts/get": { tests: [WALK] },
  "completion/complete": { tests: [WALK] },
  "logging/setLevel": {
    across: ANSWERED,
    tests: [cite("unit/replay/unsaid", "a refused log level is refused, an accepted one accepted")],
  },
  "resources/subscribe": {
    across: SUBSCRIBING,
    tests: [cite("unit/replay/answers", "resource updates reach subscribers, as long as they are")],
  },
  "resources/unsubscribe": {
    across: SUBSCRIBING,
    tests: [cite("unit/replay/answers", "resource updates reach subscribers, as long as they are")],
  },
  "subscriptions/listen": {
    replayed: "to the same filter; subscription ids are the live request's",
    tests: [LISTENING],
  },
  "sampling/createMessage": { replayed: ASKED, tests: [ASKED_TEST, ROUND_TEST] },
  "roots/list": {
    replayed: ASKED,
    tests: [cite("unit/replay/asks", "upon initialized, they come upon initialized"), ROUND_TEST],
  },
  "elicitation/create": { replayed: ASKED, tests: [ASKED_TEST, ROUND_TEST] },
  "tasks/get": {
    replayed: "the n-th time as the n-th time, so polling reaches its end",
    tests: [POLLED, EXTENSION],
  },
  "tasks/result": { tests: [POLLED] },
  "tasks/list": { tests: [POLLED] },
  "tasks/update": { tests: [EXTENSION] },
  "tasks/cancel": { tests: [EXTENSION] },
  "notifications/initialized": {
    across: cite(
      "unit/replay/eras/legacy-client",
      "a change is told without asking, once, and belongs to no request",
    ),
    replayed: ASKS_NOTHING,
    tests: [cite("unit/replay/asks", "upon initialized, they come upon initialized")],
  },
  "notifications/roots/list_changed": { replayed: ASKS_NOTHING, across: UNASKED, tests: [WALK] },
  "notifications/progress": {
    replayed: "under the live token, to a client that gave one",
    tests: [
      cite(
        "unit/replay/answers",
        "reaches no client that gave no token, and is not invented for one that did",
      ),
    ],
  },
  "notifications/cancelled": {
    replayed: "of the client: nothing more is sent for the request; of the server: under the live id",
    tests: [
      cite("unit/replay/cancellation", "stops an exchange in flight, and nothing more is sent for it"),
      cite("unit/replay/asks", "taken back: under the live id, and nothing waits"),
    ],
  },
  "notifications/message": { replayed: PLACE, tests: [PLACE_TEST] },
  "notifications/resources/updated": {
    replayed: "to a client that subscribed, or listens for it",
    tests: [
      cite("unit/replay/answers", "resource updates reach subscribers, as long as they are"),
      LISTENING,
    ],
  },
  "notifications/tools/list_changed": { replayed: CHANGE, tests: [PLACE_TEST, LISTENING] },
  "notifications/prompts/list_changed": { replayed: CHANGE, tests: [LISTENING] },
  "notifications/resources/list_changed": { replayed: CHANGE, tests: [LISTENING] },
  "notifications/elicitation/complete": { replayed: PLACE },
  "notifications/tasks/status": { replayed: PLACE, tests: [POLLED] },
  "notifications/subscriptions/acknowledged": {
    across: LISTENS,
    replayed: "first on its subscription, under the live id",
    tests: [LISTENING],
  },
  "notifications/tasks": { replayed: PLACE, tests: [EXTENSION] },
};

/** Particulars of no message there is: mistakes in this file. */
export const strayParticulars = (): string[] =>
  Object.keys(PARTICULARS).filter((name) => METHODS.every(({ method }) => method !== name));

export function messages(): Section {
  return {
    title: "Messages",
    text: "JSON-RPC methods and notifications. In 2026-07-28 servers ask through `inputRequests` in a result.",
    through: [EVERY],
    rows: METHODS.map(rowOf),
  };
}

function rowOf(row: MethodRow): Row {
  const { replayed = BY_QUESTION, across, tests = [] } = PARTICULARS[row.method] ?? {};
  return {
    name: row.method,
    from: senderOf(row),
    revisions: revisionsOf(row),
    recorded: "yes",
    replayed,
    across: acrossOf(row, across),
    tests,
  };
}

/** What becomes of a message on each way, and what shows it. */
const WAYS: Readonly<Record<string, readonly [is: string, test: Cite]>> = {
  same: ["the same, translated", CROSSING],
  made: ["made by the player", NOT_CROSSING],
  round: ["an input round, and back", ROUNDS],
  listen: ["by subscriptions/listen, and without", LISTENS],
  log: ["as the client asked for log lines", LEVELS],
  dropped: ["left out", UNHEARD],
  missed: ["a miss that says why", NOT_CROSSING],
};

function acrossOf({ method }: MethodRow, test?: Cite): Row["across"] {
  const [modern, legacy] = (["modern", "legacy"] as const).map((era) => {
    const way = wayTo(era, method);
    return WAYS[typeof way === "object" ? "missed" : way];
  });
  if (!modern || !legacy) throw new Error(`no words for what becomes of ${method} in the other era`);
  const is = modern[0] === legacy[0] ? modern[0] : `modern: ${modern[0]}; legacy: ${legacy[0]}`;
  return { is, test: test ?? modern[1] };
}

function senderOf({ from, modernFrom }: MethodRow): string {
  return modernFrom === undefined || modernFrom === from ? from : `${from}; modern: ${modernFrom}`;
}

function revisionsOf({ revisions, modernInput }: MethodRow): readonly string[] {
  return modernInput ? [...revisions, "2026-07-28"] : revisions;
}
