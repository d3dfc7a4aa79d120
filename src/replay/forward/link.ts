import type { EventFacts, HttpFacts, On } from "../../exchange/entry.ts";
import type { IdToken, Message } from "../../protocol/message.ts";

/** HTTP header fields, names in lower case. */
export type HeaderFields = Readonly<Record<string, string>>;

/** A connection to the real server, opened for one live client. */
export interface Link {
  /** Sends one message. `headers` are for HTTP: those of the live client's request, or what the message demands. */
  send(message: Message, headers?: HeaderFields): void;
  /** Gives up a request by closing its response stream; undefined where a cancellation is a message. */
  readonly drop: ((id: IdToken) => void) | undefined;
  /** Resolves when it is over; from then on, and meanwhile, nothing is reported. */
  close(): Promise<void>;
}

/** How a message of the server came, over HTTP. */
export interface Arrived {
  readonly on?: On | undefined;
  readonly http?: HttpFacts | undefined;
  readonly event?: EventFacts | undefined;
}

/** Whoever a link reports to. */
export interface LinkSide {
  message(message: Message, arrived: Arrived): void;
  /** A request will not be answered; `reason` goes on after "the real server". */
  refused(id: IdToken, reason: string): void;
  /** Of a request's stream over HTTP: an event without a message; the end before the answer, when undefined. */
  streamed(id: IdToken, event: EventFacts | undefined): void;
  /** Nothing more comes for a request before the client says something. */
  rests(id: IdToken): void;
  /** Nothing more comes; `reason` goes on after "the real server". */
  closed(reason: string): void;
}
