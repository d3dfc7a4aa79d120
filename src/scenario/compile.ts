import type { ListName } from "../drive/pages.ts";
import type { JsonObject } from "../protocol/message.ts";
import { REVISIONS } from "../protocol/revisions.ts";
import { isObject } from "./matcher.ts";
import type { PageRules, Prompt, Resource, Scenario, Template, Tool } from "./model.ts";
import { LIST_NAMES } from "./read/effects.ts";
import type { Part, ScenarioParts } from "./read/parts.ts";
import { UriTemplate } from "./uri-template.ts";

const NO_TASKS = { ttl: undefined, pollInterval: undefined, notify: true };
const NO_ARGUMENTS: JsonObject = { type: "object" };

/** What a file, with the files it extends, says; checked for what only the whole shows by `checkWhole`. */
export function compiled(
  parts: ScenarioParts,
  origin: string,
  cassettes: Scenario["cassettes"] = new Map(),
): Scenario {
  const { lists, settings, faults } = parts;
  const seed = settings.seed ?? 1;
  return {
    origin,
    seed,
    server: settings.server ?? { name: "mcp-vcr scenario", version: "1.0.0" },
    instructions: settings.instructions,
    revisions: settings.revisions ?? REVISIONS.map(({ version }) => version),
    capabilities: parts.capabilities,
    pages: pagesOf(parts),
    caching: settings.caching ?? { ttl: 0, scope: "private" },
    state: parts.state,
    tools: lists.tools.map(toolOf),
    resources: lists.resources.map(resourceOf),
    templates: lists.templates.map(templateOf),
    prompts: lists.prompts.map(promptOf),
    methods: parts.methods,
    timeline: parts.timeline,
    tasks: { ...(settings.tasks ?? NO_TASKS), pageSize: parts.pageSize },
    faults: faults.length > 0 ? { seed, faults } : undefined,
    unknown: settings.unknown ?? "miss",
    cassettes,
  };
}

function pagesOf({ pages, pageSize }: ScenarioParts): Scenario["pages"] {
  const rules = (list: ListName): PageRules => ({
    place: undefined,
    size: pageSize,
    empty: [],
    loop: undefined,
    emptyCursor: undefined,
    expire: undefined,
    ...pages[list],
  });
  return Object.fromEntries(LIST_NAMES.map((list) => [list, rules(list)])) as Scenario["pages"];
}

/** How requests for an item of a list are called. */
const LABELS: Readonly<Record<ListName, string>> = {
  tools: "tools/call",
  resources: "resources/read",
  templates: "resources/read",
  prompts: "prompts/get",
};

function common(part: Part, list: ListName) {
  const { key, place, placeOf, overridden, hidden, unlisted, replies } = part;
  return {
    label: `${LABELS[list]} ${key}`,
    place,
    placeOf,
    overridden,
    name: key,
    hidden: hidden ?? false,
    unlisted: unlisted ?? false,
    replies,
  };
}

function toolOf(part: Part): Tool {
  const { listed } = part;
  const inputSchema = isObject(listed.inputSchema) ? listed.inputSchema : NO_ARGUMENTS;
  return {
    ...common(part, "tools"),
    listed: { ...listed, inputSchema },
    inputSchema,
    outputSchema: listed.outputSchema,
    validate: part.validate ?? true,
    taskSupport: taskSupportIn(listed),
  };
}

function resourceOf(part: Part): Resource {
  const { key, listed } = part;
  return {
    ...common(part, "resources"),
    listed: { ...listed, name: listed.name ?? key },
    uri: key,
    mimeType: textIn(listed, "mimeType"),
  };
}

function templateOf(part: Part): Template {
  const { key, listed } = part;
  return {
    ...common(part, "templates"),
    listed: { ...listed, name: listed.name ?? key },
    uriTemplate: key,
    pattern: new UriTemplate(key),
    mimeType: textIn(listed, "mimeType"),
    complete: part.complete ?? new Map(),
  };
}

function promptOf(part: Part): Prompt {
  const { listed } = part;
  const named = Array.isArray(listed.arguments) ? listed.arguments.filter(isObject) : [];
  return {
    ...common(part, "prompts"),
    listed,
    arguments: named.map(({ name, required }) => ({ name: String(name), required: required === true })),
    complete: part.complete ?? new Map(),
  };
}

/** Execution is checked when it is read. */
function taskSupportIn({ execution }: JsonObject): Tool["taskSupport"] {
  const said = isObject(execution) ? execution.taskSupport : undefined;
  return said === "optional" || said === "required" ? said : "forbidden";
}

function textIn(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === "string" ? value : undefined;
}
