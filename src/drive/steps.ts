import type { IdToken, JsonObject, JsonValue } from "../protocol/message.ts";
import { ask, type DriveContext, type Request } from "./asking.ts";
import { auto } from "./auto.ts";
import type { Course, Outcome } from "./move.ts";
import type { Opened } from "./opening.ts";
import { LISTS, pages } from "./pages.ts";
import type { Doing, Step, StepKind } from "./step.ts";

/** A drive while its conversation is open. */
export interface Going {
  readonly opened: Opened;
  readonly context: DriveContext;
  /** Open subscriptions of the modern era, by resource. */
  readonly subscriptions: Map<string, IdToken>;
}

type Do<Kind extends StepKind> = (doing: Extract<Doing, { kind: Kind }>, going: Going) => Course<Outcome>;

const DONE: Outcome = { kind: "done" };
/** The server and the client disagree on the headers that mirror a call (2026-07-28). */
const HEADER_MISMATCH = -32020;

/** What each kind of step does. */
const STEPS: { readonly [Kind in StepKind]: Do<Kind> } = {
  *auto(_doing, { opened, context }) {
    yield* auto(opened, context);
    return DONE;
  },
  call: ({ name, arguments: args }, going) => call({ name, ...present("arguments", args) }, going),
  read: ({ uri }, going) => request("resources/read", { uri }, going),
  prompt: ({ name, arguments: args }, going) =>
    request("prompts/get", { name, ...present("arguments", args) }, going),
  complete: ({ params }, going) => request("completion/complete", params, going),
  *list({ list }, { context }) {
    return (yield* pages(LISTS[list], context)).outcome;
  },
  subscribe: ({ uri }, going) =>
    going.opened.era === "modern" ? listen(uri, going) : request("resources/subscribe", { uri }, going),
  unsubscribe: ({ uri }, going) =>
    going.opened.era === "modern"
      ? stopListening(uri, going)
      : request("resources/unsubscribe", { uri }, going),
  *level({ level }, going) {
    if (going.opened.era === "legacy") return yield* request("logging/setLevel", { level }, going);
    return yield { type: "logLevel", level };
  },
  request: ({ method, params }, going) => request(method, params, going),
  *notify({ method, params }) {
    return yield { type: "notify", method, params };
  },
  *wait({ ms }) {
    return yield { type: "wait", ms };
  },
};

/** Does what a step says; the outcome is that of its last request. */
export function doStep({ doing }: Step, going: Going): Course<Outcome> {
  return (STEPS[doing.kind] as Do<StepKind>)(doing, going);
}

function request(method: string, params: JsonValue | undefined, { context }: Going): Course<Outcome> {
  return ask({ method, params }, context);
}

/** A tool's schema says which headers a call needs; where it is not known yet, the server's refusal tells to ask. */
function* call(params: JsonObject, { context }: Going): Course<Outcome> {
  const request: Request = { method: "tools/call", params, progress: true };
  const outcome = yield* ask(request, context);
  if (outcome.kind !== "error" || outcome.error.code !== HEADER_MISMATCH) return outcome;
  yield* pages(LISTS.tools, context);
  return yield* ask(request, context);
}

function* listen(uri: string, { context, subscriptions }: Going): Course<Outcome> {
  const params = { notifications: { resourceSubscriptions: [uri] } };
  const outcome = yield* ask({ method: "subscriptions/listen", params }, context);
  if (outcome.kind === "open") subscriptions.set(uri, outcome.id);
  return outcome;
}

function* stopListening(uri: string, { subscriptions }: Going): Course<Outcome> {
  const id = subscriptions.get(uri);
  if (id === undefined) return { kind: "refused", reason: "there is no subscription to end" };
  subscriptions.delete(uri);
  return yield { type: "stop", id };
}

function present(name: string, value: JsonObject | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}
