import type { JsonObject } from "../../protocol/message.ts";
import type { Revision } from "../../protocol/revisions.ts";
import type { Scenario } from "../model.ts";
import type { SchemaChecker } from "../schemas.ts";
import type { Asked } from "./asked.ts";
import type { Feeds } from "./feeds.ts";
import type { Host } from "./host.ts";
import type { Unanswered, Unknown } from "./miss.ts";
import type { RpcError } from "./settled.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { World } from "./world.ts";

/** Where requests are answered at once. */
export interface Desk {
  readonly scenario: Scenario;
  readonly world: World;
  readonly tasks: Tasks;
  readonly feeds: Feeds;
  readonly host: Host;
  readonly checker: SchemaChecker | undefined;
  capabilities(revision: Revision): JsonObject;
  setLogLevel(level: string): void;
  /** `cached`: clients may keep it. */
  result(asked: Asked, result: JsonObject, cached: boolean): undefined;
  error(asked: Asked, error: RpcError): undefined;
  /** A miss, or the error where the scenario wants that. */
  unknown(asked: Asked, error: RpcError, unknown: Unknown): undefined;
  miss(unanswered: Unanswered): undefined;
}
