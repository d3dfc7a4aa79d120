import type { EventFacts } from "../../exchange/entry.ts";
import { tokenAt } from "../../exchange/token.ts";
import { memberAt, rowOf } from "../../protocol/member.ts";
import {
  eachMessage,
  type IdToken,
  type JsonObject,
  type Message,
  readMessage,
} from "../../protocol/message.ts";
import type { Revision } from "../../protocol/revisions.ts";
import { everyTurn } from "../effects.ts";
import { Undecided } from "../exact-order.ts";
import type { Effect, Scenario, TaskPlan, Turn } from "../model.ts";
import { needsChecker } from "../needs-checker.ts";
import { opaque } from "../random.ts";
import type { SchemaChecker } from "../schemas.ts";
import { render, renderObject, type Scope } from "../template.ts";
import { type Asked, askedBy } from "./asked.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { Desk } from "./desk.ts";
import { Feeds, isListened } from "./feeds.ts";
import { Greeting } from "./greeting.ts";
import type { Host } from "./host.ts";
import { METHODS } from "./methods.ts";
import { explained, missOf, type Unanswered, type Unknown, undecidedWords, unknownMiss } from "./miss.ts";
import { Queue } from "./queue.ts";
import { Resumptions } from "./resumptions.ts";
import { Run } from "./run.ts";
import type { RpcError } from "./settled.ts";
import { asResult, INVALID_PARAMS, METHOD_NOT_FOUND } from "./speech.ts";
import type { OnAnswer, Stage } from "./stage.ts";
import { methodSubject, type Subject } from "./subject.ts";
import { Tasks } from "./tasks/tasks.ts";
import { Timeline } from "./timeline.ts";
import type { Underway, Way } from "./way.ts";
import { errorBytes, resultBytes } from "./wire.ts";
import { World } from "./world.ts";

/** As the error of a miss on a recording. */
const MISS_CODE = -32010;

const NO_SCOPE: Scope = { args: {}, params: {}, answers: {}, state: {}, client: {}, nth: 0 };

/**
 * The server that a scenario describes, for one client: messages in, messages out. It speaks as the client opens, in the
 * legacy era or request by request in the modern one, and the same messages have the same answers in every run.
 */
export class ScenarioServer implements Stage, Desk {
  readonly scenario: Scenario;
  readonly world: World;
  readonly host: Host;
  readonly feeds: Feeds;
  readonly tasks: Tasks;
  readonly #greeting: Greeting;
  readonly #timeline: Timeline;
  readonly #runs = new Map<IdToken, Run>();
  readonly #asks = new Map<IdToken, OnAnswer>();
  readonly #turns = new Map<string, Turn>();
  readonly #resumptions: Resumptions;
  /** What the client does waits until schemas can be checked. */
  readonly #queue = new Queue();
  #nextAsk = 0;
  #nextEvent = 0;
  /** Nobody is there that could be sent anything. */
  #left = false;
  #closed = false;

  constructor(scenario: Scenario, host: Host) {
    this.scenario = scenario;
    this.host = host;
    this.world = new World(scenario, () => host.now());
    this.feeds = new Feeds((bytes, on) => this.send(bytes, on));
    this.tasks = new Tasks(this);
    this.#resumptions = new Resumptions(scenario.seed);
    this.#greeting = new Greeting(scenario);
    this.#timeline = new Timeline(scenario, host, (effect) => this.perform(effect, this.#eventScope()));
    for (const { turn } of everyTurn(scenario)) this.#turns.set(turn.id, turn);
  }

  get checker(): SchemaChecker | undefined {
    return this.host.schemas.loaded;
  }

  /** No client of the legacy era has come. */
  get isModern(): boolean {
    return !this.feeds.legacy;
  }

  receive(message: Message): void {
    for (const one of eachMessage(message)) this.#queue.do(() => this.#receiveOrWait(one));
  }

  /** The client closed the response stream of a request, which gives it up in the modern era. */
  drop(id: IdToken): void {
    this.#queue.do(() => this.#drop(id));
  }

  /** The client is gone. What it asked for before counts all the same. */
  close(): void {
    this.#left = true;
    this.#queue.do(() => this.#close());
  }

  send(bytes: Uint8Array, on: IdToken | "standalone", event?: EventFacts): void {
    if (!this.#left) this.host.send(readMessage(bytes), on, event);
  }

  newEventId(): string {
    return opaque(`${this.scenario.seed} event ${this.#nextEvent++}`);
  }

  ask(onAnswer: OnAnswer): IdToken {
    const id = String(this.#nextAsk++);
    this.#asks.set(id, onAnswer);
    return id;
  }

  perform(effect: Effect, scope: Scope): void {
    switch (effect.kind) {
      case "set":
        return this.world.set(renderObject(effect.state, scope));
      case "notify":
        if (!this.feeds.legacy && !isListened(effect.method)) this.host.unsent?.(effect.method);
        this.feeds.notify(effect.method, effect.params && renderObject(effect.params, scope));
        return;
      case "update":
        for (const uri of effect.uris) this.feeds.updated(String(render(uri, scope)));
        return;
      case "show":
        return this.feeds.changed(this.world.lists.show(effect.names, effect.shown));
    }
  }

  beginTask(run: Underway, plan: TaskPlan): Way {
    // The request is over with that: its cancellation is no more the task's.
    this.#runs.delete(run.asked.id);
    const way = this.tasks.begin(run, plan);
    this.answered(run.asked);
    return way;
  }

  turn(id: string): Turn | undefined {
    return this.#turns.get(id);
  }

  remember(turn: Turn): void {
    this.#turns.set(turn.id, turn);
  }

  answered(asked: Asked): void {
    this.#timeline.answered(asked);
  }

  capabilities(revision: Revision): JsonObject {
    return capabilitiesOf(this.scenario, revision);
  }

  setLogLevel(level: string): void {
    this.#greeting.logLevel = level;
  }

  result(asked: Asked, result: JsonObject, cached: boolean): undefined {
    this.send(
      resultBytes(asked.id, asResult(result, asked.client.revision, { scenario: this.scenario, cached })),
      asked.id,
    );
    this.answered(asked);
  }

  error(asked: Asked, error: RpcError): undefined {
    this.send(errorBytes(asked.id, error), asked.id);
    this.answered(asked);
  }

  unknown(asked: Asked, error: RpcError, unknown: Unknown): undefined {
    if (this.scenario.unknown === "refuse") return this.error(asked, error);
    this.miss({ asked, reason: "unwritten", ...unknownMiss(unknown) });
  }

  miss(unanswered: Unanswered): undefined {
    const { id } = unanswered.asked;
    this.send(errorBytes(id, this.missed(unanswered)), id);
  }

  missed(unanswered: Unanswered): RpcError {
    const miss = missOf(unanswered, this.scenario);
    const explanation = explained(miss);
    this.host.miss(miss, explanation);
    const data = JSON.parse(JSON.stringify(miss)) as JsonObject;
    return { code: MISS_CODE, message: `mcp-vcr: ${explanation}`, data };
  }

  #receiveOrWait(message: Message): void {
    if (this.checker || !needsChecker(message, this.scenario)) this.#receive(message);
    else this.#queue.until(this.host.schemas.load(), () => this.#receive(message));
  }

  #drop(id: IdToken): void {
    if (!this.feeds.end(id)) this.#runs.get(id)?.cancel();
    this.#runs.delete(id);
    this.tasks.leave(id);
  }

  #close(): void {
    this.#closed = true;
    this.#timeline.end();
    for (const run of this.#runs.values()) run.cancel();
    this.#runs.clear();
    this.tasks.close();
  }

  #receive(message: Message): void {
    if (this.#closed) return;
    if (message.kind === "response") return this.#answer(message);
    if (message.kind === "notification") return this.#notified(message);
    if (message.kind === "request") this.#asked(message);
  }

  #answer(message: Message): void {
    const onAnswer = message.id === undefined ? undefined : this.#asks.get(message.id);
    if (message.id === undefined || !onAnswer) return;
    this.#asks.delete(message.id);
    onAnswer(message);
  }

  #notified(message: Message): void {
    if (message.method !== "notifications/cancelled") return;
    const id = tokenAt(message, ["params", "requestId"]);
    if (id !== undefined) this.drop(id);
  }

  #asked(message: Message): void {
    const greeted = this.#greeting.of(message);
    if ("error" in greeted) {
      this.send(errorBytes(message.id ?? "null", greeted.error), message.id ?? "null");
      return;
    }
    this.feeds.legacy ||= greeted.client.revision.era === "legacy";
    this.#timeline.begin();
    const asked = askedBy(message, greeted.client);
    if (greeted.result)
      return this.result(asked, greeted.result(this.capabilities(greeted.client.revision)), true);
    this.#answerTo(asked);
  }

  #answerTo(asked: Asked): void {
    const custom = this.scenario.methods.find(({ method }) => method === asked.method);
    if (custom) return this.#run(asked, methodSubject(custom, asked));
    const method = this.#methodFor(asked);
    if (!method) return this.#noMethod(asked);
    try {
      const subject = method.answer(asked, this);
      if (subject) this.#run(asked, subject);
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      this.miss({ asked, reason: "unfit", why: undecidedWords(error) });
    }
  }

  #methodFor({ method, client }: Asked): (typeof METHODS)[string] | undefined {
    const row = rowOf(METHODS, method);
    if (!row || !this.#greeting.knows(method, client.revision)) return undefined;
    const { era } = client.revision;
    const capability = (era === "modern" ? row.modern : undefined) ?? row.capability;
    const there = memberAt(this.capabilities(client.revision), ...capability);
    return there === undefined || there === false ? undefined : row;
  }

  #noMethod(asked: Asked): void {
    const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${asked.method}` };
    // What the protocol has and this server does not is answered so by any server.
    if (Object.hasOwn(METHODS, asked.method) || this.#greeting.isProtocol(asked.method))
      return this.error(asked, error);
    const known = this.scenario.methods.map(({ method }) => method);
    this.unknown(asked, error, { what: "method", name: asked.method, known, hidden: undefined });
  }

  #run(asked: Asked, subject: Subject): void {
    const run = new Run(this, asked, subject);
    this.#runs.set(asked.id, run);
    if (asked.client.revision.era === "legacy") run.start();
    else this.#goOn(run, asked);
    for (const [id, each] of this.#runs) if (each.over) this.#runs.delete(id);
  }

  /** In the modern era a request may be one that is sent again with what the server asked for. */
  #goOn(run: Run, asked: Asked): void {
    const brought = this.#resumptions.of(asked.params);
    if (typeof brought !== "string") return run.go(brought);
    run.cancel();
    this.error(asked, { code: INVALID_PARAMS, message: `Invalid params: ${brought}` });
  }

  #eventScope(): Scope {
    return { ...NO_SCOPE, state: this.world.state };
  }
}
