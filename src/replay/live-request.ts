import type { Message } from "../protocol/message.ts";
import type { Recorded } from "./candidates.ts";
import type { Start } from "./live-asks.ts";

/** A live client's message that sets a recorded exchange off. */
export interface LiveRequest {
  readonly request: Message;
  /** It was asked more often than it was recorded. */
  readonly repeat: boolean;
  /** Otherwise it begins at the beginning. */
  readonly from?: Start | undefined;
  /** Makes it as if it had never been begun, for whoever counts. */
  readonly takeBack?: (() => void) | undefined;
  /** What may have the answer at hand. */
  readonly recorded?: Pick<Recorded, "answerTo"> | undefined;
}
