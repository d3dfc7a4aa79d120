import type { FilePlace } from "../errors.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import type { AnswerSet } from "./answers.ts";
import type { ListName } from "./pages.ts";

/** What one step of a drive does. */
export type Doing =
  | { readonly kind: "auto" }
  | { readonly kind: "call"; readonly name: string; readonly arguments?: JsonObject | undefined }
  | { readonly kind: "read"; readonly uri: string }
  | { readonly kind: "prompt"; readonly name: string; readonly arguments?: JsonObject | undefined }
  | { readonly kind: "complete"; readonly params: JsonObject }
  | { readonly kind: "list"; readonly list: ListName }
  | { readonly kind: "subscribe"; readonly uri: string }
  | { readonly kind: "unsubscribe"; readonly uri: string }
  | { readonly kind: "level"; readonly level: string }
  | { readonly kind: "request"; readonly method: string; readonly params?: JsonValue | undefined }
  | { readonly kind: "notify"; readonly method: string; readonly params?: JsonValue | undefined }
  /** Milliseconds. */
  | { readonly kind: "wait"; readonly ms: number };

export type StepKind = Doing["kind"];

/** How a step has to end: `error` is of either layer, a JSON-RPC error or a tool's `isError`. */
export type Expected = "result" | "error" | "timeout";

export interface Step {
  readonly doing: Doing;
  /** In the drive file; undefined where there is none. */
  readonly place?: FilePlace | undefined;
  /** Milliseconds. */
  readonly timeout?: number | undefined;
  readonly expect?: Expected | undefined;
  readonly answers?: AnswerSet | undefined;
}

/** A drive as it is written down. */
export interface Plan {
  readonly client: {
    readonly name?: string | undefined;
    readonly version?: string | undefined;
    /** Besides those that the answers make. */
    readonly capabilities?: JsonObject | undefined;
  };
  /** For what the server asks in any step. */
  readonly answers: AnswerSet;
  /** Milliseconds that a request may take. */
  readonly timeout: number;
  readonly steps: readonly Step[];
}

/** Milliseconds; what clients of the official SDK wait. */
export const DEFAULT_TIMEOUT = 60_000;

/** `--drive auto`: discovery, and nothing that needs to be known beforehand. */
export const AUTO: Plan = {
  client: {},
  answers: {},
  timeout: DEFAULT_TIMEOUT,
  steps: [{ doing: { kind: "auto" } }],
};

/** A client declares what it has answers for, and what the plan says besides. */
export function capabilitiesOf({ client, answers, steps }: Plan): JsonObject {
  const sets = [answers, ...steps.map((step) => step.answers ?? {})];
  const kinds = sets.flatMap((set) => Object.keys(set));
  return { ...Object.fromEntries(kinds.sort().map((kind) => [kind, {}])), ...client.capabilities };
}
