import { memberAt } from "../../protocol/member.ts";
import {
  type JsonObject,
  type JsonValue,
  jsonOf,
  type Message,
  readMessage,
} from "../../protocol/message.ts";
import { claimedVersion, META, versionsOf } from "../../protocol/revisions.ts";
import { findSpan, replaceSpans } from "../../protocol/scan-json.ts";
import { paramsOf } from "../key.ts";
import { cutting, isObjectAt, joined } from "./members.ts";
import { inputParams, inputRequests, lackingFor, type PendingAsk } from "./rounds.ts";

/** The exact text at a path. */
export function pieceAt({ bytes }: Message, path: readonly (string | number)[]): Uint8Array | undefined {
  const span = findSpan(bytes, path);
  return span && bytes.subarray(span.start, span.end);
}

export function logLevelOf(request: Message | undefined): JsonValue | undefined {
  return request && memberAt(paramsOf(request), "_meta", META.logLevel);
}

/** The same request as a legacy client makes it: without the version that makes it a modern one. */
export function legacyRequest(message: Message): Message {
  const meta = findSpan(message.bytes, ["params", "_meta"]);
  if (!isObjectAt(message.bytes, meta)) return message;
  return readMessage(
    replaceSpans(
      message.bytes,
      cutting(message.bytes, meta, ({ key }) => key === META.protocolVersion),
    ),
  );
}

/** What a modern server refuses whatever is asked (2026-07-28 basic/index and basic/versioning). */
export function refused(message: Message): Uint8Array | undefined {
  const params = paramsOf(message);
  const version = claimedVersion(params);
  const capabilities = memberAt(params, "_meta", META.clientCapabilities);
  if (version === undefined || typeof capabilities !== "object" || capabilities === null) {
    const needed = `${META.protocolVersion} and ${META.clientCapabilities}`;
    return errorMember(-32602, `Invalid params: _meta needs ${needed}`);
  }
  const supported = versionsOf("modern");
  if (supported.includes(version)) return undefined;
  const data = { supported: [...supported], requested: version };
  return errorMember(-32022, `Unsupported protocol version: ${version}`, data);
}

function errorMember(code: number, message: string, data?: JsonValue): Uint8Array {
  const error = data === undefined ? { code, message } : { code, message, data };
  return joined([`"error":${JSON.stringify(error)}`]);
}

/** The response to a request, with this member. */
export function responseWith({ id = "null" }: Message, member: Uint8Array): Uint8Array {
  return joined([`{"jsonrpc":"2.0","id":${id},`, member, "}"]);
}

/** What a client must be asked before its request is answered. */
export interface Round {
  readonly asks: readonly PendingAsk[];
  readonly state: string;
}

/**
 * The capabilities that the client lacks for a round, as the specification has a server name them (2026-07-28
 * basic/index, Per-request protocol fields); undefined when it lacks none.
 */
export function lackingIn(request: Message, { asks }: Round): JsonObject | undefined {
  const capabilities = memberAt(paramsOf(request), "_meta", META.clientCapabilities);
  const lacking = asks.flatMap(
    ({ message }) => lackingFor(message.method, paramsOf(message), capabilities) ?? [],
  );
  return lacking.length > 0 ? Object.assign({}, ...lacking) : undefined;
}

/** The error that names them. */
export function capabilityMissing(requiredCapabilities: JsonObject): Uint8Array {
  return errorMember(-32021, "Missing required client capability", { requiredCapabilities });
}

/**
 * The answer that asks the client for input (2026-07-28 basic/patterns/mrtr).
 * @param serverInfo exact JSON
 */
export function inputRequired({ asks, state }: Round, serverInfo: Uint8Array | undefined): Uint8Array {
  const meta = serverInfo ? [`,"_meta":{${JSON.stringify(META.serverInfo)}:`, serverInfo, "}"] : [];
  return joined([
    '"result":{"resultType":"input_required","inputRequests":',
    inputRequests(asks),
    `,"requestState":${JSON.stringify(state)}`,
    ...meta,
    "}",
  ]);
}

/** The elicitations that an error -32042 names (2025-11-25 client/elicitation), as the server's requests; none otherwise. */
export function urlAsks(response: Message): readonly PendingAsk[] {
  const path = ["error", "data", "elicitations"];
  const list = memberAt(jsonOf(response), ...path);
  if (!Array.isArray(list)) return [];
  return list.map((_, index): PendingAsk => {
    const params = inputParams(pieceAt(response, [...path, index]) ?? new Uint8Array());
    const bytes = joined(['{"jsonrpc":"2.0","id":0,"method":"elicitation/create","params":', params, "}"]);
    return { key: `elicitation-${index + 1}`, recordedId: "0", message: readMessage(bytes) };
  });
}
