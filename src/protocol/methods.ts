import { memberAt } from "./member.ts";
import type { JsonValue, Side } from "./message.ts";

export type Sender = Side | "both";

/** The member of `params` that names what a request is about; over modern HTTP `Mcp-Name` mirrors it. */
export type NameParam = "name" | "uri" | "taskId";

export interface MethodRow {
  readonly method: string;
  readonly kind: "request" | "notification";
  readonly from: Sender;
  /** Revisions in which it crosses the wire as a message of its own. */
  readonly revisions: readonly string[];
  /** Who sends it in the modern era, where that differs. */
  readonly modernFrom?: Sender;
  /** In the modern era it is only a value of `inputRequests` in a result. */
  readonly modernInput?: true;
  /** In the modern era it belongs to this extension, not to the core. */
  readonly extension?: string;
  readonly nameParam?: NameParam;
}

const V2024 = "2024-11-05";
const V2025_03 = "2025-03-26";
const V2025_06 = "2025-06-18";
const V2025_11 = "2025-11-25";
const MODERN = ["2026-07-28"];
const LEGACY = [V2024, V2025_03, V2025_06, V2025_11];
const ALL = [...LEGACY, ...MODERN];
const TASKS = "io.modelcontextprotocol/tasks";

/**
 * Every method and notification of every revision, from the unions in
 * https://github.com/modelcontextprotocol/modelcontextprotocol/tree/main/schema and, for tasks in the modern era,
 * seps/2663-tasks-extension.md.
 */
export const METHODS: readonly MethodRow[] = [
  { method: "tools/list", kind: "request", from: "client", revisions: ALL },
  { method: "tools/call", kind: "request", from: "client", revisions: ALL, nameParam: "name" },
  { method: "resources/list", kind: "request", from: "client", revisions: ALL },
  { method: "resources/templates/list", kind: "request", from: "client", revisions: ALL },
  { method: "resources/read", kind: "request", from: "client", revisions: ALL, nameParam: "uri" },
  { method: "prompts/list", kind: "request", from: "client", revisions: ALL },
  { method: "prompts/get", kind: "request", from: "client", revisions: ALL, nameParam: "name" },
  { method: "completion/complete", kind: "request", from: "client", revisions: ALL },

  { method: "initialize", kind: "request", from: "client", revisions: LEGACY },
  { method: "ping", kind: "request", from: "both", revisions: LEGACY },
  { method: "logging/setLevel", kind: "request", from: "client", revisions: LEGACY },
  { method: "resources/subscribe", kind: "request", from: "client", revisions: LEGACY, nameParam: "uri" },
  { method: "resources/unsubscribe", kind: "request", from: "client", revisions: LEGACY, nameParam: "uri" },

  { method: "server/discover", kind: "request", from: "client", revisions: MODERN },
  { method: "subscriptions/listen", kind: "request", from: "client", revisions: MODERN },

  {
    method: "sampling/createMessage",
    kind: "request",
    from: "server",
    revisions: LEGACY,
    modernInput: true,
  },
  { method: "roots/list", kind: "request", from: "server", revisions: LEGACY, modernInput: true },
  {
    method: "elicitation/create",
    kind: "request",
    from: "server",
    revisions: [V2025_06, V2025_11],
    modernInput: true,
  },

  {
    method: "tasks/get",
    kind: "request",
    from: "both",
    revisions: [V2025_11, ...MODERN],
    modernFrom: "client",
    extension: TASKS,
    nameParam: "taskId",
  },
  { method: "tasks/result", kind: "request", from: "both", revisions: [V2025_11], nameParam: "taskId" },
  { method: "tasks/list", kind: "request", from: "both", revisions: [V2025_11] },
  {
    method: "tasks/update",
    kind: "request",
    from: "client",
    revisions: MODERN,
    extension: TASKS,
    nameParam: "taskId",
  },
  {
    method: "tasks/cancel",
    kind: "request",
    from: "both",
    revisions: [V2025_11, ...MODERN],
    modernFrom: "client",
    extension: TASKS,
    nameParam: "taskId",
  },

  { method: "notifications/initialized", kind: "notification", from: "client", revisions: LEGACY },
  { method: "notifications/roots/list_changed", kind: "notification", from: "client", revisions: LEGACY },
  {
    method: "notifications/progress",
    kind: "notification",
    from: "both",
    revisions: ALL,
    modernFrom: "server",
  },
  // The modern server sends it too, though only to end a `subscriptions/listen`.
  { method: "notifications/cancelled", kind: "notification", from: "both", revisions: ALL },
  { method: "notifications/message", kind: "notification", from: "server", revisions: ALL },
  {
    method: "notifications/resources/updated",
    kind: "notification",
    from: "server",
    revisions: ALL,
    nameParam: "uri",
  },
  { method: "notifications/tools/list_changed", kind: "notification", from: "server", revisions: ALL },
  { method: "notifications/prompts/list_changed", kind: "notification", from: "server", revisions: ALL },
  { method: "notifications/resources/list_changed", kind: "notification", from: "server", revisions: ALL },
  {
    method: "notifications/elicitation/complete",
    kind: "notification",
    from: "server",
    revisions: [V2025_11],
  },
  {
    method: "notifications/tasks/status",
    kind: "notification",
    from: "both",
    revisions: [V2025_11],
  },
  {
    method: "notifications/subscriptions/acknowledged",
    kind: "notification",
    from: "server",
    revisions: MODERN,
  },
  {
    method: "notifications/tasks",
    kind: "notification",
    from: "server",
    revisions: MODERN,
    extension: TASKS,
  },
];

const BY_METHOD = new Map(METHODS.map((row) => [row.method, row]));

export function methodRow(method: string): MethodRow | undefined {
  return BY_METHOD.get(method);
}

/** Who may send a method as a message in a revision; undefined where the revision has no such message. */
export function senderOf(method: string, version: string): Sender | undefined {
  const row = BY_METHOD.get(method);
  if (row === undefined || !row.revisions.includes(version)) return undefined;
  return MODERN.includes(version) ? (row.modernFrom ?? row.from) : row.from;
}

/** What a request is about: the tool's or prompt's name, the resource's URI, the task's id. */
export function nameOf(method: string, params: JsonValue | undefined): string | undefined {
  const param = BY_METHOD.get(method)?.nameParam;
  const name = param === undefined ? undefined : memberAt(params, param);
  return typeof name === "string" ? name : undefined;
}

/** In characters. */
const LONGEST_NAME = 60;

/**
 * One short line for people: `tools/call forecast`, `resources/read file:///x`. Task ids are left out: they differ in
 * every recording, and a label must not.
 */
export function labelOf(method: string, params: JsonValue | undefined): string {
  const name = BY_METHOD.get(method)?.nameParam === "taskId" ? undefined : nameOf(method, params);
  return name === undefined ? shortLine(method) : `${shortLine(method)} ${shortLine(name)}`;
}

/** Nearly all names: what needs no looking at its characters one by one. */
const PLAIN = /^[ -~]*$/;

/** A name of the other side's, as a line for people may hold it. */
export function shortLine(text: string): string {
  if (text.length <= LONGEST_NAME && PLAIN.test(text)) return text;
  // No code point takes more than two units: a huge name is cut before it is looked at.
  const characters = Array.from(printable(text.slice(0, 2 * LONGEST_NAME + 2)));
  if (characters.length <= LONGEST_NAME) return characters.join("");
  return `${characters.slice(0, LONGEST_NAME - 1).join("")}…`;
}

/**
 * Without what breaks a line, a YAML comment or its reading direction, and lone surrogates.
 *
 * @note The expression stands in here so that a start does not read it: its classes are many tables.
 */
function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu,
    "\ufffd",
  );
}
