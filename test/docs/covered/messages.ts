import { METHODS, type MethodRow } from "../../../src/protocol/methods.ts";
import { type Cite, cite, type Row, type Section } from "./row.ts";

const EVERY = cite("e2e/every-message", "every message of %s is recorded, and comes back");
const WALK = cite("e2e/walk", "the walk prints the same lines directly, through record, and from serve");
const UNASKED = cite("unit/replay/answers", "those that were not recorded ask for nothing and are no miss");
const OTHER_ERA = cite(
  "unit/replay/answers",
  "the other era is a miss that says so, also where the question is the same",
);

/** What is particular about a message in a replay, and where it is tested. */
interface Particular {
  readonly replayed?: string;
  /** What a client of the other era gets; without it a miss, or nothing where nothing was asked for. */
  readonly across?: Row["across"];
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
    replayed: "whatever version, capabilities and name the client gives; the name may choose the recording",
    tests: [
      cite("unit/replay/recording", "initialize is answered before the rest is read"),
      cite("unit/replay/recorded-sessions", "clients told apart by their names"),
    ],
  },
  "server/discover": {
    across: {
      is: "-32601 from a legacy recording, as from a legacy server",
      test: cite(
        "unit/replay/answers",
        "server/discover of a legacy recording is turned away as a legacy server would",
      ),
    },
  },
  ping: {
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
    tests: [cite("unit/replay/unsaid", "a refused log level is refused, an accepted one accepted")],
  },
  "resources/subscribe": {
    tests: [cite("unit/replay/answers", "resource updates reach subscribers, as long as they are")],
  },
  "resources/unsubscribe": {
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
    replayed: ASKS_NOTHING,
    tests: [cite("unit/replay/asks", "upon initialized, they come upon initialized")],
  },
  "notifications/roots/list_changed": { replayed: ASKS_NOTHING, tests: [WALK] },
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
  const { replayed = BY_QUESTION, across = acrossOf(row), tests = [] } = PARTICULARS[row.method] ?? {};
  return {
    name: row.method,
    from: senderOf(row),
    revisions: revisionsOf(row),
    recorded: "yes",
    replayed,
    across,
    tests,
  };
}

function acrossOf({ kind, from }: MethodRow): Row["across"] {
  if (kind === "notification" && from === "client") return { is: "passed over", test: UNASKED };
  if (from === "server" || kind === "notification")
    return { is: "nothing: what it came with is a miss", test: OTHER_ERA };
  return { is: "a miss that says so", test: OTHER_ERA };
}

function senderOf({ from, modernFrom }: MethodRow): string {
  return modernFrom === undefined || modernFrom === from ? from : `${from}; modern: ${modernFrom}`;
}

function revisionsOf({ revisions, modernInput }: MethodRow): readonly string[] {
  return modernInput ? [...revisions, "2026-07-28"] : revisions;
}
