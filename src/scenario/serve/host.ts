import type { ListName } from "../../drive/pages.ts";
import type { EventFacts } from "../../exchange/entry.ts";
import type { IdToken, Message } from "../../protocol/message.ts";
import type { Miss } from "../../replay/miss.ts";
import type { Timer } from "../../replay/pacer.ts";
import type { Reply } from "../model.ts";
import type { Schemas } from "../schemas.ts";
import type { RunningTask } from "./tasks/running-task.ts";

/** Whatever a scenario's server runs on. */
export interface Host {
  /**
   * Sends a message to the client. `on`: the request on whose response stream it goes, `standalone` for what concerns
   * none. `event`: what it bears as an event of that stream.
   */
  send(message: Message, on: IdToken | "standalone", event?: EventFacts): void;
  /** Of a request's stream over HTTP: an event without a message; the end before the answer, when undefined. */
  streamed?(on: IdToken, event: EventFacts | undefined): void;
  /** Nothing more comes for a request before the client says something. */
  rests?(on: IdToken): void;
  /** A task of another client that this one may be: in the modern era nothing tells for certain. */
  taskElsewhere?(id: string): RunningTask | undefined;
  /** Lets time pass that the scenario writes down. */
  readonly timer: Timer;
  /** Keeps an outcome apart from the notification before it; `timer` where there is none of its own. */
  readonly apart?: Timer;
  /** Milliseconds. */
  now(): number;
  readonly schemas: Schemas;
  /** Notes a miss that the client is told of. */
  miss(miss: Miss, explanation: string): void;
  /** Told of a notification that a modern client has no way to hear of. */
  unsent?(method: string): void;
  /** Told of what is used, for the report. */
  used?(use: Use): void;
}

export type Use =
  | { readonly kind: "reply"; readonly reply: Reply }
  | { readonly kind: "page"; readonly list: ListName; readonly page: number; readonly of: number };
