import type { EventFacts } from "../../exchange/entry.ts";
import type { IdToken, Message } from "../../protocol/message.ts";
import type { Effect, Scenario, TaskPlan, Turn } from "../model.ts";
import type { SchemaChecker } from "../schemas.ts";
import type { Scope } from "../template.ts";
import type { Asked } from "./asked.ts";
import type { Host } from "./host.ts";
import type { Unanswered } from "./miss.ts";
import type { RpcError } from "./settled.ts";
import type { Underway, Way } from "./way.ts";
import type { World } from "./world.ts";

/** Whoever hears the client's answer to a request of the server. */
export type OnAnswer = (answer: Message) => void;

/** What a request that is answered needs of the server. */
export interface Stage {
  readonly scenario: Scenario;
  readonly world: World;
  readonly host: Host;
  /** Undefined until one is loaded. */
  readonly checker: SchemaChecker | undefined;
  send(bytes: Uint8Array, on: IdToken | "standalone", event?: EventFacts): void;
  /** An id for an event of a stream: none that another event of this client's bears. */
  newEventId(): string;
  /** A fresh id for a request to the client. */
  ask(onAnswer: OnAnswer): IdToken;
  perform(effect: Effect, scope: Scope): void;
  /** Answers a request with a task, in which its run goes on. */
  beginTask(run: Underway, plan: TaskPlan): Way;
  /** A turn by its id, those that programs returned too. */
  turn(id: string): Turn | undefined;
  remember(turn: Turn): void;
  /** Notes a miss; what the client is to be told of it. */
  missed(unanswered: Unanswered): RpcError;
  /** A request has its answer. */
  answered(asked: Asked): void;
}
