import { readMessage, textOf } from "../../../src/protocol/message.ts";
import { META } from "../../../src/protocol/revisions.ts";
import type { Miss } from "../../../src/replay/miss.ts";
import { AjvSchemas } from "../../../src/scenario/ajv/ajv-schemas.ts";
import { type Held, loadScenario } from "../../../src/scenario/load-scenario.ts";
import type { Scenario } from "../../../src/scenario/model.ts";
import type { Use } from "../../../src/scenario/serve/host.ts";
import { ScenarioServer } from "../../../src/scenario/serve/scenario-server.ts";
import { VirtualTime } from "../../cases/virtual-time.ts";

export type Json = Record<string, unknown>;

/** Loads a scenario from texts and values by file name; the first is the one that is loaded. */
export function load(files: Readonly<Record<string, string | object>>): Promise<Scenario> {
  const held = (file: string): Held => {
    const found = files[file];
    if (found === undefined) throw new Error(`no file ${file}`);
    return typeof found === "string" ? { text: found } : { value: found };
  };
  return loadScenario(Object.keys(files)[0] as string, {
    resolve: (_from, named) => named,
    open: async (file) => held(file),
  });
}

export const schemas = new AjvSchemas(new Set(["draft-07", "2019-09", "2020-12"]));

/** What crossed the wire, for comparing: `<` to the client. */
export interface Sent {
  readonly on: string;
  readonly message: Json;
  readonly event?: object | undefined;
}

/** A client of one server of a scenario, whose time passes when it is told to. */
export class Bench {
  readonly time = new VirtualTime();
  readonly sent: Sent[] = [];
  readonly texts: string[] = [];
  /** Of streams, what is no message: an event, or the end. */
  readonly streamed: { readonly on: string; readonly event: object | undefined }[] = [];
  readonly misses: Miss[] = [];
  readonly uses: Use[] = [];
  readonly unsent: string[] = [];
  readonly server: ScenarioServer;
  #id = 0;

  constructor(scenario: Scenario) {
    this.server = new ScenarioServer(scenario, {
      send: ({ bytes }, on, event) => {
        this.texts.push(textOf(bytes));
        this.sent.push({ on, message: JSON.parse(textOf(bytes)) as Json, ...(event ? { event } : {}) });
      },
      streamed: (on, event) => this.streamed.push({ on, event }),
      timer: this.time.timer,
      now: () => this.time.now,
      schemas,
      miss: (miss) => this.misses.push(miss),
      used: (use) => this.uses.push(use),
      unsent: (method) => this.unsent.push(method),
    });
  }

  static async of(text: string | object): Promise<Bench> {
    await schemas.load();
    return new Bench(await load({ "s.yaml": text }));
  }

  send(message: Json): void {
    this.#receive(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  /** Text that JSON.stringify would not write; what came of it. */
  raw(text: string): readonly string[] {
    const from = this.texts.length;
    this.#receive(text);
    this.time.pass(1000);
    return this.texts.slice(from);
  }

  #receive(text: string): void {
    this.server.receive(readMessage(new TextEncoder().encode(text)));
  }

  request(method: string, params?: Json, id: number | string = ++this.#id): Json[] {
    const from = this.sent.length;
    this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return this.sent.slice(from).map(({ message }) => message);
  }

  /** The one answer to a request. */
  ask(method: string, params?: Json): Json {
    const id = ++this.#id;
    this.request(method, params, id);
    this.time.pass(1000);
    return this.answerTo(id);
  }

  answerTo(id: number | string): Json {
    const answers = this.sent.filter(({ message }) => message.id === id && message.method === undefined);
    if (answers.length !== 1) throw new Error(`${answers.length} answers to ${id}`);
    return answers[0]?.message as Json;
  }

  initialize(version = "2025-11-25", capabilities: Json = {}): Json {
    const clientInfo = { name: "test", version: "1" };
    const answer = this.ask("initialize", { protocolVersion: version, capabilities, clientInfo });
    this.send({ method: "notifications/initialized" });
    return answer;
  }

  call(name: string, args: Json = {}): Json {
    return this.ask("tools/call", { name, arguments: args });
  }
}

/** `_meta` of a modern request. */
export function modern(capabilities: Json = {}, more: Json = {}): { _meta: Json } {
  return {
    _meta: {
      [META.protocolVersion]: "2026-07-28",
      [META.clientCapabilities]: capabilities,
      [META.clientInfo]: { name: "test", version: "1" },
      ...more,
    },
  };
}

export function textIn(answer: Json): unknown {
  const result = answer.result as { content?: { text?: string }[] } | undefined;
  return result?.content?.[0]?.text ?? answer;
}
