import { Faults } from "../../../src/faults/faults.ts";
import { readFaults } from "../../../src/faults/read-faults.ts";
import { readMessage } from "../../../src/protocol/message.ts";
import type { Action } from "../../../src/replay/action.ts";
import type { Carrier, ClientSession } from "../../../src/replay/playing.ts";
import { Visitor, type Visitors } from "../../../src/replay/visitor.ts";
import {
  bytesOf,
  client,
  notice,
  request,
  result,
  type Said,
  server,
  type Tape,
  tape,
  textOf,
} from "../../cases/tape.ts";
import { VirtualTime } from "../../cases/virtual-time.ts";

const CALL = "tools/call";

/** A recording of one tool that reports progress twice before its answer, and of a list. */
export function recorded(faults: string, options: object = {}): Tape {
  const progress = (step: number) => notice("notifications/progress", { progressToken: 1, progress: step });
  return tape(
    [
      client(request(1, CALL, { name: "t", _meta: { progressToken: 1 } })),
      server(progress(1)),
      server(progress(2)),
      server(result(1, { content: [{ type: "text", text: "fine" }] })),
      client(request(2, "tools/list")),
      server(result(2, { tools: [] })),
    ],
    { between: new Faults(readFaults({ file: "f.yaml", text: `faults:\n${faults}` })), ...options },
  );
}

/** A live client of it; time passes when it is told to. */
export class Live {
  readonly time = new VirtualTime();
  readonly session: ClientSession;
  readonly actions: Action[] = [];
  /** Requests that nothing more comes for by itself. */
  readonly rested: string[] = [];
  /** Requests whose answers' connections are to be closed. */
  readonly closing: string[] = [];

  constructor({ player }: Tape, carrier: Carrier = "stdio", visitors: Visitors = [new Visitor()]) {
    const side = {
      carrier,
      carriesStatus: carrier === "http" || carrier === "post",
      timer: this.time.timer,
      act: (action: Action) => void this.actions.push(action),
      rests: (id: string) => void this.rested.push(id),
      closes: (id: string) => void this.closing.push(id),
    };
    this.session = player.connect(side, visitors);
  }

  /** Says something, and answers what came of it in short. */
  say(said: Said): string[] {
    this.session.receive(readMessage(bytesOf(JSON.stringify(said))));
    return this.heard();
  }

  /** Lets time pass. */
  after(ms: number): string[] {
    this.time.pass(ms);
    return this.heard();
  }

  heard(): string[] {
    const closes = this.closing.splice(0).map((id) => `closes ${id}`);
    return [...closes, ...this.actions.splice(0).map(short)];
  }
}

/** Calls the tool, with or without asking for progress. */
export const call = (id: number, withProgress = false) =>
  request(id, CALL, { name: "t", ...(withProgress ? { _meta: { progressToken: id } } : {}) });

export const cancel = (requestId: number) => notice("notifications/cancelled", { requestId });

/** `outcome 1 fine`, `send progress 1`, `crash 7`, `part "abc"`, … */
function short(action: Action): string {
  switch (action.type) {
    case "send":
    case "outcome":
      return [action.type, action.on, said(textOf(action.bytes)), action.event?.id].filter(Boolean).join(" ");
    case "part":
      return `part ${action.on} ${textOf(action.bytes)}${action.last ? " (last)" : ""}`;
    case "status":
      return `status ${action.on} ${action.http.status} ${JSON.stringify(action.http.headers)}`;
    case "event":
      return `event ${action.on} ${JSON.stringify(action.event)}`;
    case "crash":
      return `crash ${action.on} ${action.closed.exit}${action.server ? " server" : ""}`;
    default:
      return `${action.type} ${action.on}`;
  }
}

function said(text: string): string {
  try {
    const { id, method, params, result: value, error } = JSON.parse(text);
    if (method !== undefined) return `progress ${params.progress}`;
    if (error) return `#${id} error ${error.code} ${error.message}`;
    const words =
      value.content?.map((item: { text: string }) => item.text).join("+") ?? JSON.stringify(value);
    return `#${id} ${value.isError ? "failed " : ""}${words.length > 80 ? `${words.length} long` : words}`;
  } catch {
    return `not JSON ${text}`;
  }
}
