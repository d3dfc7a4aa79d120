import type { DriveAction } from "../drive/driver-options.ts";
import { type IdToken, readMessage } from "../protocol/message.ts";
import type { Seen } from "./entry-sink.ts";
import type { Recorder, Tape } from "./recorder.ts";

/**
 * Stands before the recorder of a driver that has to ask which era its server speaks. A legacy server does not know the
 * question, and its refusal would turn away whoever speaks the modern era alone, for whom a cassette without it is
 * translated: so it is left out, as if the driver had known.
 */
export class EraQuestion implements Tape {
  readonly #recorder: Recorder;
  /** What passed since it was asked, and when; undefined once the era is known. */
  #held: { readonly seen: Seen; readonly now: number }[] | undefined = [];
  /** Ids of what was left out, whose answers may come late. */
  readonly #leftOut = new Set<IdToken | undefined>();
  /** Connections that were left out. */
  #connections: number | undefined;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** Told of what the driver does, before it is done. */
  acts(action: DriveAction): void {
    if (action.type !== "send" || action.message.kind !== "request") return;
    const { method } = action.message;
    if (method === "initialize") this.#leaveOut();
    else if (method !== "server/discover") this.settle();
  }

  /** What was held back is recorded after all. */
  settle(): void {
    for (const { seen, now } of this.#held ?? []) this.#recorder.put(seen, now);
    this.#held = undefined;
    this.#recorder.flush();
  }

  put(seen: Seen): void {
    if (this.#held) this.#held.push({ seen, now: Date.now() });
    else if (this.#leftOut.size === 0) this.#recorder.put(seen);
    else this.#putAfter(seen);
  }

  add(seen: Seen): void {
    this.put(seen);
    this.flush();
  }

  flush(): void {
    if (!this.#held) this.#recorder.flush();
  }

  fail(error: unknown): void {
    this.#recorder.fail(error);
  }

  #leaveOut(): void {
    for (const { seen } of this.#held ?? []) {
      if (seen.from === "client" && seen.raw) this.#leftOut.add(readMessage(seen.raw).id);
    }
    this.#held = undefined;
  }

  /** Over HTTP the question came on a connection of its own, and connections count from 1. */
  #putAfter(seen: Seen): void {
    this.#connections ??= seen.session - 1;
    const session = seen.session - this.#connections;
    if (session > 0 && !this.#answersLate(seen)) this.#recorder.put({ ...seen, session });
  }

  #answersLate({ from, raw }: Seen): boolean {
    if (from !== "server" || !raw) return false;
    const { kind, id } = readMessage(raw);
    return kind === "response" && id !== undefined && this.#leftOut.has(id);
  }
}
