import type { Exchange, Step } from "../exchange/exchange.ts";
import type { IdToken, Message } from "../protocol/message.ts";

/** The server's requests of a live exchange, by their recorded ids. */
export class LiveAsks {
  /** That were not used yet. */
  readonly replies: Map<IdToken, Message>;
  /** Replies that were not waited for. */
  readonly passed = new Map<IdToken, Step>();
  readonly liveIds = new Map<IdToken, IdToken>();

  constructor(replies?: ReadonlyMap<IdToken, Message>) {
    this.replies = new Map(replies);
  }
}

/** Where a recorded exchange waits for its client. */
export interface Waiting {
  readonly exchange: Exchange;
  /** The step that waits. */
  readonly position: number;
  readonly repeat: boolean;
}

/** Where to go on in an exchange, with replies by the recorded ids of the server's requests. */
export interface Start {
  readonly position: number;
  readonly replies: ReadonlyMap<IdToken, Message>;
}
