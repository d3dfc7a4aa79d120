import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { paramHeaders } from "../wire/param-headers.ts";
import { ask, type DriveContext } from "./asking.ts";
import type { Course } from "./move.ts";
import type { Opened } from "./opening.ts";
import { LISTS, type ListName, pages } from "./pages.ts";

/**
 * Walks discovery: every page of every list, then every resource, every prompt that needs no argument, and every tool
 * that says it only reads and needs none. What is not asked is told, with the reason.
 */
export function* auto(opened: Opened, context: DriveContext): Course<void> {
  const found = yield* everyList(opened, context);
  for (const template of found.get("templates") ?? []) {
    const name = text(template, "uriTemplate");
    const reason = "templates: what to fill in is not known";
    if (name !== undefined) context.report.leftOut.push({ method: "resources/read", name, reason });
  }
  for (const kind of opened.mirrors ? MIRRORED : KINDS)
    yield* each(kind, found.get(kind.list) ?? [], context);
}

/** Every page of every list that the server declares. */
export function* everyList(
  { capabilities }: Opened,
  context: DriveContext,
): Course<ReadonlyMap<ListName, readonly JsonValue[]>> {
  const found = new Map<ListName, readonly JsonValue[]>();
  for (const [name, list] of Object.entries(LISTS) as [ListName, (typeof LISTS)[ListName]][]) {
    if (capabilities !== undefined && memberAt(capabilities, list.capability) === undefined) {
      const reason = `the server does not declare ${list.capability}`;
      context.report.leftOut.push({ method: list.method, name: "", reason });
    } else found.set(name, (yield* pages(list, context)).items);
  }
  return found;
}

/** What can be done with an item of a list. */
interface Kind {
  readonly list: ListName;
  readonly method: string;
  /** The item's member that names it, and the param that names it in the request. */
  readonly name: "name" | "uri";
  /** Params of the request besides the name, or why it is not sent. */
  readonly params: (item: JsonValue) => JsonObject | string;
}

const KINDS: readonly Kind[] = [
  { list: "resources", method: "resources/read", name: "uri", params: () => ({}) },
  { list: "prompts", method: "prompts/get", name: "name", params: promptParams },
  { list: "tools", method: "tools/call", name: "name", params: toolParams },
];

/** Over HTTP, clients must drop tools whose annotations of headers break the rules (2026-07-28 server/tools). */
const MIRRORED: readonly Kind[] = KINDS.map((kind) =>
  kind.list === "tools" ? { ...kind, params: (tool) => droppedFor(tool) ?? kind.params(tool) } : kind,
);

function droppedFor(tool: JsonValue): string | undefined {
  const schema = memberAt(tool, "inputSchema");
  if (schema === undefined || paramHeaders(schema) !== undefined) return undefined;
  return "its x-mcp-header annotations break the rules";
}

function* each(
  { method, name, params }: Kind,
  items: readonly JsonValue[],
  context: DriveContext,
): Course<void> {
  const asked = new Set<string>();
  for (const item of items) {
    const named = text(item, name);
    // A page that repeats what another had: once is enough.
    if (named === undefined || asked.has(named)) continue;
    asked.add(named);
    const more = params(item);
    if (typeof more === "string") context.report.leftOut.push({ method, name: named, reason: more });
    else {
      const progress = method === "tools/call";
      yield* ask({ method, params: { [name]: named, ...more }, progress }, context);
    }
  }
}

function promptParams(prompt: JsonValue): JsonObject | string {
  const given = memberAt(prompt, "arguments");
  if (!Array.isArray(given) || given.length === 0) return {};
  const needed = given.filter((argument) => memberAt(argument, "required") === true);
  return needed.length > 0 ? needs(needed.map((argument) => memberAt(argument, "name"))) : { arguments: {} };
}

function toolParams(tool: JsonValue): JsonObject | string {
  if (memberAt(tool, "annotations", "readOnlyHint") !== true) return "not annotated readOnlyHint: true";
  if (memberAt(tool, "execution", "taskSupport") === "required") return "runs as a task only";
  const required = memberAt(tool, "inputSchema", "required");
  return Array.isArray(required) && required.length > 0 ? needs(required) : { arguments: {} };
}

function needs(names: readonly (JsonValue | undefined)[]): string {
  return `needs ${names.join(", ")}`;
}

function text(item: JsonValue, member: string): string | undefined {
  const value = memberAt(item, member);
  return typeof value === "string" ? value : undefined;
}
