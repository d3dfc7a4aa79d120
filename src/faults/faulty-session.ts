import { tokenAt } from "../exchange/token.ts";
import { eachMessage, type IdToken, type Message } from "../protocol/message.ts";
import { labelOf } from "../protocol/methods.ts";
import type { Action } from "../replay/action.ts";
import type { Arrival } from "../replay/arrival.ts";
import { paramsOf } from "../replay/key.ts";
import type { Carrier, ClientSession, DoorSide, Live } from "../replay/playing.ts";
import { Flow } from "./flow.ts";
import { responseTo } from "./kinds/bytes.ts";
import type { Strike } from "./strike.ts";
import { Waits } from "./waits.ts";

export interface FaultySessionOptions {
  /** What strikes a request, which counts. */
  readonly strikesOf: (request: Message) => readonly Strike[];
  readonly live: Live;
  /** The player's own session, for a door that hears of all it does. */
  readonly open: (door: DoorSide) => ClientSession;
}

/** On these all messages come on one stream, one after the other. */
const SHARED: ReadonlySet<Carrier> = new Set(["stdio", "sse"]);

/**
 * Stands between a door and the player's session: requests that a fault strikes are answered by way of their faults,
 * everything else passes.
 */
export class FaultySession implements ClientSession {
  readonly #strikesOf: (request: Message) => readonly Strike[];
  readonly #live: Live;
  readonly #carrier: Carrier;
  readonly #inner: ClientSession;
  readonly #waits: Waits;
  readonly #flows = new Map<IdToken, Flow>();
  /** The request whose answer is being written on the shared stream, and what waits for its end. */
  #writing: IdToken | undefined;
  readonly #behind: Action[] = [];
  #eventIds = 0;

  constructor({ strikesOf, live, open }: FaultySessionOptions) {
    const { door } = live;
    this.#strikesOf = strikesOf;
    this.#live = live;
    this.#carrier = door.carrier ?? "memory";
    this.#waits = new Waits(door.wait ?? door.timer);
    this.#inner = open({
      ...door,
      act: (action) => this.#played(action),
      // Answers may be held back, or sent twice.
      roomFor: undefined,
      rests: (id) => this.#rests(id),
    });
  }

  receive(message: Message, arrival: Arrival = {}): boolean {
    if (message.kind === "batch" && message.scan.items.length > 0) {
      const taken = [...eachMessage(message)].map((one) => this.receive(one, arrival));
      return taken.includes(true);
    }
    if (message.method === "notifications/cancelled" && !arrival.flaws?.length)
      return this.#cancelled(message, arrival);
    // A request that breaks the transport's rules is refused before any server would look at it.
    const isSound = message.kind === "request" && message.id !== undefined && !arrival.flaws?.length;
    const strikes = isSound ? this.#strikesOf(message) : [];
    if (strikes.length === 0) return this.#inner.receive(message, arrival);
    const flow = new Flow(message, strikes, {
      carrier: this.#carrier,
      act: (action) => this.#act(action),
      wait: (ms, then) => this.#waits.start(ms, then),
      newEventId: () => `fault-${++this.#eventIds}`,
      closes: () => this.#live.door.closes?.(message.id as IdToken),
      moved: (moved) => this.#settle(moved),
    });
    this.#flows.set(message.id as IdToken, flow);
    return this.#run(flow, arrival);
  }

  drop(id: IdToken): void {
    this.#giveUp(id, () => this.#inner.drop(id));
  }

  close(): void {
    this.#inner.close();
  }

  disconnect(): void {
    for (const flow of this.#flows.values()) flow.end();
    this.#flows.clear();
    this.#inner.disconnect();
  }

  flush(): void {
    this.#inner.flush();
    this.#waits.hurry();
  }

  isPausing(id: IdToken): boolean {
    return this.#flows.get(id)?.holding === true || this.#inner.isPausing(id);
  }

  resume(id: IdToken): void {
    const flow = this.#flows.get(id);
    if (!flow?.resume()) return this.#inner.resume(id);
    this.#settle(flow);
  }

  owesStatus(id: IdToken): boolean {
    return this.#flows.get(id)?.owesStatus === true;
  }

  #run(flow: Flow, arrival: Arrival): boolean {
    const { request } = flow;
    let taken = true;
    if (flow.instead) {
      this.#live.player.options.onReceived?.(request);
      flow.take({ type: "outcome", bytes: responseTo(request, "result", {}), on: request.id });
    } else taken = this.#inner.receive(request, arrival);
    this.#settle(flow);
    return taken;
  }

  /** What the player would have done. */
  #played(action: Action): void {
    const flow = action.on === undefined ? undefined : this.#flows.get(action.on);
    if (!flow || (action.type === "send" && action.stream === "standalone")) return this.#act(action);
    flow.take(action);
  }

  #act(action: Action): void {
    const isItsPart = action.type === "part" && action.on === this.#writing;
    if (this.#writing !== undefined && !isItsPart && action.type !== "crash") {
      this.#behind.push(action);
      return;
    }
    if (action.type === "part" && SHARED.has(this.#carrier))
      this.#writing = action.last ? undefined : action.on;
    this.#live.door.act(action);
    if (this.#writing === undefined && this.#behind.length > 0) {
      for (const each of this.#behind.splice(0)) this.#act(each);
    }
  }

  #settle(flow: Flow): void {
    const id = flow.request.id as IdToken;
    if (this.#flows.get(id) !== flow) return;
    if (flow.done) this.#flows.delete(id);
    this.#rests(id);
  }

  #rests(id: IdToken): void {
    if (!this.isPausing(id)) this.#live.door.rests?.(id);
  }

  #cancelled(message: Message, arrival: Arrival): boolean {
    const id = tokenAt(message, ["params", "requestId"]);
    const flow = id === undefined ? undefined : this.#flows.get(id);
    // It is too late for what is being written.
    if (id === undefined || !flow || flow.writing) return this.#inner.receive(message, arrival);
    if (!flow.cancel()) {
      // The server goes on, so the player is not to know.
      this.#live.player.options.onReceived?.(message);
      this.#settle(flow);
      return true;
    }
    this.#giveUp(id, () => this.#inner.receive(message, arrival));
    return true;
  }

  /** Ends what is on its way for a request; the player tells of it in the report where it has not done its part yet. */
  #giveUp(id: IdToken, tellPlayer: () => void): void {
    const flow = this.#flows.get(id);
    const { cancelled } = this.#live.player.tally;
    const before = cancelled.length;
    const unsent = flow?.held ?? 0;
    flow?.end();
    this.#flows.delete(id);
    tellPlayer();
    this.#rests(id);
    if (!flow || cancelled.length > before) return;
    const label = labelOf(flow.request.method ?? "", paramsOf(flow.request));
    cancelled.push({ label, recorded: false, unsent });
  }
}
