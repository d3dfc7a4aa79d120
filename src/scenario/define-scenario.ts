import type { JsonObject, JsonValue } from "../protocol/message.ts";
import type { Era } from "../protocol/revisions.ts";
import type { Duration } from "./duration.ts";
import type { FaultDocument } from "./fault-document.ts";

/** What a value has to be: a value to be equal to, members of an object, or an operator. */
export type MatcherDocument =
  | JsonValue
  | { readonly equals: JsonValue }
  | { readonly members: { readonly [name: string]: MatcherDocument } }
  | { readonly pattern: string }
  | { readonly any: boolean }
  | { readonly min?: number; readonly max?: number; readonly above?: number; readonly below?: number }
  | { readonly schema: JsonValue }
  | { readonly oneOf: readonly MatcherDocument[] }
  | { readonly not: MatcherDocument }
  | { readonly [name: string]: MatcherDocument };

export type Matchers = { readonly [name: string]: MatcherDocument };

/** A length of time, or a template of one: "${args.seconds}s". */
export type DelayDocument = Duration | `${string}\${${string}}${string}`;

export interface LogDocument {
  readonly level?: "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";
  readonly logger?: string;
  readonly data: JsonValue;
  readonly delay?: DelayDocument;
}

export interface ProgressDocument {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  readonly delay?: DelayDocument;
}

/** What the client is asked for. */
export type AskDocument =
  | {
      readonly elicit:
        | { readonly message: string; readonly requestedSchema: JsonObject }
        | {
            readonly mode: "url";
            readonly message: string;
            readonly url: string;
            readonly completes?: Duration;
          };
    }
  | {
      readonly sample: {
        readonly messages: readonly JsonObject[];
        readonly maxTokens: number;
        readonly [name: string]: unknown;
      };
    }
  | { readonly roots: Record<string, never> };

export interface NamesDocument {
  readonly tools?: readonly string[];
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
  readonly prompts?: readonly string[];
}

export interface EffectsDocument {
  readonly show?: NamesDocument;
  readonly hide?: NamesDocument;
  readonly update?: string | readonly string[];
  readonly notify?: { readonly method: string; readonly params?: JsonObject };
  readonly set?: JsonObject;
}

/** What is said of one task. */
export interface TaskDocument {
  readonly ttl?: Duration;
  readonly pollInterval?: Duration;
  /** `statusMessage`. */
  readonly message?: string;
  readonly _meta?: JsonObject;
}

export type StepDocument =
  | { readonly delay: DelayDocument }
  | { readonly task: TaskDocument }
  | { readonly status: string }
  | { readonly log: LogDocument | readonly LogDocument[] }
  | { readonly progress: ProgressDocument | readonly ProgressDocument[] }
  | { readonly ask: { readonly [name: string]: AskDocument } }
  | { readonly cut: { readonly retry?: Duration } }
  | EffectsDocument;

/** What a handler is told of the request it answers. */
export interface ScenarioRequest<Args = JsonObject> {
  readonly args: Args;
  readonly params: JsonObject;
  /** What the client answered to what it was asked, by name. */
  readonly answers: JsonObject;
  readonly state: JsonObject;
  /** `clientInfo`. */
  readonly client: JsonObject;
  /** What the client declares. */
  readonly capabilities: JsonObject;
  /** How often the reply has answered, this time included. */
  readonly nth: number;
  readonly era: Era;
  readonly version: string;
}

/** What is answered, and what happens before: one turn of a reply. */
export interface TurnDocument {
  readonly steps?: readonly StepDocument[];
  /** What is said of the task that it becomes; false: none, where the server decides. Of tools alone. */
  readonly task?: TaskDocument | false;
  readonly delay?: DelayDocument;
  readonly log?: LogDocument | readonly LogDocument[];
  readonly progress?: ProgressDocument | readonly ProgressDocument[];
  readonly ask?: { readonly [name: string]: AskDocument };
  /** Into the client's state. */
  readonly set?: JsonObject;
  readonly text?: string;
  readonly content?: readonly JsonObject[];
  readonly structuredContent?: JsonValue;
  readonly toolError?: string | readonly JsonObject[];
  readonly generate?: true;
  readonly blob?: string;
  readonly contents?: readonly JsonObject[];
  readonly messages?: readonly JsonObject[];
  readonly description?: string;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonValue };
  readonly result?: JsonObject;
  readonly hang?: true;
  readonly _meta?: JsonObject;
  /** What is answered once the client has answered; `when` is of its answers. */
  readonly replies?: readonly ReplyDocument[];
}

/**
 * Answers by a program. The same request should have the same answer: what is random or of the moment makes runs differ.
 */
export type ScenarioHandler<Args = JsonObject> = (
  request: ScenarioRequest<Args>,
) => TurnDocument | Promise<TurnDocument>;

/** One reply; of a list of them, the first whose conditions hold answers. */
export interface ReplyDocument<Args = JsonObject> extends TurnDocument {
  readonly when?: Matchers;
  /** Of the client's state. */
  readonly requires?: Matchers;
  /** Of the capabilities that the client declares. */
  readonly client?: Matchers;
  readonly times?: number;
  readonly sequence?: readonly TurnDocument[];
  readonly handler?: ScenarioHandler<Args>;
}

interface ItemDocument<Args = JsonObject> {
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly JsonObject[];
  readonly _meta?: JsonObject;
  /** Neither listed nor answered until it is shown. */
  readonly hidden?: boolean;
  /** Answered, and in no list. */
  readonly unlisted?: boolean;
  /** Refuse what breaks every revision; of a tool, check arguments and results too. Yes when left out. */
  readonly validate?: boolean;
  readonly replies?: readonly ReplyDocument<Args>[];
}

export interface ToolDocument<Args = JsonObject> extends ItemDocument<Args> {
  readonly name: string;
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonValue;
  readonly annotations?: JsonObject;
  /** Whether a call can be a task, or has to be one. */
  readonly execution?: { readonly taskSupport?: "forbidden" | "optional" | "required" };
}

export interface ResourceDocument extends ItemDocument {
  readonly uri: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: JsonObject;
}

export type CompletionDocument = readonly (
  | string
  | { readonly when?: Matchers; readonly values: readonly string[] }
)[];

export interface TemplateDocument extends ItemDocument {
  readonly uriTemplate: string;
  readonly name?: string;
  readonly mimeType?: string;
  readonly annotations?: JsonObject;
  readonly complete?: { readonly [name: string]: CompletionDocument };
}

export interface PromptDocument extends ItemDocument {
  readonly name: string;
  readonly arguments?: readonly JsonObject[];
  readonly complete?: { readonly [name: string]: CompletionDocument };
}

export interface PagesDocument {
  readonly size?: number;
  readonly empty?: readonly number[];
  readonly loop?: number;
  readonly emptyCursor?: number;
  readonly expire?: Duration;
}

export type EventDocument = EffectsDocument &
  (
    | { readonly at: Duration }
    | { readonly every: Duration }
    | { readonly after: { readonly method: string; readonly name?: string; readonly times?: number } }
  );

/** A scenario, as a file has it. */
export interface ScenarioDocument {
  readonly scenario: 1;
  readonly extends?: string;
  readonly without?: NamesDocument;
  readonly seed?: number;
  readonly server?: { readonly name: string; readonly version: string; readonly [name: string]: JsonValue };
  readonly instructions?: string;
  readonly revisions?: readonly string[];
  readonly capabilities?: JsonObject;
  readonly pageSize?: number;
  readonly pages?: { readonly [List in keyof NamesDocument]: PagesDocument };
  readonly caching?: { readonly ttl?: Duration; readonly scope?: "private" | "public" };
  readonly state?: JsonObject;
  readonly tasks?: { readonly ttl?: Duration; readonly pollInterval?: Duration; readonly notify?: boolean };
  readonly unknown?: "miss" | "refuse";
  /** Of all items that do not say it themselves, and of `capabilities`. */
  readonly validate?: boolean;
  readonly tools?: readonly ToolDocument[];
  readonly resources?: readonly ResourceDocument[];
  readonly templates?: readonly TemplateDocument[];
  readonly prompts?: readonly PromptDocument[];
  readonly methods?: readonly { readonly method: string; readonly replies: readonly ReplyDocument[] }[];
  readonly timeline?: readonly EventDocument[];
  /** What a broken server does, laid over the answers: docs/faults.md. */
  readonly faults?: readonly FaultDocument[];
}

/** A scenario as a program: the same as in a file, and functions that answer. Export it as the default. */
export function defineScenario(scenario: ScenarioDocument): ScenarioDocument {
  return scenario;
}

/** A tool whose handlers know its arguments. */
export function defineTool<Args>(tool: ToolDocument<Args>): ToolDocument {
  // Its arguments are checked against its inputSchema before a handler sees them.
  return tool as ToolDocument<never> as ToolDocument;
}
