import { tokenAt } from "../../exchange/token.ts";
import { memberAt } from "../../protocol/member.ts";
import { type JsonValue, jsonOf, type Message, textOf } from "../../protocol/message.ts";
import { META } from "../../protocol/revisions.ts";
import { findSpan, type Replacement, replaceSpans, type Span } from "../../protocol/scan-json.ts";
import type { Untranslatable } from "../miss.ts";
import { adding, cutting, isObjectAt } from "./members.ts";
import { CACHEABLE, TASKS_WHY } from "./rows.ts";

/** Conservative hints: an answer from a recording may differ the next time, and says nothing of who else may see it. */
export const HINTS = ['"ttlMs":0', '"cacheScope":"private"'] as const;

const NOT_FOUND = "-32002";
const INVALID_PARAMS = "-32602";

/** Codes to which the modern era alone gives a meaning (2026-07-28 basic/index, Error Codes). */
const MODERN_CODES: Readonly<Record<string, string>> = {
  "-32020": "HTTP headers that do not mirror the body",
  "-32021": "a capability that the recorded client did not declare",
  "-32022": "a protocol version that the recorded server does not support",
};

/** The exact text of an error's code, where a response carries one. */
export function codeOf(response: Message): string | undefined {
  return response.isError ? tokenAt(response, ["error", "code"]) : undefined;
}

/**
 * A legacy response as the modern era has it: members are put in, and everything else stays as it was recorded.
 * @param serverInfo the recorded server's, exact JSON
 */
export function modernOutcome(
  response: Message,
  method: string | undefined,
  serverInfo: Uint8Array | undefined,
): Uint8Array | Untranslatable {
  const { bytes, scan } = response;
  if (response.isError) return modernError(response);
  const { result } = scan.members;
  if (!isObjectAt(bytes, result)) return bytes;
  const own = tokenAt(response, ["result", "resultType"]);
  if (own !== undefined && own !== '"complete"') {
    return {
      feature: `resultType ${own}`,
      why: "what a legacy server meant by it is not what the modern era does",
    };
  }
  if (findSpan(bytes, ["result", "task"]) && method === "tools/call")
    return { feature: "tasks", why: TASKS_WHY };
  const has = (name: string) => findSpan(bytes, ["result", name]) !== undefined;
  const hints = CACHEABLE.has(method) ? HINTS.filter((hint) => !has(hint.split('"')[1] as string)) : [];
  const members = [...(own === undefined ? ['"resultType":"complete"'] : []), ...hints];
  const { root, nested } = withServerInfo(bytes, serverInfo);
  const atRoot = [...members, ...root];
  return replaceSpans(bytes, [...(atRoot.length > 0 ? [adding(bytes, result, atRoot)] : []), ...nested]);
}

/** Servers should name themselves in every result (2026-07-28 basic/index, Per-response protocol fields). */
function withServerInfo(
  bytes: Uint8Array,
  serverInfo: Uint8Array | undefined,
): { readonly root: readonly string[]; readonly nested: readonly Replacement[] } {
  if (!serverInfo) return { root: [], nested: [] };
  const member = `${JSON.stringify(META.serverInfo)}:${textOf(serverInfo)}`;
  const meta = findSpan(bytes, ["result", "_meta"]);
  if (!meta) return { root: [`"_meta":{${member}}`], nested: [] };
  if (!isObjectAt(bytes, meta) || findSpan(bytes, ["result", "_meta", META.serverInfo])) {
    return { root: [], nested: [] };
  }
  return { root: [], nested: [adding(bytes, meta, [member])] };
}

function modernError(response: Message): Uint8Array | Untranslatable {
  const code = codeOf(response) ?? "";
  // The modern era must not emit it (2026-07-28 server/resources, Error Handling).
  if (code === NOT_FOUND) return withCode(response, INVALID_PARAMS);
  if (MODERN_CODES[code] === undefined) return response.bytes;
  return {
    feature: `error ${code}`,
    why: `a modern client would take it for ${MODERN_CODES[code]}, which it did not mean when it was recorded`,
  };
}

function withCode({ bytes }: Message, code: string): Uint8Array {
  const span = findSpan(bytes, ["error", "code"]) as Span;
  return replaceSpans(bytes, [{ span, replacement: new TextEncoder().encode(code) }]);
}

const MODERN_MEMBERS: ReadonlySet<string> = new Set(["resultType"]);
const MODERN_HINTS: ReadonlySet<string> = new Set(["resultType", "ttlMs", "cacheScope"]);
const MODERN_META: ReadonlySet<string> = new Set([META.serverInfo, META.subscriptionId]);

/**
 * A modern response as the legacy era has it: what the modern era puts into every result is taken out, and everything
 * else stays as it was recorded.
 * @param request the live client's
 */
export function legacyOutcome(response: Message, request: Message): Uint8Array | Untranslatable {
  if (response.isError) return legacyError(response, request);
  const { bytes, scan } = response;
  const { result } = scan.members;
  if (!isObjectAt(bytes, result)) return bytes;
  const amiss = notLegacy(response, request.method);
  if (amiss) return amiss;
  const names = CACHEABLE.has(request.method) ? MODERN_HINTS : MODERN_MEMBERS;
  const meta = findSpan(bytes, ["result", "_meta"]);
  const inMeta = meta ? cutting(bytes, meta, ({ key }) => MODERN_META.has(key)) : [];
  const metaGoes = meta !== undefined && onlyModern(response);
  const atRoot = cutting(bytes, result, ({ key }) => names.has(key) || (key === "_meta" && metaGoes));
  const schemas = request.method === "tools/list" ? outputSchemaCuts(response) : [];
  const all = [...atRoot, ...(metaGoes ? [] : inMeta), ...schemas];
  return replaceSpans(
    bytes,
    all.sort((a, b) => a.span.start - b.span.start),
  );
}

/** Nothing in the result's `_meta` is of the server's own. */
function onlyModern(response: Message): boolean {
  const meta = memberAt(jsonOf(response), "result", "_meta");
  return typeof meta === "object" && meta !== null && Object.keys(meta).every((key) => MODERN_META.has(key));
}

function notLegacy(response: Message, method: string | undefined): Untranslatable | undefined {
  const type = tokenAt(response, ["result", "resultType"]);
  if (type === '"task"') return { feature: "tasks", why: TASKS_WHY };
  if (type !== undefined && type !== '"complete"') {
    return { feature: `resultType ${type}`, why: "only an extension of the modern era gives it a meaning" };
  }
  const structured = findSpan(response.bytes, ["result", "structuredContent"]);
  if (method !== "tools/call" || !structured || isObjectAt(response.bytes, structured)) return undefined;
  return {
    feature: "structuredContent that is no object",
    why: "up to the 2025-11-25 revision it must be an object",
  };
}

/**
 * An output schema that is no object's promises what a legacy tool cannot give; without it the tool stands, and a call
 * that gives it is a miss. Legacy clients refuse the whole list otherwise.
 */
function outputSchemaCuts(response: Message): readonly Replacement[] {
  const tools = memberAt(jsonOf(response), "result", "tools");
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: JsonValue, index) => {
    const schema = memberAt(tool, "outputSchema");
    if (schema === undefined || memberAt(schema, "type") === "object") return [];
    const span = findSpan(response.bytes, ["result", "tools", index]) as Span;
    return cutting(response.bytes, span, ({ key }) => key === "outputSchema");
  });
}

function legacyError(response: Message, request: Message): Uint8Array | Untranslatable {
  const code = codeOf(response) ?? "";
  const meaning = MODERN_CODES[code];
  if (meaning !== undefined) {
    return { feature: `error ${code}`, why: `it reports ${meaning}, of which legacy clients know nothing` };
  }
  // What is not found says which (2026-07-28 server/resources, Error Handling); other invalid params stay what they are.
  const uri = tokenAt(request, ["params", "uri"]);
  const isMissing =
    request.method === "resources/read" &&
    code === INVALID_PARAMS &&
    uri !== undefined &&
    tokenAt(response, ["error", "data", "uri"]) === uri;
  return isMissing ? withCode(response, NOT_FOUND) : response.bytes;
}
