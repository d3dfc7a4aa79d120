import type { IdToken, Message } from "../../protocol/message.ts";
import type { Action } from "../action.ts";
import type { ForwardLog } from "./log.ts";

/** What a forwarder needs of the connection that a live client's request came on. */
export interface LiveSide {
  /** How the client opened its session, in the legacy era. */
  initialize?: Message;
  readonly log: ForwardLog;
  act(action: Action): void;
  /** A fresh id for a request of the server: none that the recording's requests bear. */
  mintAsk(): IdToken;
  notice(text: string): void;
  /** The client gave a request up that the server was to answer. */
  gaveUp(label: string): void;
}
