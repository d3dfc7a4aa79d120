import type { Exchange, Step, StepRole } from "../exchange/exchange.ts";
import type { Visitors } from "./visitor.ts";

/** A live request that plays a recorded `subscriptions/listen`. */
interface Listening {
  readonly exchange: Exchange;
  /** It is not ended. */
  readonly open: boolean;
}

interface Listener<Live> {
  readonly live: Live;
  /** Who may have sent it. */
  readonly owners: Visitors;
  /** What it listens for: the key of its request. */
  readonly filter: string;
  /** In the place of which recorded listener it hears what a live request sets off. */
  follows?: { readonly listen: Exchange; readonly by: object };
}

/** What a recorded `subscriptions/listen` was told. */
export interface Told {
  readonly listen: Exchange;
  readonly step: Step;
  /** The exchange that set it off. */
  readonly trigger: Exchange;
  /** The live request that plays the trigger. */
  readonly by: object;
}

interface Search extends Told {
  /** The key of the recorded listener. */
  readonly filter: string;
  /** Who may have sent the trigger. */
  readonly owners: Visitors;
}

/**
 * The open `subscriptions/listen` requests of the modern era. There a change is the server's, not a connection's, and a
 * client may listen on one connection and act on another; so all are looked through, the own ones first.
 */
export class Listeners<Live extends Listening> {
  #all: Listener<Live>[] = [];

  add(listener: Listener<Live>): void {
    this.#all = this.#all.filter(({ live }) => live.open);
    this.#all.push(listener);
  }

  /**
   * Who is to hear what a recorded listener heard: the live requests that play its part, and of a change also those
   * that listen for the same and had not begun, or were over, in the recording. Where nobody plays it, those that
   * listen for the same. Never who is told by a notification of their own, and nobody for two recorded
   * listeners at once. A client hears all that it listens for; of
   * other clients one does, the newest.
   */
  find(told: Search): readonly Live[] {
    const heard = this.#hearers(told);
    for (const listener of heard) listener.follows = told;
    return heard.map(({ live }) => live);
  }

  #hearers({ listen, filter, step, trigger, by, owners }: Search): readonly Listener<Live>[] {
    const open = this.#all.filter(({ live }) => live.open);
    const others = new Set(trigger.steps.map(({ listener }) => listener));
    const isOwn = (listener: Listener<Live>) => listener.owners.some((owner) => owners.includes(owner));
    const plays = ({ live }: Listener<Live>) => live.exchange === listen;
    const isAlike = ({ live, follows, ...listener }: Listener<Live>) =>
      listener.filter === filter &&
      !others.has(live.exchange) &&
      (follows?.by !== by || follows.listen === listen);
    const joins = (listener: Listener<Live>) =>
      isChange(step) && isAlike(listener) && !wasOpen(listener.live.exchange, trigger);
    for (const fits of [(listener: Listener<Live>) => plays(listener) || joins(listener), isAlike]) {
      const fitting = open.filter(fits);
      const own = fitting.filter(isOwn);
      if (fitting.length > 0) return own.length > 0 ? own : fitting.slice(-1);
    }
    return [];
  }
}

/** Rather than the subscription's end. */
function isChange({ role, takesBack }: Step): boolean {
  return role === "send" && takesBack === undefined;
}

/** Whether a recorded listener listened when the trigger was pulled. */
function wasOpen({ entry, steps }: Exchange, trigger: Exchange): boolean {
  return entry < trigger.entry && !steps.some((step) => ENDS.has(step.role) && step.entry < trigger.entry);
}

const ENDS: ReadonlySet<StepRole> = new Set(["outcome", "status", "cancel", "crash", "end"]);
