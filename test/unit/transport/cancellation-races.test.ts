import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import type { CancelledRequest } from "../../../src/replay/report.ts";
import { cancel, type DoorName, isHttp, isModern, metaOf, openDoor } from "../../cases/doors.ts";
import { client, closed, HTTP, notice, request, result, STDIO, server, tape } from "../../cases/tape.ts";

/**
 * Every way in which a cancellation and what the server says can cross (2025-11-25 and 2026-07-28
 * basic/utilities/cancellation, basic/patterns/cancellation), behind each door, recorded and live.
 */

const DOORS: readonly DoorName[] = ["stdio, legacy", "HTTP, legacy", "stdio, modern", "HTTP, modern"];

/** What happens, one after the other, recorded or live; the request is always the same. */
type Deed = "ask" | "progress" | "answer" | "log" | "cancel" | "cancel another" | "disconnect";

interface Race {
  readonly name: string;
  readonly recorded: readonly Deed[];
  /** What the live client does, and what it hears then. */
  readonly live: readonly (readonly [Deed | "wait", ...Heard[]])[];
  readonly report: readonly Omit<CancelledRequest, "label">[];
  /** Where a door makes a difference: behind it the client hears this instead, deed by deed. */
  readonly but?: Readonly<Partial<Record<DoorName, readonly (readonly Heard[])[]>>>;
  /** Doors where it cannot happen, with the reason. */
  readonly not?: Readonly<Partial<Record<DoorName, string>>>;
  /** How the door counts it. */
  readonly reportBut?: Readonly<Partial<Record<DoorName, readonly Omit<CancelledRequest, "label">[]>>>;
}

type Heard = "progress" | "answer" | "log";

const AS_RECORDED = { recorded: true, unsent: 0 };
/** In this era a response stream is left by closing it, so nothing reaches the client after that. */
const GONE = "the response stream is closed, so nothing more can come on it";
const NO_STREAM = "a request has no stream of its own to leave";

const RACES: readonly Race[] = [
  {
    name: "recorded as cancelled and never answered: unanswered until the live client cancels",
    recorded: ["ask", "progress", "cancel"],
    live: [["ask", "progress"], ["wait"], ["cancel"], ["wait"]],
    report: [AS_RECORDED],
  },
  {
    name: "recorded as cancelled, and the live client goes on waiting",
    recorded: ["ask", "cancel"],
    live: [["ask"], ["wait"]],
    report: [],
  },
  {
    name: "the answer crossed the recorded cancellation: it comes after the live one",
    recorded: ["ask", "cancel", "answer"],
    live: [["ask"], ["wait"], ["cancel", "answer"]],
    report: [AS_RECORDED],
    not: { "HTTP, modern": GONE },
  },
  {
    name: "progress and the answer after the recorded cancellation",
    recorded: ["ask", "progress", "cancel", "progress", "answer"],
    live: [
      ["ask", "progress"],
      ["cancel", "progress"],
      ["wait", "answer"],
    ],
    report: [AS_RECORDED],
    not: { "HTTP, modern": GONE },
  },
  {
    name: "cancelled too late, recorded and live",
    recorded: ["ask", "answer", "cancel"],
    live: [["ask", "answer"], ["cancel"], ["wait"]],
    report: [],
  },
  {
    name: "cancelled too late live alone",
    recorded: ["ask", "answer"],
    live: [["ask", "answer"], ["cancel"], ["wait"]],
    report: [],
  },
  {
    name: "cancelled too late in the recording alone",
    recorded: ["ask", "answer", "cancel"],
    live: [["ask", "answer"], ["wait"]],
    report: [],
  },
  {
    name: "what a server said when it was cancelled too late comes then",
    recorded: ["ask", "answer", "cancel", "log"],
    live: [
      ["ask", "answer"],
      ["cancel", "log"],
    ],
    report: [],
    not: { "HTTP, modern": GONE },
  },
  {
    name: "a request that nobody made is cancelled",
    recorded: ["ask", "progress", "answer"],
    live: [["cancel another"], ["ask", "progress"], ["cancel another", "answer"], ["wait"]],
    report: [],
    not: { "HTTP, modern": "there a request is cancelled by its stream" },
  },
  {
    name: "cancelled twice, recorded and live",
    recorded: ["ask", "progress", "cancel", "cancel"],
    live: [["ask", "progress"], ["cancel"], ["cancel"], ["wait"]],
    report: [AS_RECORDED],
  },
  {
    name: "cancelled live alone, within the pause before the answer",
    recorded: ["ask", "progress", "answer", "log"],
    live: [["ask", "progress"], ["cancel"], ["wait"]],
    report: [{ recorded: false, unsent: 2 }],
  },
  {
    name: "cancelled earlier than in the recording",
    recorded: ["ask", "progress", "progress", "progress", "cancel"],
    live: [["ask", "progress"], ["cancel"], ["wait"]],
    report: [{ recorded: true, unsent: 2 }],
  },
  {
    name: "asked again after it was cancelled",
    recorded: ["ask", "progress", "cancel", "ask", "answer"],
    live: [["ask", "progress"], ["cancel"], ["ask", "answer"]],
    report: [AS_RECORDED],
  },
  {
    name: "the response stream is left, which cancels in the modern era alone",
    recorded: ["ask", "progress", "progress", "answer", "log"],
    live: [["ask", "progress"], ["disconnect"], ["wait"]],
    report: [],
    // What is said on the request's own stream is lost with it, what follows comes on the standalone one.
    but: { "HTTP, legacy": [["progress"], [], ["log"]] },
    reportBut: { "HTTP, modern": [{ recorded: false, unsent: 3 }] },
    not: { "stdio, legacy": NO_STREAM, "stdio, modern": NO_STREAM },
  },
  {
    name: "the response stream was left in the recording: unanswered until the live client cancels",
    recorded: ["ask", "progress", "disconnect"],
    live: [["ask", "progress"], ["wait"], ["cancel"], ["wait"]],
    report: [AS_RECORDED],
    not: { "stdio, legacy": NO_STREAM, "stdio, modern": NO_STREAM },
  },
];

const ID = 5;
const other = (id: number) => notice("notifications/cancelled", { requestId: id + 70 });
const asking = (door: DoorName, id: number) =>
  request(id, "tools/call", { name: "slow", _meta: { ...metaOf(door), progressToken: id } });

/** A recording in which these things happened behind this door, a second apart. */
function recordedBehind(door: DoorName, deeds: readonly Deed[]): Entry[] {
  const http = isHttp(door);
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "slow" };
  const post = http ? { http: { method: "POST", path: "/mcp", ...(isModern(door) ? { headers } : {}) } } : {};
  const on = (id: number) => (http ? { on: { id: `${id}` } } : {});
  const accepted = http ? [server(undefined, { on: "post", http: { status: 202 } })] : [];
  const entries: Entry[] = isModern(door)
    ? []
    : [
        client(request(0, "initialize", { protocolVersion: "2025-11-25" }), post),
        server(result(0, { protocolVersion: "2025-11-25" }), {
          ...on(0),
          ...(http ? { http: { status: 200, headers: { "mcp-session-id": "1" } } } : {}),
        }),
      ];
  let id = ID - 1;
  let count = 0;
  const left = () => closed("client", { reason: "aborted" }, on(id));
  const cancelled = () => [client(notice("notifications/cancelled", { requestId: id }), post), ...accepted];
  const WAYS: Readonly<Record<Deed, () => Entry[]>> = {
    ask: () => [client(asking(door, ++id), post)],
    progress: () => [
      server(notice("notifications/progress", { progressToken: id, progress: ++count }), on(id)),
    ],
    answer: () => [server(result(id, { resultType: "complete" }), on(id))],
    log: () => [server(notice("notifications/message", { data: "x" }), http ? { on: "get" } : {})],
    cancel: () => (door === "HTTP, modern" ? [left()] : cancelled()),
    "cancel another": () => [client(other(id), post), ...accepted],
    disconnect: () => [left()],
  };
  for (const deed of deeds) entries.push(...WAYS[deed]());
  return entries.map((entry, index) => ({ ...entry, at: index * 1_000 + 1 }));
}

const nameOf = (message: { method?: string }): Heard => {
  if (message.method === "notifications/progress") return "progress";
  return message.method === "notifications/message" ? "log" : "answer";
};

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe.each(DOORS)("%s", (door) => {
  test.each(RACES.filter(({ not }) => not?.[door] === undefined))("$name", async (race) => {
    const recorded = tape(recordedBehind(door, race.recorded), {
      header: isHttp(door) ? HTTP : STDIO,
      // The first thing comes at once, and each further one waits for its second.
      pace: { factor: 1, max: 1_000 },
    });
    const live = await openDoor(door, recorded);
    let id = ID + 95;
    for (const [index, [deed, ...expected]] of race.live.entries()) {
      if (deed === "ask") await live.say(asking(door, ++id));
      if (deed === "cancel") await cancel(door, live, id);
      if (deed === "cancel another") await live.say(other(id));
      if (deed === "disconnect") await live.leave(id);
      await live.passes(deed === "wait" ? 60_000 : 1_000);
      expect(live.heard().map(nameOf), `${index} ${deed}`).toEqual(race.but?.[door]?.[index] ?? expected);
    }
    const { cancelled, misses, unanswered } = recorded.player.report();
    const label = "tools/call slow";
    const report = (race.reportBut?.[door] ?? race.report).map((each) => ({ label, ...each }));
    expect({ cancelled, misses, unanswered }).toEqual({ cancelled: report, misses: [], unanswered: [] });
  });
});
