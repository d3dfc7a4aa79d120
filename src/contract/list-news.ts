import type { ListName } from "../drive/pages.ts";
import type { RuleId } from "./rules.ts";

/** By what rule something came to a list. */
export const ADDED = {
  tools: "tool-added",
  resources: "resource-added",
  templates: "resource-template-added",
  prompts: "prompt-added",
} as const satisfies Readonly<Record<ListName, RuleId>>;

/** By what rule something went from a list. */
export const REMOVED = {
  tools: "tool-removed",
  resources: "resource-removed",
  templates: "resource-template-removed",
  prompts: "prompt-removed",
} as const satisfies Readonly<Record<ListName, RuleId>>;

/** Rules by which both sides have a list, and one of them something that the other has not. */
export const LIST_NEWS: ReadonlySet<string> = new Set([...Object.values(ADDED), ...Object.values(REMOVED)]);
