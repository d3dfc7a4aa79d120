import { tokenAt } from "../../exchange/token.ts";
import { type IdToken, type JsonObject, type Message, readMessage } from "../../protocol/message.ts";
import { labelOf } from "../../protocol/methods.ts";
import { findSpan } from "../../protocol/scan-json.ts";
import type { Action } from "../action.ts";
import type { Arrival } from "../arrival.ts";
import { paramsOf } from "../key.ts";
import type { Untranslatable } from "../miss.ts";
import { isEnough } from "./log-levels.ts";
import { joined } from "./members.ts";
import { Listening } from "./modern-listening.ts";
import {
  capabilityMissing,
  inputRequired,
  lackingIn,
  legacyRequest,
  logLevelOf,
  type Round,
  refused,
  responseWith,
  urlAsks,
} from "./modern-requests.ts";
import { retryOf, timesRecorded } from "./modern-retry.ts";
import { discoverResult, firstResult, legacyServerInfo } from "./openings.ts";
import { codeOf, modernOutcome } from "./outcomes.ts";
import { REQUEST_STATE } from "./recordable.ts";
import { pendingAsks, requestStateOf, stateAnew, stateOf, timesAnew, withoutRetry } from "./rounds.ts";
import { RoundsApart } from "./rounds-apart.ts";
import { MAY_ASK, wayTo } from "./rows.ts";
import type { Asker, TranslationContext, Translator } from "./sides.ts";
import type { Subscriptions } from "./subscriptions.ts";

const URL_ELICITATION = "-32042";

/** A live client of the modern era before a legacy recording. */
export class ModernClient implements Translator {
  readonly #context: TranslationContext;
  readonly #inner: Asker;
  readonly #listening: Listening;
  readonly #rounds: RoundsApart;
  /** Requests that have no answer yet. */
  readonly #requests = new Map<IdToken, Message>();
  /** Ids of the recorded server's requests that wait for a reply, by the request in which it asked. */
  readonly #asks = new Map<IdToken | undefined, Message[]>();
  #serverInfo: { readonly bytes: Uint8Array | undefined } | undefined;

  constructor(context: TranslationContext, subscriptions: Subscriptions) {
    this.#context = context;
    this.#rounds = new RoundsApart(context.timer);
    this.#inner = context.open({ act: (action) => this.#act(action), rests: (id) => this.#rests(id) });
    this.#listening = new Listening(subscriptions, {
      player: context.player,
      owners: context.visitors,
      ask: (message) => this.#inner.receive(message),
      act: (action) => context.live.act(action),
    });
  }

  asked(message: Message, arrival: Arrival): void {
    const refusal = refused(message);
    if (refusal) return this.#tell(message, refusal);
    const way = wayTo("modern", message.method);
    if (typeof way === "object")
      return this.#refuse(message, { feature: message.method ?? "", why: way.why });
    if (message.method === "server/discover") return this.#discover(message);
    if (message.method !== "subscriptions/listen") return this.#ask(message, arrival);
    const unheard = this.#listening.begin(message);
    if (unheard) return this.#refuse(message, unheard);
    if (message.id !== undefined) this.#context.rests(message.id);
  }

  notified(message: Message): boolean {
    const id = message.method === "notifications/cancelled" && tokenAt(message, ["params", "requestId"]);
    return typeof id === "string" && this.drop(id);
  }

  /** In the modern era clients answer in the retry of a request. */
  answered(): void {}

  drop(id: IdToken): boolean {
    if (this.#listening.drop(id) || this.#rounds.drop(id)) return true;
    if (!this.#requests.delete(id)) return false;
    this.#inner.drop(id);
    return true;
  }

  isPausing(id: IdToken): boolean {
    return this.#rounds.has(id) || this.#inner.isPausing(id);
  }

  flush(): void {
    this.#inner.flush();
    this.#rounds.flush();
  }

  disconnect(): void {
    this.#requests.clear();
    this.#rounds.clear();
    this.#listening.disconnect();
    this.#inner.disconnect();
  }

  #ask(message: Message, arrival: Arrival): void {
    if (message.id !== undefined) this.#requests.set(message.id, message);
    const retry = retryOf(message, this.#context.player);
    if (retry === "first") this.#inner.receive(legacyRequest(withoutRetry(message)), arrival);
    else if (retry === "strange") {
      this.#refuse(message, {
        feature: REQUEST_STATE,
        why: "this client's retry bears no state that it was given for this request",
      });
    }
    // What is still missing is asked for again (2026-07-28 basic/patterns/mrtr, Error Handling).
    else if (!retry.isWhole) this.#require(message, { asks: retry.asks, state: stateOf(retry.from) });
    else this.#inner.continuing.goOn(legacyRequest(message), retry.from, retry.replies);
  }

  #discover(message: Message): void {
    const { recording, tally } = this.#context.player;
    const opening = firstResult(recording, "initialize");
    if (!opening) {
      return this.#refuse(message, {
        feature: "server/discover",
        why: "it is answered from the server's answer to initialize, which was not recorded",
      });
    }
    // Used, but no request that was recorded is answered: a client may but probe.
    tally.heard(opening.recorded);
    this.#tell(message, joined(['"result":', discoverResult(opening)]));
  }

  #act(action: Action): void {
    switch (action.type) {
      case "send":
        return this.#said(action);
      case "outcome":
        return this.#outcome(action);
      case "status":
        if (action.on !== undefined) this.#requests.delete(action.on);
        return this.#context.live.act(action);
      case "end":
        // Nobody comes back to a stream in the modern era.
        if (action.on !== undefined) this.#inner.resume(action.on);
        return;
      case "event":
        return;
      case "crash":
        return this.#context.live.act(action);
    }
  }

  #said({ bytes, on }: Extract<Action, { type: "send" }>): void {
    const message = readMessage(bytes);
    const request = on === undefined ? undefined : this.#requests.get(on);
    if (message.kind === "request") {
      this.#asks.set(on, [...(this.#asks.get(on) ?? []), message]);
      return;
    }
    const way = wayTo("modern", message.method);
    if (way === "listen") return this.#listening.announce(message);
    if (message.method === "notifications/cancelled") return this.#tookBack(message, on);
    const isHeard = way === "same" || (way === "log" && isEnough(message, logLevelOf(request)));
    // A response stream carries what belongs to its request, and nothing after the answer.
    if (!isHeard || !request || on === undefined) return;
    this.#rounds.notified(on);
    this.#context.live.act({ type: "send", bytes, on, stream: "own" });
  }

  /** The recorded server no longer waits for what it asked. */
  #tookBack(message: Message, on: IdToken | undefined): void {
    const id = tokenAt(message, ["params", "requestId"]);
    const left = this.#asks.get(on)?.filter((ask) => ask.id !== id) ?? [];
    if (left.length > 0) this.#asks.set(on, left);
    else this.#asks.delete(on);
  }

  #outcome(action: Extract<Action, { type: "outcome" }>): void {
    const { on, bytes } = action;
    const response = readMessage(bytes);
    if (on !== undefined && this.#listening.answered(on, response)) return;
    const request = on === undefined ? undefined : this.#requests.get(on);
    if (!request) return;
    this.#asks.delete(on);
    if (codeOf(response) === URL_ELICITATION) return this.#urlElicitations(request, response);
    const outcome = modernOutcome(response, request.method, this.#info());
    if (!(outcome instanceof Uint8Array)) return this.#refuse(request, outcome);
    this.#requests.delete(on as IdToken);
    this.#rounds.answered(on as IdToken);
    this.#context.live.act({ type: "outcome", bytes: outcome, on });
  }

  #info(): Uint8Array | undefined {
    this.#serverInfo ??= { bytes: legacyServerInfo(this.#context.player.recording) };
    return this.#serverInfo.bytes;
  }

  /** Nothing more comes for a request before its client replies: so it is asked. */
  #rests(id: IdToken): void {
    const asks = this.#asks.get(id);
    this.#asks.delete(id);
    if (asks) this.#settle(asks, this.#requests.get(id));
    this.#context.rests(id);
  }

  #settle(asks: readonly Message[], request: Message | undefined): void {
    const pings = asks.filter(({ method }) => method === "ping");
    const questions = asks.filter(({ method }) => method !== "ping");
    const first = questions[0];
    for (const ping of pings) this.#replyAsRecorded(ping);
    if (!first) return;
    if (request && MAY_ASK.has(request.method)) return this.#round(request, questions);
    if (request) {
      const label = labelOf(request.method ?? "", paramsOf(request));
      this.#context.player.options.onNotice?.(
        `During ${label} the recorded server asked ${first.method}, for which the modern era has no place there; what follows is what was recorded.`,
      );
    }
    for (const ask of questions) this.#replyAsRecorded(ask);
  }

  #replyAsRecorded({ id }: Message): void {
    if (id !== undefined) this.#inner.continuing.replyAsRecorded(id);
  }

  #round(request: Message, questions: readonly Message[]): void {
    const id = request.id as IdToken;
    const from = this.#inner.continuing.waiting(id);
    const strange = questions.find(({ method }) => wayTo("modern", method) !== "round");
    const isTask = questions.some(({ bytes }) => findSpan(bytes, ["params", "task"]) !== undefined);
    if (!from || strange || isTask) {
      return this.#refuse(request, {
        feature: strange?.method ?? (isTask ? "tasks" : "a request of the server"),
        why: "the modern era has no input round for it",
      });
    }
    const asks = pendingAsks(from, this.#context.player.recording);
    this.#require(request, { asks, state: stateOf(from) });
  }

  #require(request: Message, round: Round): void {
    const lacking = lackingIn(request, round);
    if (lacking && request.id !== undefined) this.#inner.continuing.takeBack(request.id);
    this.#leave(request);
    const tell = () => {
      if (lacking) this.#lacks(request, lacking, round.asks[0]?.message.method);
      else this.#tell(request, inputRequired(round, this.#info()));
    };
    if (request.id !== undefined) this.#rounds.tell(request.id, tell);
  }

  /** A modern server turns such a client away; that the recording then answers nothing is to be known. */
  #lacks(request: Message, lacking: JsonObject, method: string | undefined): void {
    const feature = method ?? "an input round";
    const why = `the recorded server asks it of the client, which did not declare ${JSON.stringify(lacking)}`;
    this.#context.live.refuse(request, { feature, why }, responseWith(request, capabilityMissing(lacking)));
  }

  /** A legacy client opens the URLs and asks again (2025-11-25 client/elicitation): in the modern era that is a round. */
  #urlElicitations(request: Message, response: Message): void {
    const asks = urlAsks(response);
    const times = 1 + (timesAnew(requestStateOf(request)) ?? 0);
    const isOver = times > timesRecorded(request, this.#context.player);
    if (asks.length > 0 && !isOver && MAY_ASK.has(request.method)) {
      return this.#require(request, { asks, state: stateAnew(times) });
    }
    this.#refuse(request, {
      feature: `error ${URL_ELICITATION}`,
      why: isOver
        ? "in the recording the client opened the URLs and asked no more"
        : "the modern era asks for URLs in an input round, and the recorded error names none",
    });
  }

  #leave({ id }: Message): void {
    if (id === undefined) return;
    this.#requests.delete(id);
    this.#asks.delete(id);
    this.#inner.continuing.leave(id);
  }

  #refuse(message: Message, untranslatable: Untranslatable): void {
    this.#leave(message);
    this.#context.live.refuse(message, untranslatable);
  }

  /** Sends a response with this member. */
  #tell(request: Message, member: Uint8Array): void {
    this.#context.live.act({
      type: "outcome",
      bytes: responseWith(request, member),
      on: request.id ?? "null",
    });
  }
}
