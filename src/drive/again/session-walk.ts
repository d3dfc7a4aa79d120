import { memberAt } from "../../protocol/member.ts";
import { type JsonObject, jsonOf, type Message } from "../../protocol/message.ts";
import { labelOf } from "../../protocol/methods.ts";
import { claimedVersion, eraOfRequest } from "../../protocol/revisions.ts";
import { paramsOf } from "../../replay/key.ts";
import type { Outlined } from "../../rerecord/outline.ts";
import type { Course, Outcome } from "../move.ts";
import { mayBePair } from "../opening.ts";
import { DEFAULT_TIMEOUT } from "../step.ts";
import type { AgainContext, OwnConnection } from "./again-context.ts";
import { FurtherPages } from "./further-pages.ts";
import { Heard } from "./heard.ts";
import { hindranceOf } from "./hindrances.ts";
import { LostRequests } from "./lost-requests.ts";
import { MadeRequests, type Settled } from "./made-requests.ts";
import { refusalOf } from "./permits.ts";
import { messageAt } from "./places.ts";
import { pollInterval, wantsAnotherPoll } from "./polls.ts";
import { RecordedAnswers } from "./recorded-answers.ts";
import {
  answerAt,
  type Deed,
  deedsOf,
  isRefused,
  openingFor,
  opensStandalone,
  reasonAt,
  reopeningFor,
} from "./recorded-session.ts";
import type { Progress } from "./turns.ts";

/** Milliseconds that what came in the recording may be later than there, besides as long again. */
const PATIENCE = 1_000;

/**
 * One recorded connection, made again as a client: each message when everything has come that had come before it in the
 * recording, on other connections too. Requests that were in flight at the same time are so again.
 */
export class SessionWalk implements Progress {
  readonly #context: AgainContext;
  readonly #own: OwnConnection;
  /** Ordinals of its first and its last entry. */
  readonly begins: number;
  readonly #ends: number;
  readonly #heard: Heard;
  readonly #answers: RecordedAnswers;
  readonly #pages: FurtherPages;
  readonly #made = new MadeRequests();
  /** Of each request that the server may answer by a question: whether it did. */
  readonly #asksBack = new Map<string, boolean>();
  readonly #lost = new LostRequests();
  #version: string | undefined;
  /** Why nothing more can be asked. */
  #over: string | undefined;
  /** Milliseconds since the recording began, of what was done last. */
  #lastAt = 0;
  /** Ordinal of the entry with what is done next. */
  #next: number;

  constructor(context: AgainContext, own: OwnConnection) {
    const { outline, names, report } = context;
    const { session } = own;
    this.#context = context;
    this.#own = own;
    this.begins = outline.sessions.indexOf(session);
    this.#ends = outline.sessions.lastIndexOf(session);
    this.#next = this.begins;
    this.#heard = new Heard(outline, session, report.leftOut);
    this.#answers = new RecordedAnswers(outline, names, session);
    this.#pages = new FurtherPages(context.timeout, (method, page) => {
      if (method === "tools/list") context.permits.learn(page);
    });
  }

  readonly replyTo = (asked: Message): Message | "none" | undefined => this.#answers.replyTo(asked);
  readonly onHeard = (message: Message): void => {
    this.#heard.hear(this.#context.names.echoes.asRecorded(message));
    this.#context.onProgress();
  };
  readonly hasHeard = (ordinal: number): boolean => this.#heard.upTo(ordinal);
  readonly giveUp = (ordinal: number): void => this.#heard.giveUp(ordinal);

  hasReached(ordinal: number): boolean {
    return this.#next >= ordinal && this.#made.settledBefore(ordinal)() && !this.#lost.any;
  }

  /** Until what it has before its own last entry is done; its link ends then, as it did in the recording. */
  *run(): Course<void> {
    const { outline, report } = this.#context;
    const { session, onBorrowed } = this.#own;
    const opening = openingFor(outline, session);
    for (const outlined of opening) {
      if (outlined.exchange.kind === "request") yield* this.#open(outlined);
      else yield* this.#notify(outlined);
    }
    if (opening.length > 0) onBorrowed();
    for (const deed of deedsOf(outline, session)) {
      yield* this.#catchUp(deed.at);
      if (deed.kind === "request") yield* this.#request(deed);
      else if (deed.kind === "notify") yield* this.#notify(deed.outlined);
      else if (deed.kind === "malformed") report.withhold(deed.outlined, "malformed");
      else yield* this.#cancel(deed);
      this.#lastAt = this.#timeOf(deed.at);
    }
    yield* this.#catchUp(this.#ends + 1);
  }

  /** Waits for what had come before an entry. */
  *#catchUp(ordinal: number): Course<void> {
    const { timeout, turns, onProgress } = this.#context;
    this.#next = Math.min(ordinal, this.#ends);
    onProgress();
    // Each has a time limit of its own; that of a subscription ends when it is acknowledged.
    const ms = Math.max(timeout, DEFAULT_TIMEOUT) + PATIENCE;
    yield { type: "watch", until: this.#made.settledBefore(ordinal), ms };
    if (this.#lost.any) {
      yield* this.#reopen();
      return yield* this.#catchUp(ordinal);
    }
    yield* this.#pages.walk();
    yield { type: "watch", until: () => turns.isTurn(this.#own.session, ordinal) };
    if (turns.haveHeard(ordinal)) return;
    const recorded = this.#timeOf(Math.min(ordinal, this.#context.outline.count - 1)) - this.#lastAt;
    const patience = Math.min(timeout, PATIENCE + 2 * Math.max(0, recorded));
    yield { type: "watch", until: () => turns.haveHeard(ordinal), ms: patience };
    turns.giveUp(ordinal);
  }

  *#request({ outlined }: Deed): Course<void> {
    const { report, outline, permits, onProgress } = this.#context;
    const { exchange } = outlined;
    const message = messageAt(outline.entries, exchange);
    const params = paramsOf(message);
    if (this.#isMoot(outlined, message)) return report.moot(outlined);
    const reason = this.#reasonAgainst(outlined) ?? (yield* refusalOf(message, permits, onProgress));
    if (reason !== undefined) return report.withhold(outlined, reason);
    if (eraOfRequest({ method: message.method, params }) === "modern") {
      yield* this.#speak("modern", claimedVersion(params));
    }
    if (exchange.method === "initialize") return yield* this.#open(outlined);
    yield* this.#begin(outlined);
    if (exchange.method === "tasks/get") yield* this.#poll(outlined);
  }

  #reasonAgainst(outlined: Outlined): string | undefined {
    const { outline, names, report, reveal } = this.#context;
    const lacking = names.lacking(outlined.exchange);
    const echoes = names.echoes.isOf(messageAt(outline.entries, outlined.exchange), report.leftOut);
    if (echoes || (lacking && report.unborn.has(lacking.number))) {
      return "goes on with what was not asked either";
    }
    return this.#over ?? hindranceOf(outline, outlined, reveal);
  }

  /** The server gave no occasion for it this time: no further page, no task, no question to answer. */
  #isMoot({ exchange }: Outlined, message: Message): boolean {
    if (this.#over !== undefined) return false;
    const { names, report } = this.#context;
    const lacking = names.lacking(exchange);
    if (lacking) return !report.unborn.has(lacking.number);
    const params = paramsOf(message);
    if (memberAt(params, "inputResponses") === undefined) return false;
    return this.#asksBack.get(labelOf(message.method ?? "", params)) === false;
  }

  *#begin(outlined: Outlined): Course<void> {
    const { names, outline, report, reveal, timeout } = this.#context;
    const { exchange } = outlined;
    report.asking(outlined);
    const index = outline.indexOf(exchange);
    const made = this.#made.begin(outlined);
    yield {
      type: "begin",
      method: exchange.method ?? "",
      compose: (id) => {
        made.id = id;
        if (index !== undefined) this.#heard.begun(index, id);
        return reveal(names.write(exchange, id));
      },
      timeout: this.#isFirst ? Math.max(timeout, DEFAULT_TIMEOUT) : timeout,
      settled: (outcome, message) => this.#settled(outlined, { made, outcome, message }),
    };
  }

  /** A server that is only just being started, or even fetched, may take its time. */
  get #isFirst(): boolean {
    return this.#made.count <= 1;
  }

  #settled(outlined: Outlined, { made, outcome, message }: Settled): void {
    const { names, outline, permits, report, onProgress } = this.#context;
    const { exchange } = outlined;
    made.outcome = outcome;
    onProgress();
    if (this.#lost.take(outlined, outcome)) return void this.#own.lost.add(made.id);
    if (outcome.kind === "timeout") this.#own.timedOut.add(made.id);
    if (outcome.kind === "timeout" || outcome.kind === "refused") report.allAnswered &&= isRefused(exchange);
    if (outcome.kind === "refused") report.noteStatus(outcome.status);
    const answer = answerAt(exchange);
    if (answer && message) names.pair(answer, message, exchange.method);
    if (outcome.kind !== "result") return;
    if (exchange.method === "tools/list") permits.learn(outcome.result);
    const asked = messageAt(outline.entries, exchange);
    const label = labelOf(exchange.method ?? "", paramsOf(asked));
    this.#asksBack.set(label, outcome.result.resultType === "input_required");
    const recorded = answer && (memberAt(jsonOf(messageAt(outline.entries, answer)), "result") as JsonObject);
    this.#pages.note(asked, { recorded, live: outcome.result });
  }

  /** The session is over, so there has to be a new one (2025-11-25 basic/transports, session management). */
  *#reopen(): Course<void> {
    const { outline, report } = this.#context;
    report.noteOnce(
      "the server lost the session; opened a new one, and asked again what it had not answered",
    );
    for (const outlined of reopeningFor(outline, this.#own.session)) {
      if (outlined.exchange.kind === "request") yield* this.#open(outlined);
      else yield* this.#notify(outlined);
    }
    for (const outlined of this.#lost.givenBack()) yield* this.#begin(outlined);
  }

  *#outcomeOf(outlined: Outlined): Course<Outcome | undefined> {
    const made = this.#made.of(outlined);
    yield { type: "watch", until: () => made?.outcome !== undefined };
    return made?.outcome;
  }

  *#open(outlined: Outlined): Course<void> {
    yield* this.#begin(outlined);
    let outcome = yield* this.#outcomeOf(outlined);
    if (outcome && this.#context.door === "http" && mayBePair(outcome)) {
      const paired = yield { type: "pair" };
      if (paired.kind === "done") {
        yield* this.#begin(outlined);
        outcome = yield* this.#outcomeOf(outlined);
      }
    }
    const answer = answerAt(outlined.exchange);
    const wasOpened = answer !== undefined && !messageAt(this.#context.outline.entries, answer).isError;
    if (outcome?.kind === "result") yield* this.#speak("legacy", outcome.result.protocolVersion);
    else if (wasOpened) {
      this.#over = "the connection could not be opened";
      this.#context.report.allOpened = false;
    }
  }

  *#speak(era: "legacy" | "modern", version: unknown): Course<void> {
    if (typeof version !== "string" || version === this.#version) return;
    this.#version = version;
    yield { type: "speak", era, version };
  }

  /** Asks on until the task is as far as it was, or has ended. */
  *#poll(outlined: Outlined): Course<void> {
    const { outline, timeout } = this.#context;
    const answer = answerAt(outlined.exchange);
    const recorded = answer && memberAt(jsonOf(messageAt(outline.entries, answer)), "result");
    for (let waited = 0; waited < timeout; ) {
      const outcome = yield* this.#outcomeOf(outlined);
      if (outcome?.kind !== "result" || !wantsAnotherPoll(recorded, outcome.result)) return;
      const ms = pollInterval(outcome.result);
      yield { type: "wait", ms };
      waited += ms;
      yield* this.#begin(outlined);
    }
  }

  *#notify(outlined: Outlined): Course<void> {
    const { names, door, outline, reveal, report } = this.#context;
    const { exchange } = outlined;
    if (this.#over !== undefined || !names.knowsRequestsIn(exchange) || names.lacking(exchange)) {
      return report.withhold(outlined, "has no occasion");
    }
    yield { type: "send", message: reveal(names.write(exchange)) };
    if (exchange.method !== "notifications/initialized" || door !== "http") return;
    if (opensStandalone(outline, this.#own.session)) yield { type: "standalone" };
  }

  /** Gives a request up as late as it was, unless it is answered before. */
  *#cancel({ at, outlined }: Deed): Course<void> {
    const made = this.#made.of(outlined);
    if (!made) return;
    const { exchange } = outlined;
    const before = exchange.steps.findLast(({ entry, role }) => entry < at && role !== "cancel");
    const pause = this.#timeOf(at) - this.#timeOf(before?.entry ?? exchange.entry);
    const ms = Math.min(this.#context.timeout, Math.max(0, pause));
    yield { type: "watch", until: () => made.outcome !== undefined, ms };
    const reason = reasonAt(this.#context.outline, at);
    if (made.outcome === undefined) yield { type: "stop", id: made.id, reason };
    made.outcome ??= { kind: "done" };
  }

  #timeOf(ordinal: number): number {
    return this.#context.outline.times[ordinal] ?? 0;
  }
}
