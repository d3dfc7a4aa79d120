/**
 * What the specification has in each revision: the `method` literals of schema/REVISION/schema.ts in
 * https://github.com/modelcontextprotocol/modelcontextprotocol (as of 2026-08-22), and for the tasks extension
 * seps/2663-tasks-extension.md. Kept beside `METHODS`, so that either shows what the other lacks.
 */

const FIRST = [
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "notifications/cancelled",
  "notifications/initialized",
  "notifications/message",
  "notifications/progress",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/roots/list_changed",
  "notifications/tools/list_changed",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "roots/list",
  "sampling/createMessage",
  "tools/call",
  "tools/list",
];

const MODERN = [
  "completion/complete",
  "elicitation/create",
  "notifications/cancelled",
  "notifications/message",
  "notifications/progress",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/subscriptions/acknowledged",
  "notifications/tools/list_changed",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "roots/list",
  "sampling/createMessage",
  "server/discover",
  "subscriptions/listen",
  "tools/call",
  "tools/list",
];

export const SCHEMA_METHODS: Readonly<Record<string, readonly string[]>> = {
  "2024-11-05": FIRST,
  "2025-03-26": FIRST,
  "2025-06-18": [...FIRST, "elicitation/create"],
  "2025-11-25": [
    ...FIRST,
    "elicitation/create",
    "notifications/elicitation/complete",
    "notifications/tasks/status",
    "tasks/cancel",
    "tasks/get",
    "tasks/list",
    "tasks/result",
  ],
  "2026-07-28": MODERN,
};

/** Messages of extensions, by revision. */
export const EXTENSION_METHODS: Readonly<Record<string, readonly string[]>> = {
  "2026-07-28": ["notifications/tasks", "tasks/cancel", "tasks/get", "tasks/update"],
};
