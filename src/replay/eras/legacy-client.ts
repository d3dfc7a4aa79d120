import { tokenAt } from "../../exchange/token.ts";
import { memberAt } from "../../protocol/member.ts";
import { type IdToken, type JsonValue, type Message, readMessage } from "../../protocol/message.ts";
import { findSpan } from "../../protocol/scan-json.ts";
import type { Action } from "../action.ts";
import type { Arrival } from "../arrival.ts";
import { paramsOf } from "../key.ts";
import type { Untranslatable } from "../miss.ts";
import { LegacyListening } from "./legacy-listening.ts";
import { type ClientFacts, modernRequest } from "./legacy-requests.ts";
import { InputRound } from "./legacy-round.ts";
import { isEnough } from "./log-levels.ts";
import { joined } from "./members.ts";
import { initializeResult, modernServer } from "./openings.ts";
import { legacyOutcome } from "./outcomes.ts";
import { TASKS_WHY, wayTo } from "./rows.ts";
import type { Asker, TranslationContext, Translator } from "./sides.ts";

interface Request {
  readonly message: Message;
  readonly arrival: Arrival;
}

/** A live client of the legacy era before a modern recording. */
export class LegacyClient implements Translator {
  readonly #context: TranslationContext;
  readonly #inner: Asker;
  readonly #listening: LegacyListening;
  /** Requests that have no answer yet, as the client made them. */
  readonly #requests = new Map<IdToken, Request>();
  /** Those of them that wait for input of the client. */
  readonly #rounds = new Map<IdToken, InputRound>();
  #client: ClientFacts = { info: undefined, capabilities: undefined, version: undefined };
  /** Of log lines, where the client chose one. */
  #logLevel: JsonValue | undefined;

  constructor(context: TranslationContext) {
    this.#context = context;
    this.#inner = context.open({ act: (action) => this.#act(action), rests: context.rests });
    this.#listening = new LegacyListening(context.player, (message) => this.#inner.receive(message));
  }

  asked(message: Message, arrival: Arrival): void {
    this.#listening.turn();
    const way = wayTo("legacy", message.method);
    if (typeof way === "object")
      return this.#refuse(message, { feature: message.method ?? "", why: way.why });
    if (message.method !== "initialize") this.#listening.open(this.#client);
    const make = this.#made[message.method ?? ""];
    if (make) make(message);
    else this.#ask(message, arrival);
  }

  notified(message: Message): boolean {
    if (message.method === "notifications/initialized") this.#listening.open(this.#client);
    if (message.method !== "notifications/cancelled") return false;
    const id = tokenAt(message, ["params", "requestId"]);
    return id !== undefined && this.drop(id);
  }

  answered(message: Message): void {
    this.#listening.turn();
    for (const [id, round] of this.#rounds) {
      const outcome = round.answered(message);
      if (outcome === "not mine") continue;
      if (outcome === "waiting") return;
      this.#rounds.delete(id);
      if (outcome instanceof Uint8Array) this.#askAgain(id, outcome);
      else this.#refuse(round.request, outcome);
      return;
    }
  }

  drop(id: IdToken): boolean {
    if (!this.#requests.delete(id)) return false;
    if (!this.#rounds.delete(id)) this.#inner.drop(id);
    return true;
  }

  isPausing(id: IdToken): boolean {
    return this.#inner.isPausing(id);
  }

  flush(): void {
    this.#inner.flush();
  }

  disconnect(): void {
    this.#requests.clear();
    this.#rounds.clear();
    this.#inner.disconnect();
  }

  /** What the player answers itself. */
  readonly #made: Readonly<Record<string, (message: Message) => void>> = {
    initialize: (message) => this.#initialize(message),
    ping: (message) => this.#tell(message, "{}"),
    "logging/setLevel": (message) => {
      this.#logLevel = memberAt(paramsOf(message), "level");
      this.#tell(message, "{}");
    },
    "resources/subscribe": (message) => this.#subscribe(message),
    "resources/unsubscribe": (message) => {
      this.#listening.unsubscribe(memberAt(paramsOf(message), "uri"));
      this.#tell(message, "{}");
    },
  };

  #initialize(message: Message): void {
    const { recording, tally } = this.#context.player;
    const params = paramsOf(message);
    const server = modernServer(recording);
    if ("why" in server) return this.#refuse(message, server);
    const result = initializeResult(server, memberAt(params, "protocolVersion"));
    this.#client = {
      info: memberAt(params, "clientInfo"),
      capabilities: memberAt(params, "capabilities"),
      version: memberAt(JSON.parse(result) as JsonValue, "protocolVersion"),
    };
    if (server.discovered) tally.hit(server.discovered);
    this.#tell(message, result);
  }

  #subscribe(message: Message): void {
    const uri = memberAt(paramsOf(message), "uri");
    if (this.#listening.subscribe(uri)) return this.#tell(message, "{}");
    this.#refuse(message, {
      feature: "resources/subscribe",
      why: "no recorded subscriptions/listen names this resource",
    });
  }

  #ask(message: Message, arrival: Arrival): void {
    if (findSpan(message.bytes, ["params", "task"])) {
      return this.#refuse(message, { feature: "tasks", why: TASKS_WHY });
    }
    if (message.id !== undefined) this.#requests.set(message.id, { message, arrival });
    this.#inner.receive(modernRequest(message, this.#client), arrival);
  }

  #act(action: Action): void {
    switch (action.type) {
      case "send":
        return this.#said(action);
      case "outcome":
        return this.#outcome(action);
      case "status":
        if (this.#listening.isOwn(action.on)) return;
        if (action.on !== undefined) this.#requests.delete(action.on);
        return this.#context.live.act(action);
      case "crash":
        if (!this.#listening.isOwn(action.on)) this.#context.live.act(action);
        return;
      case "end":
      case "event":
        // Streams of the modern era end with their request, and bear no ids to come back to.
        return;
    }
  }

  #said({ bytes, on }: Extract<Action, { type: "send" }>): void {
    const message = readMessage(bytes);
    if (this.#listening.isOwn(on)) {
      const told = this.#listening.told(on, message);
      if (told) this.#context.live.act({ type: "send", bytes: told, on: undefined, stream: "standalone" });
      return;
    }
    const isHeard =
      message.method !== "notifications/message" ||
      this.#logLevel === undefined ||
      isEnough(message, this.#logLevel);
    if (isHeard) this.#context.live.act({ type: "send", bytes, on, stream: "own" });
  }

  #outcome({ bytes, on }: Extract<Action, { type: "outcome" }>): void {
    const request = on === undefined ? undefined : this.#requests.get(on)?.message;
    if (!request || on === undefined) return;
    const response = readMessage(bytes);
    if (tokenAt(response, ["result", "resultType"]) === '"input_required"')
      return this.#round(request, response);
    const outcome = legacyOutcome(response, request);
    if (!(outcome instanceof Uint8Array)) return this.#refuse(request, outcome);
    this.#requests.delete(on);
    this.#context.live.act({ type: "outcome", bytes: outcome, on });
  }

  /** Asks the client what the recorded server required, and then asks the recording again. */
  #round(request: Message, response: Message): void {
    const { live } = this.#context;
    const round = InputRound.begin(request, {
      response,
      client: this.#client,
      newAskId: () => live.newAskId(),
    });
    if (!(round instanceof InputRound)) return this.#refuse(request, round);
    const id = request.id as IdToken;
    if (round.asks.length === 0) {
      this.#askAgain(id, round.retry());
      return;
    }
    this.#rounds.set(id, round);
    for (const bytes of round.asks) live.act({ type: "send", bytes, on: id, stream: "own" });
  }

  #askAgain(id: IdToken, retry: Uint8Array): void {
    this.#inner.receive(readMessage(retry), this.#requests.get(id)?.arrival);
  }

  #refuse(message: Message, untranslatable: Untranslatable): void {
    if (message.id !== undefined) {
      this.#requests.delete(message.id);
      this.#rounds.delete(message.id);
      this.#inner.continuing.leave(message.id);
    }
    this.#context.live.refuse(message, untranslatable);
  }

  #tell({ id = "null" }: Message, result: string): void {
    const bytes = joined([`{"jsonrpc":"2.0","id":${id},"result":${result}}`]);
    this.#context.live.act({ type: "outcome", bytes, on: id });
  }
}
