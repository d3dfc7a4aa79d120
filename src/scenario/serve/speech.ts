import type { ListName } from "../../drive/pages.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { META, type Revision } from "../../protocol/revisions.ts";
import { isObject } from "../matcher.ts";
import type { Scenario } from "../model.ts";
import { jsonText } from "../spelt-number.ts";

const V2025_03 = "2025-03-26";
const V2025_06 = "2025-06-18";
const V2025_11 = "2025-11-25";

/** Members that are not what the oldest revision has, and since when they are: of items of lists, and `serverInfo`. */
const SINCE: Readonly<Record<string, string>> = {
  annotations: V2025_03,
  title: V2025_06,
  outputSchema: V2025_06,
  _meta: V2025_06,
  icons: V2025_11,
  websiteUrl: V2025_11,
};

/** Resources have had annotations from the beginning, tools have not; a resource's size came with the second. */
const ALWAYS: Readonly<Partial<Record<ListName, ReadonlySet<string>>>> = {
  resources: new Set(["annotations"]),
  templates: new Set(["annotations"]),
};

/** An item of a list as a revision has it. */
export function asListed(list: ListName, listed: JsonObject, { version, era }: Revision): JsonObject {
  return Object.fromEntries(
    Object.entries(listed).filter(([key, value]) => {
      if (key === "execution") return version === V2025_11;
      // Before 2026-07-28 outputs are objects.
      if (key === "outputSchema" && era === "legacy" && !isOfObjects(value)) return false;
      return ALWAYS[list]?.has(key) === true || version >= (SINCE[key] ?? "");
    }),
  );
}

/** `serverInfo`, as a revision has it. */
export function asInfo(server: JsonObject, { version }: Revision): JsonObject {
  const since: Readonly<Record<string, string>> = { ...SINCE, description: V2025_11 };
  return Object.fromEntries(Object.entries(server).filter(([key]) => version >= (since[key] ?? "")));
}

function isOfObjects(schema: JsonValue): boolean {
  return isObject(schema) && schema.type === "object";
}

/** What a tool answered, as a revision has it; structured content is there as text too (2025-06-18 server/tools). */
export function asToolResult(result: JsonObject, { version, era }: Revision): JsonObject {
  const { structuredContent, ...rest } = result;
  if (structuredContent === undefined) return { content: [], ...rest };
  const content = rest.content ?? [{ type: "text", text: jsonText(structuredContent) }];
  const carried = version >= V2025_06 && (era === "modern" || isObject(structuredContent));
  return { ...rest, content, ...(carried ? { structuredContent } : {}) };
}

/** Kinds of content that are not what the oldest revision has. */
const CONTENT_SINCE: Readonly<Record<string, string>> = { audio: V2025_03, resource_link: V2025_06 };

/** A kind of content in a result that the revision does not know. */
export function unknownContent(result: JsonObject, { version }: Revision): string | undefined {
  const blocks = [result.content, result.messages].flatMap((list) => (Array.isArray(list) ? list : []));
  const kinds = blocks.map((block) => {
    const inner = isObject(block) && isObject(block.content) ? block.content : block;
    return isObject(inner) ? String(inner.type) : "";
  });
  return kinds.find((kind) => version < (CONTENT_SINCE[kind] ?? ""));
}

/** Invalid arguments of a tool are what the model can read and mend (2025-11-25, SEP-1303), not a fault of the protocol. */
export function modelReadsInvalidArguments({ version }: Revision): boolean {
  return version >= V2025_11;
}

/** Events of a stream bear ids, and the first one nothing else (2025-11-25 basic/transports). */
export function resumesStreams({ version, era }: Revision): boolean {
  return era === "legacy" && version >= V2025_11;
}

/** JSON-RPC error code for a resource that is not there. */
export function resourceNotFound({ era }: Revision): number {
  return era === "modern" ? INVALID_PARAMS : -32002;
}

export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** 2026-07-28 schema. */
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;

/** Of the modern era; 2025-11-25 has tasks of its own. */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

/** The member of `_meta` that says which task something belongs to (2025-11-25 basic/utilities/tasks). */
export const RELATED_TASK = "io.modelcontextprotocol/related-task";

/** Requests of the client can be made with a task (2025-11-25 basic/utilities/tasks). */
export function hasTasks({ version }: Revision): boolean {
  return version === V2025_11;
}

/** A result with what the revision wants of every one. `cached`: clients may keep it. */
export function asResult(
  result: JsonObject,
  { era }: Revision,
  about: { scenario: Scenario; cached: boolean },
): JsonObject {
  if (era === "legacy") return result;
  const { scenario, cached } = about;
  const { ttl, scope } = scenario.caching;
  const meta = isObject(result._meta) ? result._meta : {};
  return {
    resultType: "complete",
    ...(cached ? { ttlMs: ttl, cacheScope: scope } : {}),
    ...result,
    _meta: { [META.serverInfo]: scenario.server, ...meta },
  };
}
