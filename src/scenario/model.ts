import type { ListName } from "../drive/pages.ts";
import type { FilePlace } from "../errors.ts";
import type { FaultPlan } from "../faults/plan.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import type { Matcher } from "./matcher.ts";
import type { Whereabouts } from "./read/places.ts";
import type { UriTemplate } from "./uri-template.ts";

/** A mock server written by hand, read and checked. */
export interface Scenario {
  /** The file, for misses and reports. */
  readonly origin: string;
  readonly seed: number;
  /** `serverInfo`. */
  readonly server: JsonObject;
  readonly instructions: string | undefined;
  /** Revisions it speaks, oldest first. */
  readonly revisions: readonly string[];
  /** Laid over those that follow from what is there; null takes one away. */
  readonly capabilities: JsonObject;
  readonly pages: Readonly<Record<ListName, PageRules>>;
  readonly caching: Caching;
  /** Each client's state when it comes. */
  readonly state: JsonObject;
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly templates: readonly Template[];
  readonly prompts: readonly Prompt[];
  readonly methods: readonly Method[];
  readonly timeline: readonly TimedEvent[];
  readonly tasks: TaskSettings;
  /** What is laid over the answers, if anything. */
  readonly faults: FaultPlan | undefined;
  /** What becomes of a request for what is not there: a miss, or the answer that the revision has for it. */
  readonly unknown: "miss" | "refuse";
  /** Cassettes that it extends, with where it says so: what they say is overridden, and never mended. */
  readonly cassettes: ReadonlyMap<string, FilePlace>;
}

/** What is true of every task. */
export interface TaskSettings {
  /** Milliseconds that a task is kept; as the client wants it, or for good, when undefined. */
  readonly ttl: number | undefined;
  /** Milliseconds that a client is told to wait between two looks. */
  readonly pollInterval: number | undefined;
  /** Tasks on a page of `tasks/list`. */
  readonly pageSize: number | undefined;
  /** Legacy clients are told of each change without asking. */
  readonly notify: boolean;
}

/** What is said of one task when it begins, instead of what is true of all. */
export interface TaskPlan {
  readonly ttl?: number | undefined;
  readonly pollInterval?: number | undefined;
  /** `statusMessage`; may hold templates, as may `meta`. */
  readonly message?: string | undefined;
  /** `_meta` of the answer that the task is. */
  readonly meta?: JsonObject | undefined;
}

/** What tells a modern client how long it may keep an answer. */
export interface Caching {
  /** Milliseconds. */
  readonly ttl: number;
  readonly scope: "private" | "public";
}

/** How a list is cut into pages. Pages are counted from 1. */
export interface PageRules {
  /** Undefined where nothing is said of this list. */
  readonly place: FilePlace | undefined;
  /** Items on a page; all when undefined. */
  readonly size: number | undefined;
  /** Pages that hold nothing, and lead on. */
  readonly empty: readonly number[];
  /** The page that the last page leads back to. */
  readonly loop: number | undefined;
  /** The page whose cursor to the next one is the empty string. */
  readonly emptyCursor: number | undefined;
  /** Milliseconds after which a cursor is refused. */
  readonly expire: number | undefined;
}

/** Something that requests are about, and how they are answered. */
export interface Answering {
  /** Method and name. */
  readonly label: string;
  readonly place: FilePlace;
  /** Undefined where nothing is said. */
  readonly replies: readonly Reply[] | undefined;
}

interface Listed {
  /** Where a member of it stands, or a member of that. */
  readonly placeOf: (member: string, inner?: string) => FilePlace;
  /** Of one that an extending file has changed: where that file does. */
  readonly overridden: FilePlace | undefined;
  /** As lists show it. */
  readonly listed: JsonObject;
  readonly name: string;
  /** In no list, and not to be asked for, until it is shown. */
  readonly hidden: boolean;
  /** In no list, and to be asked for all the same. */
  readonly unlisted: boolean;
}

export interface Tool extends Answering, Listed {
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonValue | undefined;
  /** Arguments are checked against `inputSchema`. */
  readonly validate: boolean;
  /** Whether a call can be a task, or has to be one. */
  readonly taskSupport: "forbidden" | "optional" | "required";
}

export interface Resource extends Answering, Listed {
  readonly uri: string;
  readonly mimeType: string | undefined;
}

export interface Template extends Answering, Listed {
  readonly uriTemplate: string;
  readonly pattern: UriTemplate;
  readonly mimeType: string | undefined;
  readonly complete: Completions;
}

export interface Prompt extends Answering, Listed {
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
  readonly complete: Completions;
}

/** A method that the protocol does not have. */
export interface Method extends Answering {
  readonly method: string;
}

/** What an argument can be completed to, by the argument's name; the first whose context matches counts. */
export type Completions = ReadonlyMap<string, readonly CompletionList[]>;

export interface CompletionList {
  /** Of the arguments that are given already. */
  readonly when: Matcher | undefined;
  readonly values: readonly string[];
}

export type ReplyKind = "tool" | "resource" | "prompt" | "method";

export interface Reply {
  readonly place: FilePlace;
  readonly where: Whereabouts;
  /** Of the arguments; of the client's answers, where it stands under `replies` of another one. */
  readonly when: Matcher | undefined;
  /** Of the state. */
  readonly requires: Matcher | undefined;
  /** Of the capabilities that the client declares. */
  readonly client: Matcher | undefined;
  /** How often it answers one client. */
  readonly times: number | undefined;
  /** One after the other; the last one stays. */
  readonly turns: readonly Turn[];
}

/** What happens when a request is answered. */
export interface Turn {
  /** Tells it from all others of the scenario. */
  readonly id: string;
  /** Where it is written; undefined for one that is not. */
  readonly place: FilePlace | undefined;
  readonly steps: readonly Step[];
  /** Into the state, along with the outcome. */
  readonly set: JsonObject | undefined;
  /** A task, where it is the server that decides. */
  readonly task: boolean;
  readonly outcome: Outcome;
}

/** Values hold templates such as `${args.city}`. */
export type Outcome =
  /** `whole`: nothing is added but what the revision wants of every result. */
  | { readonly kind: "result"; readonly result: JsonObject; readonly whole: boolean }
  | { readonly kind: "error"; readonly error: JsonObject }
  /** From the tool's `outputSchema`. */
  | { readonly kind: "generate" }
  | { readonly kind: "hang" }
  | { readonly kind: "replies"; readonly replies: readonly Reply[] }
  /** By a program. */
  | { readonly kind: "handler"; readonly answer: Handler };

/** A function of a scenario that is a program; what it answers is read as a reply. */
export interface Handler {
  readonly kind: ReplyKind;
  readonly call: (request: JsonObject) => unknown;
  /** @throws VcrError when that is none */
  readonly read: (answer: unknown) => Turn;
}

export type Step =
  /** Milliseconds, or a template of a time such as `2s`. */
  | { readonly kind: "delay"; readonly ms: number | string }
  | { readonly kind: "progress"; readonly params: JsonObject }
  | { readonly kind: "log"; readonly params: JsonObject }
  | { readonly kind: "ask"; readonly asks: ReadonlyMap<string, Ask> }
  | { readonly kind: "effect"; readonly effect: Effect }
  /** The stream of the answer ends, and the client comes back for the rest; after so many milliseconds, if said. */
  | { readonly kind: "cut"; readonly retry: number | undefined }
  /** What a task says of itself. */
  | { readonly kind: "status"; readonly message: string }
  /** From here on it is a task, where the client leaves that to the server. */
  | { readonly kind: "task"; readonly plan: TaskPlan };

/** What the client is asked for. */
export interface Ask {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: JsonObject;
  /** Milliseconds after an accepted URL elicitation until its end is told, where it is. */
  readonly completes: number | undefined;
  /** What the client answers must be an answer to it. */
  readonly validate: boolean;
}

export type Effect =
  | { readonly kind: "show"; readonly shown: boolean; readonly names: Names }
  /** Subscribers of these URIs are told. */
  | { readonly kind: "update"; readonly uris: readonly string[] }
  | { readonly kind: "notify"; readonly method: string; readonly params: JsonObject | undefined }
  | { readonly kind: "set"; readonly state: JsonObject };

/** Of each list the items meant, by name; resources by URI, templates by URI template. */
export type Names = Readonly<Partial<Record<ListName, readonly string[]>>>;

export interface TimedEvent {
  readonly place: FilePlace;
  readonly where: Whereabouts;
  readonly trigger: Trigger;
  readonly effects: readonly Effect[];
}

export type Trigger =
  /** Milliseconds after the client's first message. */
  | { readonly kind: "at"; readonly ms: number }
  | { readonly kind: "every"; readonly ms: number }
  /** After the answer to the n-th request of this method and name; whatever name when undefined. */
  | {
      readonly kind: "after";
      readonly method: string;
      readonly name: string | undefined;
      readonly times: number;
    };
