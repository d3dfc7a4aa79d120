import type { Change } from "../contract/change.ts";
import { memberAt } from "../protocol/member.ts";
import { type JsonObject, type JsonValue, jsonOf, type Message } from "../protocol/message.ts";
import { asSent } from "../rerecord/as-sent.ts";
import { diffAnswers } from "./answer-diff.ts";
import { isObject, isSame } from "./content.ts";
import type { OwnRules } from "./own-rules.ts";
import { driftOf } from "./rules.ts";
import type { Read } from "./side.ts";

/** What a server asks its client for: as a request of its own (legacy), or in a result (2026-07-28). */
export interface Ask {
  readonly method: string;
  readonly params: JsonValue;
  /** The message with the names that it had, where those are marked. */
  readonly sent?: Read;
}

export function askOf(message: Message, sent: Read): Ask {
  return { method: message.method ?? "", params: withoutMeta(memberAt(jsonOf(message), "params")), sent };
}

/** The questions of an `input_required` result. Their keys are the server's own, so they do not count. */
export function asksIn(result: JsonObject): Ask[] {
  const { inputRequests: asks } = result;
  if (!isObject(asks)) return [];
  return Object.values(asks).map((ask) => ({
    method: String(memberAt(ask, "method")),
    params: withoutMeta(memberAt(ask, "params")),
  }));
}

function withoutMeta(params: JsonValue | undefined): JsonValue {
  if (!isObject(params)) return params ?? {};
  const { _meta, ...rest } = params;
  return rest;
}

/** The client's capability that each question of a server needs. */
const NEEDS: ReadonlyMap<string, string> = new Map([
  ["sampling/createMessage", "sampling"],
  ["elicitation/create", "elicitation"],
  ["roots/list", "roots"],
]);

export interface AskContext {
  readonly subject: string;
  /** Tells what the client said it can do; undefined where the recording does not show it. */
  readonly declared: () => JsonValue | undefined;
  /** What may differ. */
  readonly own?: OwnRules | undefined;
}

/** How the questions of a server differ. Those that were open at once have no order among themselves. */
export function compareAsks(old: readonly Ask[], fresh: readonly Ask[], context: AskContext): Change[] {
  if (old.length === 0 && fresh.length === 0) return [];
  const come = [...fresh];
  const take = (fits: (ask: Ask) => boolean) => {
    const index = come.findIndex(fits);
    return index < 0 ? undefined : come.splice(index, 1)[0];
  };
  const same = (ask: Ask) => (other: Ask) =>
    other.method === ask.method &&
    (isSame(other.params, ask.params) ||
      (isOwn(ask, context) && differencesOf(ask, other, context).length === 0));
  const left = old.filter((ask) => take(same(ask)) === undefined);
  const changes = left.flatMap((ask) => {
    const other = take(({ method }) => method === ask.method);
    return other ? changed(ask, other, context) : [removed(ask, context)];
  });
  return [...changes, ...come.map((ask) => added(ask, context))];
}

function isOwn({ method, params }: Ask, { own }: AskContext): boolean {
  return own?.for(method, params) !== undefined;
}

function sentParams({ sent }: Ask): JsonValue | undefined {
  return sent && memberAt(sent.value, "params");
}

function differencesOf(ask: Ask, other: Ask, { own }: AskContext) {
  const { method, params } = ask;
  const sent = [sentParams(ask), sentParams(other)] as const;
  return diffAnswers(params, other.params, { loosely: own?.for(method, params), sent });
}

function changed(ask: Ask, other: Ask, context: AskContext): Change[] {
  return differencesOf(ask, other, context).map(({ pointer, before, after }) =>
    driftOf("server-request-changed", {
      subject: context.subject,
      pointer,
      message: `${ask.method}, which the server asks meanwhile, differs at ${pointer || "its whole"}.`,
      before,
      after,
    }),
  );
}

function removed(ask: Ask, { subject }: AskContext): Change {
  const { method, params } = ask;
  const message = `The server no longer asks for ${method}.`;
  return driftOf("server-request-removed", {
    subject,
    pointer: "",
    message,
    before: asSent(params, sentParams(ask)),
  });
}

function added(ask: Ask, { subject, declared }: AskContext): Change {
  const { method, params } = ask;
  const need = NEEDS.get(method);
  const can = need === undefined ? undefined : declared();
  const undeclared = need !== undefined && can !== undefined && memberAt(can, need) === undefined;
  const message = undeclared
    ? `The server now asks for ${method}, which the client did not declare that it can do.`
    : `The server now asks for ${method}.`;
  const own = undeclared ? ({ class: "breaking" } as const) : {};
  return driftOf("server-request-added", {
    subject,
    pointer: "",
    message,
    after: asSent(params, sentParams(ask)),
    ...own,
  });
}
