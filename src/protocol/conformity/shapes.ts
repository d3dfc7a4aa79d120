import { rowOf } from "../member.ts";
import { META, revisionOf } from "../revisions.ts";
import { byMember, isObject, oneOf, type Shape } from "./shape.ts";

/**
 * What the messages of the protocol must hold, as far as the revisions agree: the required members and their kinds, from
 * https://github.com/modelcontextprotocol/modelcontextprotocol/tree/main/schema. What only some revisions demand stands
 * in `MODERN_RESULTS` and `CONTENT`.
 */
const implementation: Shape = { name: "string", version: "string" };
const role = oneOf("user", "assistant");
const level = oneOf("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency");
const contents: Shape = {
  pick: (value) =>
    isObject(value) && Object.hasOwn(value, "blob")
      ? { uri: "string", blob: "string" }
      : { uri: "string", text: "string" },
};

const media: Shape = { data: "string", mimeType: "string" };
const ALL_CONTENT: Readonly<Record<string, Shape>> = {
  text: { text: "string" },
  image: media,
  resource: { resource: contents },
};
/** Kinds of content by the revision that brought them. */
const CONTENT: readonly (readonly [since: string, kinds: Readonly<Record<string, Shape>>])[] = [
  ["2024-11-05", ALL_CONTENT],
  ["2025-03-26", { ...ALL_CONTENT, audio: media }],
  ["2025-06-18", { ...ALL_CONTENT, audio: media, resource_link: { uri: "string", name: "string" } }],
];

function contentOf(version: string): Shape {
  const kinds = CONTENT.findLast(([since]) => since <= version)?.[1] ?? ALL_CONTENT;
  return byMember("type", kinds);
}

const sampled: Shape = { type: "string" };
/** @note Lists are allowed since 2025-11-25. */
const sampledContent: Shape = { pick: (value) => (Array.isArray(value) ? [sampled] : sampled) };
const tool: Shape = {
  name: "string",
  inputSchema: "object",
  "description?": "string",
  "outputSchema?": "object",
  "annotations?": "object",
};
const prompt: Shape = { name: "string", "arguments?": [{ name: "string", "required?": "boolean" }] };
/** Null where a task is kept without limit. */
const limit: Shape = {
  pick: (value) =>
    value === null || typeof value === "number" ? "any" : { wrong: "must be a number or null" },
};
const task: Shape = {
  taskId: "string",
  status: "string",
  createdAt: "string",
  lastUpdatedAt: "string",
  "ttl?": limit,
};
/** @note 2026-07-28 has tasks as an extension, which calls the limit `ttlMs`. */
const taskState: Shape = {
  taskId: "string",
  status: "string",
  "createdAt?": "string",
  "lastUpdatedAt?": "string",
  "ttl?": limit,
  "ttlMs?": limit,
};
const uri: Shape = { uri: "string" };
const paged: Shape = { "cursor?": "string" };

/** Of requests and notifications, under `params`; absent where nothing is demanded. */
export const PARAMS: Readonly<Record<string, Shape>> = {
  initialize: { protocolVersion: "string", capabilities: "object", clientInfo: implementation },
  "tools/list": paged,
  "resources/list": paged,
  "resources/templates/list": paged,
  "prompts/list": paged,
  "tools/call": { name: "string", "arguments?": "object" },
  "resources/read": uri,
  "resources/subscribe": uri,
  "resources/unsubscribe": uri,
  "prompts/get": { name: "string", "arguments?": "object" },
  "completion/complete": {
    ref: byMember("type", { "ref/prompt": { name: "string" }, "ref/resource": uri }),
    argument: { name: "string", value: "string" },
  },
  "logging/setLevel": { level },
  "sampling/createMessage": { messages: [{ role, content: sampledContent }], maxTokens: "integer" },
  "elicitation/create": {
    pick: (value) =>
      isObject(value) && value.mode === "url"
        ? { message: "string", url: "string" }
        : { message: "string", requestedSchema: "object" },
  },
  "tasks/get": { taskId: "string" },
  "tasks/result": { taskId: "string" },
  "tasks/cancel": { taskId: "string" },
  "tasks/update": { taskId: "string" },
  "subscriptions/listen": { notifications: "object" },
  "notifications/progress": {
    progressToken: "token",
    progress: "number",
    "total?": "number",
    "message?": "string",
  },
  "notifications/cancelled": { "requestId?": "token", "reason?": "string" },
  "notifications/message": { level, data: "any", "logger?": "string" },
  "notifications/resources/updated": uri,
  "notifications/subscriptions/acknowledged": { notifications: "object" },
  "notifications/elicitation/complete": { elicitationId: "string" },
};

const next = { "nextCursor?": "string" } as const;

/** Of results, by the method that asked for them. */
export function resultShape(method: string, version: string): Shape | undefined {
  return rowOf(RESULTS, method)?.(version);
}

const RESULTS: Readonly<Record<string, (version: string) => Shape>> = {
  initialize: () => ({ protocolVersion: "string", capabilities: "object", serverInfo: implementation }),
  "server/discover": () => ({ supportedVersions: ["string"], capabilities: "object" }),
  "tools/list": () => ({ tools: [tool], ...next }),
  "resources/list": () => ({ resources: [{ uri: "string", name: "string" }], ...next }),
  "resources/templates/list": () => ({
    resourceTemplates: [{ uriTemplate: "string", name: "string" }],
    ...next,
  }),
  "prompts/list": () => ({ prompts: [prompt], ...next }),
  "tools/call": (version) => ({
    pick: (value) =>
      isObject(value) && Object.hasOwn(value, "task")
        ? { task }
        : { content: [contentOf(version)], "isError?": "boolean" },
  }),
  "resources/read": () => ({ contents: [contents] }),
  "prompts/get": (version) => ({ messages: [{ role, content: contentOf(version) }] }),
  "completion/complete": () => ({
    completion: { values: ["string"], "total?": "integer", "hasMore?": "boolean" },
  }),
  "sampling/createMessage": () => ({
    pick: (value) =>
      isObject(value) && Object.hasOwn(value, "task")
        ? { task }
        : { role, content: sampledContent, model: "string" },
  }),
  "elicitation/create": () => ({
    pick: (value) =>
      isObject(value) && Object.hasOwn(value, "task")
        ? { task }
        : { action: oneOf("accept", "decline", "cancel") },
  }),
  "roots/list": () => ({ roots: [uri] }),
  "tasks/get": () => taskState,
};

const cached = { ttlMs: "integer", cacheScope: oneOf("public", "private") } as const;

/** Complete results that say how long they may be kept (2026-07-28 server/utilities/caching.mdx). */
const CACHED = new Set([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
  "resources/read",
]);

/** What 2026-07-28 demands of every result besides. */
export function modernResult(method: string): Shape {
  return {
    pick: (value) => {
      const type = isObject(value) ? value.resultType : undefined;
      if (type === undefined) return { resultType: "string" };
      if (type === "complete" && CACHED.has(method)) return { ...cached };
      return type === "input_required" ? asking : { resultType: "string" };
    },
  };
}

const asking: Shape = {
  pick: (value) =>
    isObject(value) && (Object.hasOwn(value, "inputRequests") || Object.hasOwn(value, "requestState"))
      ? { "inputRequests?": "object", "requestState?": "string" }
      : { wrong: "must hold inputRequests or a requestState, since its resultType is input_required" },
};

/** What 2026-07-28 demands in the `_meta` of every request. */
export const MODERN_META: Shape = { [META.protocolVersion]: "string", [META.clientCapabilities]: "object" };

export function isModern(version: string): boolean {
  return revisionOf(version)?.era === "modern";
}
