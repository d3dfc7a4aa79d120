import { type CanonicalOptions, canonicalJson } from "../protocol/canonical.ts";
import { pointerOf } from "../protocol/json-diff.ts";
import { memberAt } from "../protocol/member.ts";
import { type JsonObject, type JsonValue, type Message, textOf } from "../protocol/message.ts";
import { labelOf, methodRow } from "../protocol/methods.ts";
import { claimedVersion, type Era, eraOfRequest, META, versionsOf } from "../protocol/revisions.ts";
import { plainKeyHash } from "./plain-key.ts";
import { type ClientName, PlainQuestion, type Question, type Without } from "./question.ts";

/** Members of `params` that never enter a key, by method. */
const VOLATILE_PARAMS: ReadonlyMap<string | undefined, ReadonlySet<string>> = new Map([
  // Negotiation: a server answers its own version, and clients differ in name and capabilities.
  ["initialize", new Set(["protocolVersion", "capabilities", "clientInfo", "inputResponses"])],
  // Ids are each client's own, and a reason is for people.
  ["notifications/cancelled", new Set(["requestId", "reason", "inputResponses"])],
]);

/**
 * Members of `params` of which an empty object and none at all are the same: optional arguments by name, where to leave
 * all of them out is to give none (2026-07-28 schema, CallToolRequestParams and GetPromptRequestParams). Servers may
 * tell them apart nevertheless: see `Question.without`.
 */
const EMPTY_IS_ABSENT: ReadonlyMap<string | undefined, string> = new Map([
  ["tools/call", "arguments"],
  ["prompts/get", "arguments"],
]);

/** What a person or a model answered; compared apart. */
const VOLATILE_EVERYWHERE: ReadonlySet<string> = new Set(["inputResponses"]);

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
  const { method } = message;
  if (method === undefined) {
    const key = `malformed ${textOf(message.bytes)}`;
    const nothing = { inputs: undefined, without: undefined, client: undefined, withToken: false } as const;
    return { key, ...nothing, era: "legacy", label: "malformed" };
  }
  const plain = plainQuestionOf(message, method);
  if (plain) return plain;
  const params = paramsOf(message);
  const inputs = memberAt(params, "inputResponses");
  const era = message.kind === "request" ? eraOfRequest({ method, params }) : "legacy";
  return {
    key: framed(message, { params, inputs, era }, keptText(message, params)),
    inputs: inputs === undefined ? undefined : canonicalJson(inputs),
    without: withoutOf(method, params),
    client: clientOf(method, params),
    withToken: memberAt(params, "_meta", "progressToken") !== undefined,
    era,
    label: labelOf(method, params),
  };
}

function plainQuestionOf({ kind, bytes, scan }: Message, method: string): PlainQuestion | undefined {
  const { params } = scan.members;
  const hash = kind === "request" && params ? plainKeyHash(bytes, method, params) : undefined;
  if (hash === undefined) return undefined;
  return new PlainQuestion(method, bytes.subarray(params?.start, params?.end), hash);
}

/**
 * The same key of params as rules see them: with what they leave out or give another text, or, without `loosely`,
 * of whatever params. The name of a tool or prompt always counts.
 */
export function looseKeyOf(message: Message, loosely: CanonicalOptions | undefined): string {
  const method = message.method ?? "malformed";
  const params = paramsOf(message);
  const era = message.kind === "request" ? eraOfRequest({ method, params }) : "legacy";
  const name = methodRow(method)?.nameParam === "name" ? canonicalJson(memberAt(params, "name") ?? null) : "";
  const text = loosely ? keptText(message, params, loosely) : "any";
  return framed(message, { params, inputs: memberAt(params, "inputResponses"), era }, `${name} ${text}`);
}

interface Framed {
  readonly params: JsonValue | undefined;
  readonly inputs: JsonValue | undefined;
  readonly era: Era;
}

/** What else makes the question stands around the text of its params. */
function framed(message: Message, { params, inputs, era }: Framed, text: string): string {
  const rounds = isObject(inputs) ? ` inputs ${JSON.stringify(Object.keys(inputs).sort())}` : "";
  return `${era === "modern" ? MODERN : ""}${asWhat(message)}${message.method} ${text}${rounds}${unusual(params)}`;
}

const MODERN = "modern ";
const USUAL_VERSION = versionsOf("modern").at(-1);

/** A request's method sent without an id asks for no answer, and must get none that was recorded for the request. */
function asWhat({ kind }: Message): string {
  return kind === "notification" ? "notification " : "";
}

/** A modern request that claims another version than the usual one may be answered otherwise. */
function unusual(params: JsonValue | undefined): string {
  const version = claimedVersion(params);
  return version === undefined || version === USUAL_VERSION ? "" : ` version ${version}`;
}

/** The key of the same request in the other era. */
export function inOtherEra(key: string, era: Era): string {
  return era === "modern" ? key.slice(MODERN.length) : `${MODERN}${key}`;
}

function withoutOf(method: string, params: JsonValue | undefined): Without | undefined {
  const optional = EMPTY_IS_ABSENT.get(method);
  if (optional === undefined) return undefined;
  const given = memberAt(params, optional);
  return given === undefined ? "absent" : isEmpty(given) ? "empty" : undefined;
}

function clientOf(method: string, params: JsonValue | undefined): ClientName | undefined {
  const path = method === "initialize" ? ["clientInfo"] : ["_meta", META.clientInfo];
  const info = memberAt(params, ...path);
  if (info === undefined) return undefined;
  return { info: canonicalJson(info), name: canonicalJson(memberAt(info, "name") ?? null) };
}

/** Params as a JavaScript value; numbers it cannot hold are lost, so equality is judged by the key's text. */
export function paramsOf(message: Message): JsonValue | undefined {
  const span = message.scan.members.params;
  if (!span) return undefined;
  return JSON.parse(textOf(message.bytes.subarray(span.start, span.end))) as JsonValue;
}

/**
 * What a message asks, for people: params without what a key leaves out, but with the client's `inputResponses`.
 * Numbers that JavaScript cannot hold stand as strings of their digits.
 */
export function askedOf(message: Message): JsonValue {
  const given = paramsOf(message);
  const params = given === undefined ? {} : given;
  const kept: JsonValue = message.scan.harmed
    ? (JSON.parse(withHarmedQuoted(keptText(message, params))) as JsonValue)
    : isObject(params)
      ? withoutVolatile(message.method, params)
      : params;
  const inputs = memberAt(params, "inputResponses");
  return inputs === undefined || !isObject(kept) ? kept : { ...kept, inputResponses: inputs };
}

/** The exact text of what a message asks, where `askedOf` cannot show it. */
export function askedTextOf(message: Message): string | undefined {
  return message.scan.harmed ? keptText(message, paramsOf(message)) : undefined;
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

function withHarmedQuoted(canonical: string): string {
  return canonical.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || String(Number(token)) === token ? token : `"${token}"`,
  );
}

/** Params in canonical form, exact, without what is volatile. An empty `params` and none at all are the same. */
function keptText(
  { bytes, scan, method }: Message,
  params: JsonValue | undefined,
  loosely?: CanonicalOptions,
): string {
  const span = scan.members.params;
  if (params === undefined || !span) return "{}";
  return canonicalKept(params, {
    method,
    exact: scan.harmed ? bytes.subarray(span.start, span.end) : undefined,
    loosely,
  });
}

interface Spelling {
  /** Whose params it is, if it is any. */
  readonly method: string | undefined;
  /** The text, where JavaScript cannot hold what it denotes. */
  readonly exact: Uint8Array | undefined;
  /** What rules make of it. */
  readonly loosely?: CanonicalOptions | undefined;
}

function canonicalKept(value: JsonValue, { method, exact, loosely }: Spelling): string {
  const kept = isObject(value) ? withoutEmpty(method, withoutVolatile(method, value)) : value;
  const options = loosely && withoutEmptied(loosely, kept, method);
  if (!exact) return canonicalJson(kept, options);
  const gone = (name: string) => isObject(kept) && !Object.hasOwn(kept, name);
  return canonicalJson(exact, {
    omit: (pointer) =>
      isVolatilePointer(method, pointer) ||
      (pointer === "/_meta" && gone("_meta")) ||
      (pointer === "/arguments" && gone("arguments")) ||
      (options?.omit?.(pointer) ?? false),
    rewrite: options?.rewrite,
  });
}

/** An object of which rules leave nothing is as good as an empty one. */
function withoutEmptied(
  { omit = () => false, rewrite }: CanonicalOptions,
  params: JsonValue,
  method: string | undefined,
): CanonicalOptions {
  const isEmptied = (name: string | undefined) => {
    const members = name === undefined ? undefined : memberAt(params, name);
    return isObject(members) && Object.keys(members).every((key) => omit(pointerOf([name as string, key])));
  };
  const emptied = ["_meta", EMPTY_IS_ABSENT.get(method)].filter(isEmptied).map((name) => `/${name}`);
  return { omit: (pointer) => emptied.includes(pointer) || omit(pointer), rewrite };
}

function withoutVolatile(method: string | undefined, params: JsonObject): JsonObject {
  const dropped = VOLATILE_PARAMS.get(method) ?? VOLATILE_EVERYWHERE;
  const names = Object.keys(params);
  if (!names.some((name) => name === "_meta" || dropped.has(name))) return params;
  const kept: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(params)) {
    if (dropped.has(name)) continue;
    if (name !== "_meta" || !isObject(value)) kept.push([name, value]);
    else if (Object.keys(value).some(isKeptMeta)) kept.push([name, keptMeta(value)]);
  }
  // Defines own members whatever their names; `__proto__` is a legal JSON key.
  return Object.fromEntries(kept);
}

function withoutEmpty(method: string | undefined, params: JsonObject): JsonObject {
  const optional = EMPTY_IS_ABSENT.get(method);
  if (optional === undefined || !isEmpty(params[optional])) return params;
  const { [optional]: _empty, ...rest } = params;
  return rest;
}

function keptMeta(meta: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => isKeptMeta(name)));
}

function isKeptMeta(name: string): boolean {
  return !VOLATILE_META.has(name);
}

function isVolatilePointer(method: string | undefined, pointer: string): boolean {
  const [, first = "", second, third] = pointer.split("/");
  if (first === "_meta" && second !== undefined && third === undefined) {
    return !isKeptMeta(second.replaceAll("~1", "/").replaceAll("~0", "~"));
  }
  return second === undefined && (VOLATILE_PARAMS.get(method) ?? VOLATILE_EVERYWHERE).has(first);
}

/** Canonical form of an answer the client gave to the server's request, for comparing it with the recorded one. */
export function canonicalAnswer({ bytes, scan, isError }: Message): string {
  const span = isError ? scan.members.error : scan.members.result;
  if (!span) return "null";
  const text = bytes.subarray(span.start, span.end);
  const value = JSON.parse(textOf(text)) as JsonValue;
  const canonical = canonicalKept(value, { method: undefined, exact: scan.harmed ? text : undefined });
  return isError ? `error ${canonical}` : canonical;
}

function isEmpty(value: JsonValue | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
