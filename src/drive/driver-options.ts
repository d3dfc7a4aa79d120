import type { IdToken, Message } from "../protocol/message.ts";
import type { Timer } from "../replay/pacer.ts";
import type { Answers } from "./answers.ts";
import type { ClientProfile } from "./composer.ts";
import type { Course } from "./move.ts";

/** What a driver wants its link to do. */
export type DriveAction =
  /** `headers` are those that MCP wants over HTTP. */
  | { readonly type: "send"; readonly message: Message; readonly headers: Readonly<Record<string, string>> }
  /** Closes the response stream of a request, which cancels it in the modern era over HTTP. */
  | { readonly type: "abandon"; readonly id: IdToken }
  | { readonly type: "standalone" }
  | { readonly type: "pair" };

/** Where a message of the server came in, over HTTP. */
export interface Via {
  /** The request whose response brought it. */
  readonly on?: IdToken | undefined;
  readonly status?: number | undefined;
}

export interface DriverOptions<Result> {
  readonly course: Course<Result>;
  readonly client: ClientProfile;
  readonly answers: Answers;
  /** Asked before `answers`: what is to be sent as it is, or `none` to leave a request of the server without answer. */
  readonly replyTo?: ((request: Message) => Message | "none" | undefined) | undefined;
  /** Told of each request and notification of the server. */
  readonly onHeard?: ((message: Message) => void) | undefined;
  readonly door: "stdio" | "http";
  readonly timer: Timer;
  readonly act: (action: DriveAction) => void;
  /** Told once, when the course is over. */
  readonly onEnd: (end: { readonly result: Result } | { readonly error: unknown }) => void;
  /** Told of what went otherwise than it should, and what no step shows. */
  readonly onNote: (note: string) => void;
}
