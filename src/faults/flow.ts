import type { Message } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Carrier } from "../replay/playing.ts";
import { afterEvents, type Out, type Stage } from "./stage.ts";
import type { Strike } from "./strike.ts";

/** What a flow needs of the connection that it runs on. */
export interface Course {
  readonly carrier: Carrier;
  act(action: Action): void;
  /** Returns what calls it off. */
  wait(ms: number, then: () => void): () => void;
  newEventId(): string;
  /** The connection of the answer is closed with it. */
  closes(): void;
  /** Something that was waited for has happened. */
  moved(flow: Flow): void;
}

/** A fault in the place of the answer, by its place in the list. */
interface Standing {
  readonly index: number;
  struck(): void;
}

/** The way of one struck answer from the player to the client, through one fault after the other. */
export class Flow {
  readonly request: Message;
  /** The recording is not asked. */
  readonly instead: boolean;
  readonly #course: Course;
  readonly #stages: readonly Stage[];
  readonly #waits = new Set<() => void>();
  #isStatusOwed: boolean;
  #isWriting = false;
  #standing: Standing | undefined;
  #stood = false;
  /** The player has given its answer, and the client has got one. */
  #given = false;
  #answered = false;
  #over = false;

  constructor(request: Message, strikes: readonly Strike[], course: Course) {
    this.request = request;
    this.#course = course;
    this.instead = strikes.some(({ deed, afterEvents: events }) => deed.kind.instead && events === 0);
    this.#isStatusOwed = strikes.some(({ deed }) => deed.kind.isStatus);
    let next = (action: Action) => this.#leave(action);
    const stages: Stage[] = [];
    for (const [index, strike] of [...strikes.entries()].reverse()) {
      const stage = this.#stage(strike, index, next);
      stages.unshift(stage);
      next = (action) => stage.take(action);
    }
    this.#stages = stages;
  }

  /** Something is on its way, or nothing ever will be. */
  get holding(): boolean {
    return this.#waits.size > 0 || this.#stages.some(({ holding }) => holding);
  }

  /** Nothing more comes this way. */
  get done(): boolean {
    return this.#over || (this.#given && this.#answered && !this.holding);
  }

  /** An HTTP status is still to come. */
  get owesStatus(): boolean {
    return this.#isStatusOwed && !this.#over;
  }

  /** The answer has begun and is not whole. */
  get writing(): boolean {
    return this.#isWriting;
  }

  /** Messages that are held back. */
  get held(): number {
    return this.#stages.reduce((sum, { held }) => sum + (held ?? 0), 0);
  }

  take(action: Action): void {
    if (ENDS.has(action.type)) this.#given = true;
    if (!this.#over) this.#stages[0]?.take(action);
  }

  /** False when the server goes on all the same; else nothing more comes. */
  cancel(): boolean {
    // Each is told, so that none holds back what another lets go.
    const defiant = this.#stages.filter((stage) => stage.cancelled?.());
    if (defiant.length > 0) return false;
    this.end();
    return true;
  }

  resume(): boolean {
    return this.#stages.some((stage) => stage.resumed?.());
  }

  end(): void {
    this.#over = true;
    for (const callOff of this.#waits) callOff();
    this.#waits.clear();
  }

  #stage(
    { deed, afterEvents: events, struck, draw }: Strike,
    index: number,
    next: (action: Action) => void,
  ): Stage {
    let isStruck = false;
    let draws = 0;
    const out: Out = {
      request: this.request,
      carrier: this.#course.carrier,
      afterEvents: events,
      next: (action) => {
        if (!this.#over) next(action);
      },
      wait: (ms, then) => this.#wait(ms, then),
      struck: () => {
        if (isStruck) return;
        isStruck = true;
        if (deed.kind.instead) this.#standIn({ index, struck }, deed.kind.silent === true);
        else struck();
      },
      // The first draw of a request decides whether it is struck.
      random: () => draw(++draws),
      newEventId: () => this.#course.newEventId(),
      closes: () => this.#course.closes(),
    };
    const stage = deed.stage(out);
    return deed.kind.counts ? stage : afterEvents(out, stage);
  }

  /** Of several that stand in the place of the answer, the last one does. It strikes when the client sees it. */
  #standIn(standing: Standing, silent: boolean): void {
    if (this.#standing && standing.index < this.#standing.index) return;
    this.#standing = standing;
    if (silent) this.#stands();
  }

  #stands(): void {
    if (this.#stood) return;
    this.#stood = this.#standing !== undefined;
    this.#standing?.struck();
  }

  #wait(ms: number, then: () => void): void {
    let fired = false;
    let callOff: (() => void) | undefined;
    const fire = () => {
      fired = true;
      if (callOff) this.#waits.delete(callOff);
      then();
      this.#course.moved(this);
    };
    callOff = this.#course.wait(ms, fire);
    if (!fired) this.#waits.add(callOff);
  }

  #leave(action: Action): void {
    if (action.type === "status" || action.type === "forget") this.#isStatusOwed = false;
    if (action.type === "part") this.#isWriting = !action.last;
    if (action.type !== "send") this.#stands();
    if (ENDS.has(action.type) || (action.type === "part" && action.last)) this.#answered = true;
    this.#course.act(action);
  }
}

const ENDS: ReadonlySet<Action["type"]> = new Set(["outcome", "status", "crash", "forget"]);
