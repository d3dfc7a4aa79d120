import type { IdToken, Message } from "../../protocol/message.ts";
import type { Asked } from "../finder.ts";
import { inOtherEra } from "../key.ts";
import type { DoorSide, Playing } from "../playing.ts";
import type { Visitors } from "../visitor.ts";
import { LegacyClient } from "./legacy-client.ts";
import { ModernClient } from "./modern-client.ts";
import { isOwnState, requestStateOf } from "./rounds.ts";
import type { Asker, LiveSide, TranslationContext, Translator } from "./sides.ts";
import { Subscriptions } from "./subscriptions.ts";

/** What all clients of a player have in common that are served in another era than the recorded. */
export class Eras {
  readonly #player: Playing;
  readonly #subscriptions = new Subscriptions();

  constructor(player: Playing) {
    this.#player = player;
  }

  for({ live, visitors, door, open }: LiveClient): OtherEra {
    const { carriesStatus, timer, wait } = door;
    const context: TranslationContext = {
      player: this.#player,
      live,
      visitors,
      timer,
      rests: (id) => door.rests?.(id),
      open: (side) => open({ ...side, carriesStatus, timer, ...(wait && { wait }), isForOtherEra: true }),
    };
    return new OtherEra(context, this.#subscriptions);
  }

  /** The mock ends. */
  end(): void {
    this.#subscriptions.end();
  }
}

/** What a connection of a live client is made of. */
export interface Connecting {
  readonly door: DoorSide;
  readonly visitors: Visitors;
  /** Makes of it what it is before a recording of the other era; otherwise that cannot answer it. */
  readonly translate?: ((live: LiveSide) => OtherEra) | undefined;
}

/** A client, before it is known which era it speaks. */
export interface LiveClient {
  readonly live: LiveSide;
  readonly visitors: Visitors;
  readonly door: DoorSide;
  /** Opens a session for it in the recording's era, whose actions go to this side. */
  readonly open: (side: DoorSide) => Asker;
}

/** One live client's way to what was recorded in the other era. Costs nothing before it is needed. */
export class OtherEra {
  readonly #context: TranslationContext;
  readonly #subscriptions: Subscriptions;
  #modern: ModernClient | undefined;
  #legacy: LegacyClient | undefined;

  constructor(context: TranslationContext, subscriptions: Subscriptions) {
    this.#context = context;
    this.#subscriptions = subscriptions;
  }

  /** A request that the recording does not hold in its own era. False when it holds it in no other either. */
  asked({ message, question, arrival }: Asked): boolean {
    const { recording } = this.#context.player;
    const { era, key } = question;
    const other = era === "modern" ? "legacy" : "modern";
    const isTranslated =
      recording.answersTo(inOtherEra(key, era)) !== undefined ||
      (recording.speaks(other) && !recording.speaks(era)) ||
      isOwnState(requestStateOf(message));
    if (!isTranslated) return false;
    (era === "modern" ? this.#modernClient() : this.#legacyClient()).asked(message, arrival);
    return true;
  }

  notified(message: Message): boolean {
    if (message.method === "notifications/initialized" && this.#context.player.recording.era === "modern") {
      return this.#legacyClient().notified(message);
    }
    return this.#clients().some((client) => client.notified(message));
  }

  answered(message: Message): void {
    for (const client of this.#clients()) client.answered(message);
  }

  drop(id: IdToken): boolean {
    return this.#clients().some((client) => client.drop(id));
  }

  isPausing(id: IdToken): boolean {
    return this.#clients().some((client) => client.isPausing(id));
  }

  /** No more is received: what still waits for its time is sent now. */
  flush(): void {
    for (const client of this.#clients()) client.flush();
  }

  /** The client is gone. */
  disconnect(): void {
    for (const client of this.#clients()) client.disconnect();
  }

  #clients(): readonly Translator[] {
    return [this.#modern, this.#legacy].filter((client) => client !== undefined);
  }

  #modernClient(): ModernClient {
    this.#modern ??= new ModernClient(this.#context, this.#subscriptions);
    return this.#modern;
  }

  #legacyClient(): LegacyClient {
    this.#legacy ??= new LegacyClient(this.#context);
    return this.#legacy;
  }
}
