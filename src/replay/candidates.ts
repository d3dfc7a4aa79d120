import type { Exchange } from "../exchange/exchange.ts";
import type { Message } from "../protocol/message.ts";
import type { Client } from "./clients.ts";
import { groupsOf } from "./groups.ts";
import type { Without } from "./question.ts";

/** An exchange and what is asked of it: what the index holds. */
export interface Recorded {
  /** Its place among all exchanges, from 0. */
  readonly number: number;
  readonly exchange: Exchange;
  readonly client: Client | undefined;
  /** Canonical `params.inputResponses` of a retry. */
  readonly inputs: string | undefined;
  /** How it leaves out optional arguments. */
  readonly without: Without | undefined;
  /** The `authorization` the client showed, redacted, over HTTP. */
  readonly authorization: string | undefined;
  /** The client gave a progress token. */
  readonly withToken: boolean;
  /** Asked in a way that broke the rules of HTTP transport, so it answers nobody who keeps them. */
  improper: boolean;
  /** Its answer to a live request, where that is to be had without reading an entry; see `RecordedCall`. */
  answerTo?(request: Message, roomFor: (length: number) => Uint8Array): Uint8Array;
}

/** What besides the question tells recordings of it apart. */
export interface Shown {
  readonly authorization: string | undefined;
  readonly inputs: string | undefined;
  readonly without: Without | undefined;
  /** HTTP answers without a message can be given. */
  readonly carriesStatus: boolean;
}

/** Numbers of those that have more than one are odd. */
let made = 1;

/**
 * Recordings of one question in wire order, of which the n-th answers the n-th time it is asked. Each way to sort them
 * is worked out once, so that a long list costs no more to choose from than a short one.
 */
export class Candidates {
  /** Within a recording no others have it. */
  readonly number: number;
  readonly all: readonly Recorded[];
  #bySession: ReadonlyMap<number, readonly Recorded[]> | undefined;
  /** Made where there is something to sort: most questions were recorded once. */
  #bySessions: WeakMap<readonly number[], readonly Recorded[]> | undefined;
  #withMessages: Candidates | undefined;
  #byAuthorization: Sorting | undefined;
  #byInputs: Sorting | undefined;
  #byWithout: Sorting | undefined;
  #byAnswer: ReadonlyMap<string, Recorded> | undefined;

  constructor(all: readonly Recorded[], number?: number) {
    this.all = all;
    if (number === undefined) made += 2;
    this.number = number ?? made;
  }

  /** The only recording of a question: however often they are made, they are the same candidates. */
  static ofOne(recorded: Recorded): Candidates {
    return new Candidates([recorded], 2 * recorded.number);
  }

  /** By recorded connection, in the order of their numbers. */
  get bySession(): ReadonlyMap<number, readonly Recorded[]> {
    this.#bySession ??= new Map(
      [...groupsOf(this.all, ({ exchange }) => exchange.session)].sort(([a], [b]) => a - b),
    );
    return this.#bySession;
  }

  /** Those of some recorded connections, in wire order; all where these have none, or none are given. */
  of(sessions: readonly number[] | undefined): readonly Recorded[] {
    if (!sessions || this.all.length === 1) return this.all;
    this.#bySessions ??= new WeakMap();
    let found = this.#bySessions.get(sessions);
    if (!found) {
      const among = new Set(sessions);
      const own = this.all.filter(({ exchange }) => among.has(exchange.session));
      found = own.length > 0 ? own : this.all;
      this.#bySessions.set(sessions, found);
    }
    return found;
  }

  /** Those that fit what the client shows; some fit always. */
  fitting({ authorization, inputs, without, carriesStatus }: Shown): Candidates {
    if (this.all.length === 1) return this;
    const answering = carriesStatus ? this.#authorizedBy(authorization) : this.#answeringWithMessages();
    const alike = without === undefined ? answering : answering.#leftOut(without);
    // Of several recorded rounds, those with the same input; with none, any, and the difference is reported.
    return inputs === undefined ? alike : (alike.#sortedByInputs().get(inputs) ?? alike);
  }

  /**
   * The same answer to the same connection, as it was given to a client that asked for progress as this one does: with
   * or without. Only the former shows what progress there was.
   */
  alike(recorded: Recorded, withToken: boolean, answerOf: (recorded: Recorded) => string): Recorded {
    if (recorded.withToken === withToken || this.all.length === 1) return recorded;
    const kind = (each: Recorded, token: boolean) => `${each.exchange.session} ${token} ${answerOf(each)}`;
    this.#byAnswer ??= this.all.every((each) => each.withToken === recorded.withToken)
      ? new Map()
      : new Map(this.all.toReversed().map((each) => [kind(each, each.withToken), each]));
    return this.#byAnswer.size === 0 ? recorded : (this.#byAnswer.get(kind(recorded, withToken)) ?? recorded);
  }

  #answeringWithMessages(): Candidates {
    this.#withMessages ??= this.#only(
      ({ exchange }) => !exchange.steps.some(({ role, listener }) => role === "status" && !listener),
    );
    return this.#withMessages;
  }

  /**
   * Where one question was recorded with and without credentials (a 401, then the answer), the client gets what was
   * recorded for what it shows. Otherwise credentials do not matter: a mock needs none.
   */
  #authorizedBy(authorization: string | undefined): Candidates {
    this.#byAuthorization ??= this.#sorted((recorded) => recorded.authorization);
    const sorting = this.#byAuthorization;
    if (sorting.size === 1) return this;
    return (
      sorting.get(authorization) ?? (authorization === undefined ? this : this.#withCredentials(sorting))
    );
  }

  #withCredentials(sorting: Sorting): Candidates {
    const some = sorting.get(SOME) ?? this.#only((recorded) => recorded.authorization !== undefined);
    sorting.set(SOME, some);
    return some;
  }

  /** Where optional arguments were recorded left out in both ways, those of the one; otherwise the ways are the same. */
  #leftOut(without: Without): Candidates {
    this.#byWithout ??= this.#sorted((recorded) => recorded.without);
    return this.#byWithout.get(without) ?? this;
  }

  #sortedByInputs(): Sorting {
    this.#byInputs ??= this.#sorted((recorded) => recorded.inputs);
    return this.#byInputs;
  }

  #sorted(by: (recorded: Recorded) => string | undefined): Sorting {
    const groups = groupsOf(this.all, by);
    if (groups.size === 1) return new Map([...groups.keys()].map((value) => [value, this]));
    return new Map([...groups].map(([value, group]) => [value, new Candidates(group)]));
  }

  #only(condition: (recorded: Recorded) => boolean): Candidates {
    const some = this.all.filter(condition);
    return some.length === 0 || some.length === this.all.length ? this : new Candidates(some);
  }
}

type Sorting = Map<string | symbol | undefined, Candidates>;

/** All that were recorded with credentials, whichever. */
const SOME = Symbol("with credentials");
