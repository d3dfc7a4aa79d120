import type { IdToken } from "../protocol/message.ts";
import type { Exchange, Step } from "./exchange.ts";
import type { OpenRequests } from "./open-requests.ts";
import { type AskContext, type Unclaimed, UnclaimedAsks } from "./unclaimed-asks.ts";

/** A request of the server, by its id. */
interface ServerRequest {
  /** The exchange in which it was sent, or what will tell. */
  readonly sender: Exchange | Unclaimed;
  readonly standalone: boolean;
  /** Replied to, or taken back. */
  closed: boolean;
}

/** The server's requests on one connection, and which exchanges they and their replies belong to. */
export class ServerRequests {
  readonly #byId = new Map<IdToken, ServerRequest>();
  readonly #unclaimed = new UnclaimedAsks();
  /** Replies to what was not asked yet, as from a client that is a file in a pipe. */
  readonly #early = new Map<IdToken, Step>();
  readonly #add: (home: Exchange | undefined, step: Step) => void;

  /** `add` puts a step into an exchange whose place in it is known. */
  constructor(add: (home: Exchange | undefined, step: Step) => void) {
    this.#add = add;
  }

  /** Asked in this exchange; undefined where none began yet. */
  ask(home: Exchange | undefined, step: Step): void {
    this.#add(home, step);
    if (home) this.#note(home, step, 0);
  }

  /** Asked in one of several exchanges. */
  askUnclaimed(step: Step, context: AskContext): void {
    this.#note(this.#unclaimed.ask(step, context), step, context.begun);
  }

  /** The client replied. A reply to what is closed, or is never asked, belongs nowhere. */
  reply(id: IdToken, step: Step, begun: number): void {
    const request = this.#byId.get(id);
    if (!request) this.#early.set(id, step);
    else if (!request.closed) this.#close(request, step, begun);
  }

  /** The server took it back. False when there never was such a request. */
  takeBack(id: IdToken, step: Step, begun: number): boolean {
    const request = this.#byId.get(id);
    if (request) this.#close(request, { ...step, takesBack: id }, begun);
    return request !== undefined;
  }

  /** See `UnclaimedAsks`, for this and the next two. */
  answered(exchange: Exchange, open: OpenRequests): void {
    this.#unclaimed.answered(exchange, open);
  }

  cancelled(exchange: Exchange): void {
    this.#unclaimed.cancelled(exchange);
  }

  finish(open: Iterable<Exchange>): void {
    this.#unclaimed.finish(open);
  }

  #note(sender: Exchange | Unclaimed, ask: Step, begun: number): void {
    const { id, standalone } = ask;
    if (id === undefined) return;
    const request = { sender, standalone: standalone === true, closed: false };
    this.#byId.set(id, request);
    const early = this.#early.get(id);
    if (!early) return;
    this.#early.delete(id);
    this.#close(request, { ...early, after: ask }, begun);
  }

  #close(request: ServerRequest, plain: Step, begun: number): void {
    const { standalone, closed } = request;
    let { sender } = request;
    // Only the last of several questions can be open when they are parted.
    while (!closed && "rest" in sender && sender.rest) sender = sender.rest;
    const step: Step = standalone ? { ...plain, standalone } : plain;
    request.closed = true;
    if ("kind" in sender) this.#add(sender, step);
    else if (sender.home) this.#add(sender.home, step);
    else if (closed) sender.steps.push(step);
    else this.#unclaimed.closed(sender, step, begun);
  }
}
