import type { JsonObject } from "../../protocol/message.ts";
import { methodRow } from "../../protocol/methods.ts";
import { isLogged } from "../log-levels.ts";
import type { Effect, Step } from "../model.ts";
import type { Asked } from "./asked.ts";
import { isListened } from "./feeds.ts";
import { notificationBytes, progressBytes } from "./wire.ts";

type Notify = Extract<Effect, { kind: "notify" }>;
export type Telling =
  | Extract<Step, { kind: "progress" | "log" }>
  | { readonly kind: "notify"; readonly notify: Notify };

export type Render = (params: JsonObject) => JsonObject;

/** What a step says on the stream of the answer; undefined for one that says nothing there. */
export function tellingOf(step: Step, { client }: Asked): Telling | undefined {
  if (step.kind === "progress" || step.kind === "log") return step;
  if (step.kind !== "effect" || step.effect.kind !== "notify") return undefined;
  // A legacy client is told of everything beside its requests, and whoever listens of what can be listened to.
  const isBeside = client.revision.era === "legacy" || isListened(step.effect.method);
  return isBeside ? undefined : { kind: "notify", notify: step.effect };
}

/**
 * The message; undefined where the client is not to be told, a sentence where it cannot be. A modern server sends
 * progress and log lines of a request on its stream, and nothing else that the protocol knows (2026-07-28
 * basic/patterns/subscriptions).
 */
export function toldOf(telling: Telling, asked: Asked, render: Render): Uint8Array | string | undefined {
  switch (telling.kind) {
    case "progress":
      return asked.progressToken === undefined
        ? undefined
        : progressBytes(asked.progressToken, render(telling.params));
    case "log":
      return loggedOf(telling.params, asked, render);
    case "notify": {
      const { method, params } = telling.notify;
      if (method === "notifications/message") return loggedOf(params ?? {}, asked, render);
      const isOwn = methodRow(method) === undefined || method === "notifications/progress";
      if (isOwn) return notificationBytes(method, params && render(params));
      return `${asked.label} sends ${method}, which ${asked.client.revision.version} does not have on the stream of an answer.`;
    }
  }
}

function loggedOf(
  params: JsonObject,
  { client: { logLevel } }: Asked,
  render: Render,
): Uint8Array | undefined {
  if (logLevel === undefined || !isLogged(String(params.level), logLevel)) return undefined;
  return notificationBytes("notifications/message", render(params));
}
