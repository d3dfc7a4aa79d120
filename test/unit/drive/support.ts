import { WrittenAnswers } from "../../../src/drive/answers.ts";
import { Driver } from "../../../src/drive/driver.ts";
import type { DriveAction } from "../../../src/drive/driver-options.ts";
import type { Refusal } from "../../../src/drive/move.ts";
import { DriveReport } from "../../../src/drive/report.ts";
import { type DriveEnd, script } from "../../../src/drive/script.ts";
import { AUTO, capabilitiesOf, type Doing, type Plan, type Step } from "../../../src/drive/step.ts";
import { type JsonObject, type JsonValue, jsonOf, readMessage } from "../../../src/protocol/message.ts";
import type { Era } from "../../../src/protocol/revisions.ts";

export interface Sent {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: JsonValue;
  readonly error?: JsonObject;
}

/** Answers a message of the client with what a server sends for it; undefined is silence. */
export type Server = (
  sent: Sent,
  tell: (message: JsonObject) => void,
  refuse: (id: number, refusal: Refusal) => void,
) => void;

export interface Fake {
  readonly plan: Plan;
  readonly server: Server;
  readonly era?: Era | undefined;
  readonly door?: "stdio" | "http";
  /** The server is gone when this is asked. */
  readonly goneAt?: string;
}

export interface Ended {
  readonly end: DriveEnd | undefined;
  readonly error: unknown;
  readonly report: DriveReport;
  /** What the client sent, in order; what it did besides as `{ method: "(standalone)" }`. */
  readonly sent: readonly Sent[];
  readonly headers: readonly Readonly<Record<string, string>>[];
}

/** Follows a plan against a server in memory. Time passes only when nothing else can happen. */
export function follow({ plan, server, era, door = "stdio", goneAt }: Fake): Ended {
  const clock = new FakeClock();
  const report = new DriveReport();
  const client = { info: { name: "test", version: "1" }, capabilities: capabilitiesOf(plan) };
  const answers = new WrittenAnswers(plan.answers);
  const inbox: (() => void)[] = [];
  const sent: Sent[] = [];
  const headers: Readonly<Record<string, string>>[] = [];
  const ended: { end?: DriveEnd; error?: unknown } = {};
  const act = (action: DriveAction) => {
    if (action.type !== "send") {
      sent.push({ method: `(${action.type})` });
      return;
    }
    const message = jsonOf(action.message) as unknown as Sent;
    sent.push(message);
    headers.push(action.headers);
    server(
      message,
      (told) => inbox.push(() => driver.receive(messageOf(told))),
      (id, refusal) => inbox.push(() => driver.refused(String(id), refusal)),
    );
  };
  const driver = new Driver({
    course: script({ plan, opening: { era, client, door }, answers, report }),
    client,
    answers,
    door,
    timer: clock.timer,
    act,
    onEnd: (end) => ("result" in end ? Object.assign(ended, { end: end.result }) : Object.assign(ended, end)),
    onNote: (note) => report.notes.push(note),
  });
  driver.start();
  while (!("end" in ended) && !("error" in ended)) {
    const gone = goneAt !== undefined && sent.at(-1)?.method === goneAt;
    const next = inbox.shift();
    if (gone) driver.close("the server is gone");
    else if (next) next();
    else if (!clock.tick()) driver.close("nothing more comes");
  }
  return { end: ended.end, error: ended.error, report, sent, headers };
}

function messageOf(value: JsonObject) {
  return readMessage(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...value })));
}

export class FakeClock {
  #now = 0;

  get now(): number {
    return this.#now;
  }

  readonly #due: { at: number; then: () => void }[] = [];
  readonly timer = (ms: number, then: () => void) => {
    const one = { at: this.#now + ms, then };
    this.#due.push(one);
    return () => {
      const index = this.#due.indexOf(one);
      if (index >= 0) this.#due.splice(index, 1);
    };
  };

  /** Lets time pass to the next timer; false when there is none. */
  tick(): boolean {
    this.#due.sort((a, b) => a.at - b.at);
    const next = this.#due.shift();
    if (!next) return false;
    this.#now = next.at;
    next.then();
    return true;
  }
}

export function planOf(...steps: (Doing | Step)[]): Plan {
  return { ...AUTO, steps: steps.map((step) => ("doing" in step ? step : { doing: step })) };
}

/** A server of an era that answers its methods by a table; what is not in it is unknown. */
export function serverOf(
  era: Era,
  methods: Readonly<Record<string, (params: JsonObject, id: number) => JsonObject>> = {},
  capabilities: JsonObject = { tools: {}, resources: {}, prompts: {} },
): Server {
  const opening: typeof methods =
    era === "legacy"
      ? {
          initialize: () => ({
            result: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "s" } },
          }),
        }
      : { "server/discover": () => ({ result: { supportedVersions: ["2026-07-28"], capabilities } }) };
  const table = { ...opening, ...methods };
  return ({ id, method, params }, tell) => {
    if (id === undefined || method === undefined) return;
    const answer = table[method]?.(params ?? {}, id as number) ?? {
      error: { code: -32601, message: "Method not found" },
    };
    if (Object.keys(answer).length > 0) tell({ id, ...answer });
  };
}

/** The methods a client sent, in order. */
export function methodsOf(sent: readonly Sent[]): string[] {
  return sent.map(({ method, error }) => method ?? (error ? "error" : "result"));
}
