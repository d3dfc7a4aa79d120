import { canonicalJson } from "../protocol/canonical.ts";
import { type JsonObject, type JsonValue, jsonOf, type Message, textOf } from "../protocol/message.ts";
import { META } from "../protocol/revisions.ts";

/**
 * What of a client's message decides which recording answers it: the method and its params in canonical form, without
 * what changes from run to run. Two messages with equal keys are the same question.
 */
export interface Question {
  readonly key: string;
  /** Canonical `params.inputResponses` of a retry in the modern era; not in the key, since people answer freely. */
  readonly inputs: string | undefined;
  /** Canonical `clientInfo` the message names, which may tell recorded clients apart. */
  readonly clientInfo: string | undefined;
}

/** Members of `params` that never enter a key, by method; `*` for every method. Why: docs of each row. */
const VOLATILE_PARAMS: Readonly<Record<string, readonly string[]>> = {
  // Negotiation: a server answers its own version, and clients differ in name and capabilities.
  initialize: ["protocolVersion", "capabilities", "clientInfo"],
  // The level filters log lines and changes no answer.
  "logging/setLevel": ["level"],
  // What a person or a model answered; compared apart.
  "*": ["inputResponses"],
};

/** Members of `params._meta` that never enter a key: the protocol's own, and W3C trace context. */
const VOLATILE_META: ReadonlySet<string> = new Set([
  "progressToken",
  "traceparent",
  "tracestate",
  "baggage",
  ...Object.values(META),
]);

/** The question a request or notification asks; what is no such message is its own text. */
export function questionOf(message: Message): Question {
  if (message.method === undefined) {
    return { key: `malformed ${textOf(message.bytes)}`, inputs: undefined, clientInfo: undefined };
  }
  const params = paramsOf(message);
  const kept = isObject(params) ? withoutVolatile(message.method, params) : params;
  const meta = isObject(params) && isObject(params._meta) ? params._meta : undefined;
  const inputs = isObject(params) ? params.inputResponses : undefined;
  const info =
    message.method === "initialize" && isObject(params) ? params.clientInfo : meta?.[META.clientInfo];
  const rounds = isObject(inputs) ? ` inputs ${Object.keys(inputs).sort().join(",")}` : "";
  return {
    key: `${message.method} ${canonicalParams(message, kept)}${rounds}`,
    inputs: inputs === undefined ? undefined : canonicalJson(inputs),
    clientInfo: info === undefined ? undefined : canonicalJson(info),
  };
}

/** Params as a JavaScript value; numbers it cannot hold are lost, so equality is judged by `canonicalParams`. */
export function paramsOf(message: Message): JsonValue | undefined {
  const span = message.scan.members.params;
  if (!span) return undefined;
  return JSON.parse(textOf(message.bytes.subarray(span.start, span.end))) as JsonValue;
}

function withoutVolatile(method: string, params: JsonObject): JsonObject {
  const dropped = VOLATILE_PARAMS[method] ?? [];
  const everywhere = VOLATILE_PARAMS["*"] ?? [];
  if (params._meta === undefined && ![...dropped, ...everywhere].some((name) => Object.hasOwn(params, name)))
    return params;
  const kept: JsonObject = {};
  for (const [name, value] of Object.entries(params)) {
    if (dropped.includes(name) || everywhere.includes(name)) continue;
    if (name !== "_meta" || !isObject(value)) define(kept, name, value);
    else if (Object.keys(value).some(isKeptMeta)) {
      kept._meta = Object.fromEntries(Object.entries(value).filter(([key]) => isKeptMeta(key)));
    }
  }
  return kept;
}

function isKeptMeta(name: string): boolean {
  return !VOLATILE_META.has(name);
}

/** An empty `params` and none at all are the same question. */
function canonicalParams(message: Message, kept: JsonValue | undefined): string {
  if (kept === undefined || (isObject(kept) && Object.keys(kept).length === 0)) return "{}";
  if (!message.scan.harmed) return canonicalJson(kept);
  const span = message.scan.members.params;
  if (!span) return "{}";
  const method = message.method ?? "";
  const metaGone = !isObject(kept) || kept._meta === undefined;
  return canonicalJson(message.bytes.subarray(span.start, span.end), {
    omit: (pointer) => isVolatilePointer(method, pointer) || (metaGone && pointer === "/_meta"),
  });
}

function isVolatilePointer(method: string, pointer: string): boolean {
  const [, first = "", second, third] = pointer.split("/");
  if (first === "_meta" && second !== undefined && third === undefined) {
    return !isKeptMeta(second.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  if (second !== undefined) return false;
  return Boolean(VOLATILE_PARAMS[method]?.includes(first) || VOLATILE_PARAMS["*"]?.includes(first));
}

/** Canonical form of an answer the client gave to the server's request, for comparing it with the recorded one. */
export function canonicalAnswer(message: Message): string {
  const value = jsonOf(message);
  if (!isObject(value)) return canonicalJson(value);
  return canonicalJson(value.error === undefined ? (value.result ?? null) : { error: value.error });
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a member without ever reaching a prototype (`__proto__` is a legal JSON key). */
function define(target: JsonObject, name: string, value: JsonValue): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
