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

/**
 * Whether a list came to nothing, or from nothing: by the rules that struck. One of which all went and other came is more
 * likely that of another server.
 */
export function isEmptiedOrFilled(rules: ReadonlySet<string>): boolean {
  return Object.entries(ADDED).some(
    ([list, added]) => rules.has(added) !== rules.has(REMOVED[list as ListName]),
  );
}
