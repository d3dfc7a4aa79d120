import type { EventFacts } from "../../exchange/entry.ts";
import type { Turn } from "../model.ts";
import type { Asked } from "./asked.ts";
import { resumesStreams } from "./speech.ts";
import type { Stage } from "./stage.ts";

/**
 * Where a request's messages go. Its stream can end before the answer and go on when the client comes back: then every
 * event bears an id, and the first one nothing else (2025-11-25 basic/transports).
 */
export class AnswerStream {
  readonly #stage: Stage;
  readonly #asked: Asked;
  /** Undefined while events bear no ids. */
  #retry: { readonly ms: number | undefined } | undefined;

  constructor(stage: Stage, asked: Asked) {
    this.#stage = stage;
    this.#asked = asked;
  }

  /** What is sent for this turn may be cut. */
  begin({ steps }: Turn): void {
    const cut = steps.find(({ kind }) => kind === "cut");
    if (cut?.kind !== "cut" || this.#retry || !resumesStreams(this.#asked.client.revision)) return;
    this.#prime(cut.retry);
  }

  send(bytes: Uint8Array): void {
    this.#stage.send(bytes, this.#asked.id, this.#retry && { id: this.#stage.newEventId() });
  }

  /** Nothing happens where a stream cannot be taken up again. */
  cut(ms: number | undefined): void {
    if (!this.#retry) return;
    if (ms !== this.#retry.ms) this.#prime(ms);
    this.#stage.host.streamed?.(this.#asked.id, undefined);
  }

  #prime(ms: number | undefined): void {
    this.#retry = { ms };
    const event: EventFacts = { id: this.#stage.newEventId(), ...(ms === undefined ? {} : { retry: ms }) };
    this.#stage.host.streamed?.(this.#asked.id, event);
  }
}
