import type { JsonObject } from "../../protocol/message.ts";
import type { Change, ChangeClass, Layer } from "../change.ts";
import type { ContractText } from "../contract-text.ts";

/** A kind of change: what documentation, reports and suppressions call it. */
export interface Rule {
  readonly layer: Layer;
  /** Every class it can come with; the first is the usual one. */
  readonly classes: readonly [ChangeClass, ...ChangeClass[]];
  /** What happened, in a few words. */
  readonly title: string;
  /** Why that is of this class, as a sentence. */
  readonly reason: string;
  readonly example: Example;
}

/** Two contracts between which the rule strikes. What is left out is unknown. */
export interface Example {
  readonly old: ContractText;
  readonly new: ContractText;
}

/** What a place contributes to a change; the rule gives the rest. */
export interface Found
  extends Pick<Change, "subject" | "pointer" | "message" | "before" | "after" | "witness"> {
  /** Where it is another than the rule's usual one. */
  readonly class?: ChangeClass | undefined;
}

/** A pair of contracts with one tool each. */
export function tools(before: JsonObject, after: JsonObject): Example {
  return { old: { tools: [toolText(before)] }, new: { tools: [toolText(after)] } };
}

function toolText(parts: JsonObject): JsonObject {
  return { name: "forecast", inputSchema: { type: "object" }, ...parts };
}

/** A pair of contracts with one tool each, whose input schemas differ in their properties. */
export function inputs(before: JsonObject, after: JsonObject): Example {
  return tools({ inputSchema: objectSchema(before) }, { inputSchema: objectSchema(after) });
}

export function outputs(before: JsonObject, after: JsonObject): Example {
  return tools({ outputSchema: objectSchema(before) }, { outputSchema: objectSchema(after) });
}

function objectSchema(parts: JsonObject): JsonObject {
  return { type: "object", ...parts };
}
