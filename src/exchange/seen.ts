import type { Message } from "../protocol/message.ts";
import type { Entry } from "./entry.ts";

/** A message, and where in the recording it stands. */
export interface Seen {
  readonly entry: Entry;
  readonly ordinal: number;
  readonly item: number;
  readonly message: Message;
}
