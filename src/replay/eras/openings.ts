import { answerOf } from "../../exchange/exchange.ts";
import { memberAt } from "../../protocol/member.ts";
import { type JsonObject, type JsonValue, jsonOf, type Message, textOf } from "../../protocol/message.ts";
import { META, versionsOf } from "../../protocol/revisions.ts";
import { findSpan, replaceSpans, type Span } from "../../protocol/scan-json.ts";
import type { Recorded } from "../candidates.ts";
import { paramsOf } from "../key.ts";
import type { Untranslatable } from "../miss.ts";
import type { Recording } from "../recording.ts";
import { LIST_CHANGES } from "./list-changes.ts";
import { cutting, isObjectAt, joined } from "./members.ts";
import { HINTS } from "./outcomes.ts";

/** A recorded exchange and the result it was answered with. */
export interface Answered {
  readonly recorded: Recorded;
  readonly response: Message;
}

/** The first recording of a method that was answered with a result. */
export function firstResult(recording: Recording, method: string): Answered | undefined {
  for (const recorded of recording.catalogue.shelf(method).all) {
    const response = resultOf(recorded, recording);
    if (response) return { recorded, response };
  }
  return undefined;
}

function resultOf({ exchange }: Recorded, recording: Recording): Message | undefined {
  const answer = answerOf(exchange);
  if (answer?.role !== "outcome") return undefined;
  const { message } = recording.at(answer);
  return isObjectAt(message.bytes, message.scan.members.result) ? message : undefined;
}

function piece({ bytes }: Message, path: readonly string[]): Uint8Array | undefined {
  const span = findSpan(bytes, path);
  return span && bytes.subarray(span.start, span.end);
}

/** The `serverInfo` of a recorded `initialize` answer, exact. */
export function legacyServerInfo(recording: Recording): Uint8Array | undefined {
  const opening = firstResult(recording, "initialize");
  return opening && piece(opening.response, ["result", "serverInfo"]);
}

/** Capabilities of a server that a modern one does not have (2026-07-28 changelog): tasks are an extension there. */
const GONE: ReadonlySet<string> = new Set(["tasks"]);

/** The result of `server/discover` as an `initialize` answer tells it; its pieces are the recorded ones. */
export function discoverResult({ response }: Answered): Uint8Array {
  const capabilities = findSpan(response.bytes, ["result", "capabilities"]);
  const instructions = piece(response, ["result", "instructions"]);
  const serverInfo = piece(response, ["result", "serverInfo"]);
  return joined([
    `{"supportedVersions":${JSON.stringify(versionsOf("modern"))},"capabilities":`,
    isObjectAt(response.bytes, capabilities) ? modernCapabilities(response.bytes, capabilities) : "{}",
    ...(instructions ? [',"instructions":', instructions] : []),
    `,"resultType":"complete",${HINTS.join(",")}`,
    ...(serverInfo ? [`,"_meta":{${JSON.stringify(META.serverInfo)}:`, serverInfo, "}"] : []),
    "}",
  ]);
}

/**
 * The result of `server/discover` of a modern recording whose client did not ask: what its requests show. Exact JSON.
 */
export function discoverShown(recording: Recording): string {
  const capabilities = evidenced(shownCapabilities(recording), recording);
  const serverInfo = serverInfoOfResults(recording);
  const meta = serverInfo ? `,"_meta":{${JSON.stringify(META.serverInfo)}:${textOf(serverInfo)}}` : "";
  const head = `{"supportedVersions":${JSON.stringify(versionsOf("modern"))},"capabilities":${JSON.stringify(capabilities)}`;
  return `${head},"resultType":"complete",${HINTS.join(",")}${meta}}`;
}

function modernCapabilities(bytes: Uint8Array, { start, end }: Span): Uint8Array {
  const text = bytes.subarray(start, end);
  return replaceSpans(
    text,
    cutting(text, { start: 0, end: text.length }, ({ key }) => GONE.has(key)),
  );
}

/** What a modern recording tells of its server. */
export interface ModernServer {
  /** Exact JSON. */
  readonly serverInfo: string;
  readonly capabilities: JsonObject;
  /** Exact JSON. */
  readonly instructions: string | undefined;
  /** The exchange it was read from, if it was one. */
  readonly discovered: Recorded | undefined;
}

/** What `initialize` is to tell: as the server discovered itself, else as its results name it and the requests show. */
export function modernServer(recording: Recording): ModernServer | Untranslatable {
  const discovered = firstResult(recording, "server/discover");
  const own = discovered && piece(discovered.response, ["result", "_meta", META.serverInfo]);
  const serverInfo = own ?? serverInfoOfResults(recording);
  if (!serverInfo) {
    return {
      feature: "initialize",
      why: "its answer must name the server, and neither server/discover nor any result was recorded that does",
    };
  }
  const claimed = discovered && memberAt(jsonOf(discovered.response), "result", "capabilities");
  const instructions = discovered && piece(discovered.response, ["result", "instructions"]);
  return {
    serverInfo: textOf(serverInfo),
    capabilities: evidenced(isObject(claimed) ? claimed : shownCapabilities(recording), recording),
    instructions: instructions && textOf(instructions),
    discovered: discovered?.recorded,
  };
}

function serverInfoOfResults(recording: Recording): Uint8Array | undefined {
  for (const recorded of recording.exchanges) {
    const response = resultOf(recorded, recording);
    const info = response && piece(response, ["result", "_meta", META.serverInfo]);
    if (info) return info;
  }
  return undefined;
}

/** The capability that a method needs of the server. */
const NEEDS: Readonly<Record<string, string>> = {
  "tools/list": "tools",
  "tools/call": "tools",
  "resources/list": "resources",
  "resources/read": "resources",
  "resources/templates/list": "resources",
  "prompts/list": "prompts",
  "prompts/get": "prompts",
  "completion/complete": "completions",
};

function shownCapabilities(recording: Recording): JsonObject {
  const shown = Object.entries(NEEDS).filter(([method]) => firstResult(recording, method));
  return Object.fromEntries(shown.map(([, capability]) => [capability, {}]));
}

/** What the recorded `subscriptions/listen` show that the server announces; extensions are the modern era's. */
function evidenced(claimed: JsonObject, recording: Recording): JsonObject {
  const { extensions: _extensions, ...capabilities } = claimed;
  const grant = (name: string, what: string) => {
    const before = capabilities[name];
    capabilities[name] = { ...(isObject(before) ? before : {}), [what]: true };
  };
  for (const { filter } of recordedListens(recording)) {
    for (const [member, name] of Object.entries(LIST_CHANGES)) {
      if (memberAt(filter, member) === true) grant(name, "listChanged");
    }
    if (urisOf(filter).length > 0) grant("resources", "subscribe");
  }
  return capabilities;
}

export interface RecordedListen {
  readonly recorded: Recorded;
  readonly request: Message;
  /** The filter as the server acknowledged it. */
  readonly filter: JsonValue;
}

/** The recorded `subscriptions/listen` that the server took. */
export function recordedListens(recording: Recording): readonly RecordedListen[] {
  const listens: RecordedListen[] = [];
  for (const recorded of recording.catalogue.shelf("subscriptions/listen").all) {
    const { exchange } = recorded;
    for (const step of exchange.steps) {
      if (step.role !== "send" || step.listener !== exchange) continue;
      const { message } = recording.at(step);
      if (message.method !== "notifications/subscriptions/acknowledged") continue;
      const filter = memberAt(paramsOf(message), "notifications") ?? {};
      listens.push({ recorded, request: recording.at(exchange).message, filter });
      break;
    }
  }
  return listens;
}

/** The resources a filter names. */
export function urisOf(filter: JsonValue | undefined): readonly string[] {
  const uris = memberAt(filter, "resourceSubscriptions");
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

/** The result of `initialize`, in the client's version where that is a legacy one, else in the newest of those. */
export function initializeResult(server: ModernServer, asked: JsonValue | undefined): string {
  const versions = versionsOf("legacy");
  const version = typeof asked === "string" && versions.includes(asked) ? asked : versions.at(-1);
  const { capabilities, serverInfo, instructions } = server;
  const head = `{"protocolVersion":${JSON.stringify(version)},"capabilities":${JSON.stringify(capabilities)}`;
  return `${head},"serverInfo":${serverInfo}${instructions === undefined ? "" : `,"instructions":${instructions}`}}`;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
