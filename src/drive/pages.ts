import type { JsonValue } from "../protocol/message.ts";
import { ask, type DriveContext } from "./asking.ts";
import type { Course, Outcome } from "./move.ts";

export interface ListRow {
  readonly method: string;
  /** The result's member that holds the items. */
  readonly key: string;
  /** One item of it, for people. */
  readonly item: string;
  /** The server's capability without which there is no such list. */
  readonly capability: string;
}

/** Everything a server lists, in the order in which it is walked. */
export const LISTS = {
  tools: { method: "tools/list", key: "tools", item: "tool", capability: "tools" },
  resources: { method: "resources/list", key: "resources", item: "resource", capability: "resources" },
  templates: {
    method: "resources/templates/list",
    key: "resourceTemplates",
    item: "template",
    capability: "resources",
  },
  prompts: { method: "prompts/list", key: "prompts", item: "prompt", capability: "prompts" },
} as const satisfies Record<string, ListRow>;

export type ListName = keyof typeof LISTS;

export interface Walked {
  readonly items: readonly JsonValue[];
  /** Of the last page. */
  readonly outcome: Outcome;
}

/** Pages after which a list is taken to have no end. */
export const MOST_PAGES = 1000;

/**
 * Walks a list page by page to its end. Cursors are the server's and mean nothing to a client, but one that comes
 * twice leads in a circle: that is noted, and the walk ends. An empty cursor is one like any other.
 */
export function* pages(list: ListRow, context: DriveContext, timeout?: number): Course<Walked> {
  const { method, key } = list;
  const items: JsonValue[] = [];
  const seen = new Set<JsonValue>();
  for (let cursor: string | undefined; ; ) {
    const params = cursor === undefined ? undefined : { cursor };
    const outcome = yield* ask({ method, params, timeout }, context, list);
    if (outcome.kind !== "result") return { items, outcome };
    const page = outcome.result[key];
    if (Array.isArray(page)) items.push(...page);
    else
      context.report.notes.push(`${method}: the result has no list of ${key}, which the protocol requires`);
    const next = outcome.result.nextCursor;
    const fault = next === undefined || next === null ? undefined : faultOf(next, seen);
    if (fault !== undefined) context.report.notes.push(`${method}: ${fault}`);
    if (typeof next !== "string" || fault !== undefined) return { items, outcome };
    seen.add(next);
    cursor = next;
  }
}

function faultOf(next: JsonValue, seen: ReadonlySet<JsonValue>): string | undefined {
  if (typeof next !== "string")
    return `the cursor ${JSON.stringify(next)} is no text, so the list ends there`;
  if (seen.has(next)) {
    return `the cursor ${JSON.stringify(next)} came twice: the pages go in a circle, and were left after ${seen.size + 1}`;
  }
  return seen.size + 1 < MOST_PAGES ? undefined : `more than ${MOST_PAGES} pages; the rest was left out`;
}
