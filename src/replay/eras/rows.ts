/**
 * What becomes of a message on its way to the other era.
 * `same`     it stands in both; only what the eras add to every message is put in or taken out
 * `made`     the player makes the answer, from what the recording tells in other messages
 * `round`    a request of the server is an input round there, or the other way round
 * `listen`   it travels on a `subscriptions/listen` there, or without one
 * `log`      only as the client asked for log lines, in its era's way
 * `dropped`  it has no place there, and nothing waits for it
 * otherwise it cannot be translated, and this says why
 */
export type Way = "same" | "made" | "round" | "listen" | "log" | "dropped" | { readonly why: string };

/**
 * For a message of the client: what becomes of it when a client of that era sends it. For one of the server: what
 * becomes of a recorded one before a client of that era.
 */
export interface EraRow {
  readonly method: string;
  /** A modern client, a legacy recording. */
  readonly modern: Way;
  /** A legacy client, a modern recording. */
  readonly legacy: Way;
}

const NOT_LEGACY = "it came with the 2026-07-28 revision, and a legacy client has no use for it";
const TASKS =
  "tasks of the 2025-11-25 revision are fetched by tasks/result and asked for by the client, those of the 2026-07-28 extension are given by the server and polled; no recording of one tells what the other would have said";

/** Every method and notification of every revision. What is in none of them is `same`. */
export const ERA_ROWS: readonly EraRow[] = [
  { method: "tools/list", modern: "same", legacy: "same" },
  { method: "tools/call", modern: "same", legacy: "same" },
  { method: "resources/list", modern: "same", legacy: "same" },
  { method: "resources/templates/list", modern: "same", legacy: "same" },
  { method: "resources/read", modern: "same", legacy: "same" },
  { method: "prompts/list", modern: "same", legacy: "same" },
  { method: "prompts/get", modern: "same", legacy: "same" },
  { method: "completion/complete", modern: "same", legacy: "same" },

  {
    method: "initialize",
    modern: { why: "the 2026-07-28 revision has no handshake: each request says its version itself" },
    legacy: "made",
  },
  { method: "ping", modern: { why: "the 2026-07-28 revision has no ping" }, legacy: "made" },
  {
    method: "logging/setLevel",
    modern: { why: "in the 2026-07-28 revision each request says in its _meta which log lines it wants" },
    legacy: "made",
  },
  {
    method: "resources/subscribe",
    modern: { why: "subscriptions/listen took its place in the 2026-07-28 revision" },
    legacy: "listen",
  },
  {
    method: "resources/unsubscribe",
    modern: { why: "subscriptions/listen took its place in the 2026-07-28 revision" },
    legacy: "listen",
  },

  { method: "server/discover", modern: "made", legacy: { why: NOT_LEGACY } },
  { method: "subscriptions/listen", modern: "listen", legacy: { why: NOT_LEGACY } },

  { method: "sampling/createMessage", modern: "round", legacy: "round" },
  { method: "roots/list", modern: "round", legacy: "round" },
  { method: "elicitation/create", modern: "round", legacy: "round" },

  { method: "tasks/get", modern: { why: TASKS }, legacy: { why: TASKS } },
  { method: "tasks/result", modern: { why: TASKS }, legacy: { why: TASKS } },
  { method: "tasks/list", modern: { why: TASKS }, legacy: { why: TASKS } },
  { method: "tasks/update", modern: { why: TASKS }, legacy: { why: TASKS } },
  { method: "tasks/cancel", modern: { why: TASKS }, legacy: { why: TASKS } },

  { method: "notifications/initialized", modern: "dropped", legacy: "made" },
  { method: "notifications/roots/list_changed", modern: "dropped", legacy: "dropped" },
  { method: "notifications/progress", modern: "same", legacy: "same" },
  { method: "notifications/cancelled", modern: "same", legacy: "same" },
  { method: "notifications/message", modern: "log", legacy: "log" },
  { method: "notifications/resources/updated", modern: "listen", legacy: "listen" },
  { method: "notifications/tools/list_changed", modern: "listen", legacy: "listen" },
  { method: "notifications/prompts/list_changed", modern: "listen", legacy: "listen" },
  { method: "notifications/resources/list_changed", modern: "listen", legacy: "listen" },
  { method: "notifications/elicitation/complete", modern: "dropped", legacy: "dropped" },
  { method: "notifications/tasks/status", modern: "dropped", legacy: "dropped" },
  { method: "notifications/subscriptions/acknowledged", modern: "made", legacy: "dropped" },
  { method: "notifications/tasks", modern: "dropped", legacy: "dropped" },
];

const BY_METHOD = new Map(ERA_ROWS.map((row) => [row.method, row]));

/** What becomes of a method on its way to a client of an era. */
export function wayTo(era: "modern" | "legacy", method: string | undefined): Way {
  return BY_METHOD.get(method ?? "")?.[era] ?? "same";
}

/** Requests in whose place a modern server may ask for input (2026-07-28 basic/patterns/mrtr, Supported Requests). */
export const MAY_ASK: ReadonlySet<string | undefined> = new Set([
  "tools/call",
  "prompts/get",
  "resources/read",
]);

/** Results with caching hints in the modern era (2026-07-28 server/utilities/caching). */
export const CACHEABLE: ReadonlySet<string | undefined> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** Why tasks are not translated, in whatever message they show. */
export const TASKS_WHY = TASKS;
