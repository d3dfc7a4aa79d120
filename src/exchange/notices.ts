/** Notifications of the client upon which servers ask for something, roots above all. */
export const TRIGGERS: ReadonlySet<string> = new Set([
  "notifications/initialized",
  "notifications/roots/list_changed",
]);

/** Where a notification names what it is about; others may bear a subscription's id. */
export const NAMED_BY: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["notifications/progress", ["params", "progressToken"]],
  ["notifications/cancelled", ["params", "requestId"]],
]);
