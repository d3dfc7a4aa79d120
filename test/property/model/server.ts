import { META } from "../../../src/protocol/revisions.ts";
import { behaviourOf, type Call, type Doing, endOf, pageOf, type World } from "./world.ts";

export interface Said {
  readonly jsonrpc: "2.0";
  readonly id?: unknown;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages of both sides, read member by member
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: results of every method, read member by member
  readonly result?: any;
  readonly error?: unknown;
}

/** Sends a message of the server that belongs to the request with this id. */
export type Emit = (message: object, on: unknown) => void;

/** A request that the server works on, one step at a time. */
export class Work {
  readonly id: unknown;
  readonly #steps: (() => void)[];
  /** It waits: for an answer of the client, or for ever. */
  blocked = false;
  /** For ever. */
  hangs = false;

  constructor(id: unknown, steps: (() => void)[]) {
    this.id = id;
    this.#steps = steps;
  }

  step(): void {
    this.#steps.shift()?.();
  }
}

/** The server as one client meets it. It does a step of its work only when told to. */
export class ModelServer {
  readonly #world: World;
  readonly #client: string;
  readonly #emit: Emit;
  readonly works: Work[] = [];
  readonly #times = new Map<string, number>();
  readonly #asks = new Map<unknown, Work>();
  #nextAsk = 100;

  constructor(world: World, client: string, emit: Emit) {
    this.#world = world;
    this.#client = client;
    this.#emit = emit;
  }

  receive({ id, method, params }: Said): void {
    if (method === undefined) this.#answered(id);
    else if (method === "notifications/cancelled") this.cancel(params.requestId);
    else if (id !== undefined) this.works.push(this.#work(id, method, params));
  }

  /** Nothing more is said about this request. */
  cancel(id: unknown): void {
    const index = this.works.findIndex((work) => work.id === id);
    if (index >= 0) this.works.splice(index, 1);
  }

  #answered(id: unknown): void {
    const work = this.#asks.get(id);
    if (work) work.blocked = false;
    this.#asks.delete(id);
  }

  #work(id: unknown, method: string, params: Said["params"]): Work {
    const steps: (() => void)[] = [];
    const work = new Work(id, steps);
    const end = (answer: object) =>
      steps.push(() => {
        this.#emit({ jsonrpc: "2.0", id, ...answer }, id);
        this.works.splice(this.works.indexOf(work), 1);
      });
    if (method === "initialize") end({ result: INITIALIZED });
    else if (method === "tools/list")
      end({ result: pageOf(this.#world, this.#client, Number(params?.cursor?.split(":")[1] ?? 0)) });
    else if (method === "tools/call") this.#call(work, steps, { params, end });
    else end({ error: { code: -32601, message: method } });
    return work;
  }

  #call(
    work: Work,
    steps: (() => void)[],
    { params, end }: { params: Said["params"]; end: (answer: object) => void },
  ): void {
    const world = this.#world;
    const call: Call = { do: "call", tool: params.arguments.tool, arg: params.arguments.arg, token: false };
    const { doings, ending } = behaviourOf(world, call);
    const state = this.#stateOf(call, params.requestState);
    const token = params._meta?.progressToken;
    for (let at = state.from; at < doings.length; at++) {
      const doing = doings[at] as Doing;
      if (doing === "ask" && world.era === "modern") {
        const requestState = `${this.#client}|${call.tool}.${call.arg}|${state.nth}|${at + 1}`;
        end({
          result: { resultType: "input_required", requestState, inputRequests: { q: askOf(requestState) } },
        });
        return;
      }
      steps.push(() =>
        this.#do(doing, work, {
          at,
          token,
          name: `${this.#client} ${call.tool}.${call.arg} ${state.nth}.${at}`,
        }),
      );
    }
    if (ending === "hang") {
      steps.push(() => {
        work.blocked = true;
        work.hangs = true;
      });
    } else end(endOf(world, call, this.#client, state.nth));
  }

  #stateOf({ tool, arg }: Call, requestState: string | undefined): { nth: number; from: number } {
    if (requestState !== undefined) {
      const [, , nth, from] = requestState.split("|");
      return { nth: Number(nth), from: Number(from) };
    }
    const nth = this.#times.get(`${tool}.${arg}`) ?? 0;
    this.#times.set(`${tool}.${arg}`, nth + 1);
    return { nth, from: 0 };
  }

  #do(doing: Doing, work: Work, { at, token, name }: { at: number; token: unknown; name: string }): void {
    if (doing === "progress") {
      if (token === undefined) return;
      const params = { progressToken: token, progress: at + 1, message: name };
      this.#emit({ jsonrpc: "2.0", method: "notifications/progress", params }, work.id);
    } else if (doing === "log") {
      this.#emit(
        { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: name } },
        work.id,
      );
    } else {
      const id = this.#nextAsk++;
      this.#asks.set(id, work);
      work.blocked = true;
      this.#emit({ jsonrpc: "2.0", id, ...askOf(name) }, work.id);
    }
  }
}

function askOf(message: string): object {
  return {
    method: "elicitation/create",
    params: { mode: "form", message, requestedSchema: { type: "object", properties: {} } },
  };
}

const INITIALIZED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {}, logging: {} },
  serverInfo: { name: "model", version: "1" },
};

export const MODERN_META = (client: string) => ({
  [META.protocolVersion]: "2026-07-28",
  [META.clientCapabilities]: { elicitation: { form: {} } },
  [META.clientInfo]: { name: client, version: "1" },
  [META.logLevel]: "info",
});
