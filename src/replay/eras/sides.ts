import type { IdToken, Message } from "../../protocol/message.ts";
import type { Action } from "../action.ts";
import type { Arrival } from "../arrival.ts";
import type { Continuing } from "../continuing.ts";
import type { Untranslatable } from "../miss.ts";
import type { Timer } from "../pacer.ts";
import type { DoorSide, Playing } from "../playing.ts";
import type { Visitors } from "../visitor.ts";

/** The player's session that is asked in the recording's era, in the live client's name. */
export interface Asker {
  receive(message: Message, arrival?: Arrival): boolean;
  drop(id: IdToken): void;
  resume(id: IdToken): void;
  isPausing(id: IdToken): boolean;
  flush(): void;
  disconnect(): void;
  readonly continuing: Continuing;
}

/** The live client's own session. */
export interface LiveSide {
  act(action: Action): void;
  /** A fresh id for a request of the server. */
  newAskId(): IdToken;
  /** Answers a request with a miss that says what cannot be translated, or, noting that, with an `answer` of its own. */
  refuse(message: Message, untranslatable: Untranslatable, answer?: Uint8Array): void;
}

/** What a translating client is made of. */
export interface TranslationContext {
  readonly player: Playing;
  readonly live: LiveSide;
  /** Who the client may be. */
  readonly visitors: Visitors;
  readonly timer: Timer;
  /** See `DoorSide`. */
  readonly rests: (id: IdToken) => void;
  /** Opens the session in the recording's era; what it does comes to this side. */
  readonly open: (side: Pick<DoorSide, "act"> & { rests(id: IdToken): void }) => Asker;
}

/** A live client of one era before a recording of the other. */
export interface Translator {
  asked(message: Message, arrival: Arrival): void;
  notified(message: Message): boolean;
  answered(message: Message): void;
  /** Whether something will be sent for this request by itself, when its time has come. */
  isPausing(id: IdToken): boolean;
  /** No more is received: what still waits for its time is sent now. */
  flush(): void;
  /** The client is gone. */
  disconnect(): void;
  /** The client gave a request up. False when it is none of those translated. */
  drop(id: IdToken): boolean;
}
