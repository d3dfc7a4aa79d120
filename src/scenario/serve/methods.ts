import { LISTS, type ListName } from "../../drive/pages.ts";
import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { faultsOf } from "../exact-order.ts";
import { isLogLevel } from "../log-levels.ts";
import { isObject, mismatches } from "../matcher.ts";
import type { CompletionList, Prompt, Template, Tool } from "../model.ts";
import type { Asked } from "./asked.ts";
import type { Desk } from "./desk.ts";
import type { Hidden } from "./lists.ts";
import {
  asListed,
  INVALID_PARAMS,
  modelReadsInvalidArguments,
  resourceNotFound,
  TASKS_EXTENSION,
} from "./speech.ts";
import { promptSubject, resourceSubject, type Subject, toolSubject } from "./subject.ts";
import {
  cancelTask,
  getTask,
  listenedTasks,
  listTasks,
  taskResult,
  updateTask,
} from "./tasks/task-methods.ts";
import { taskOf } from "./tasks/task-support.ts";

/** Answers a request of one method: at once, by what it says to the desk, or by a subject whose replies are run. */
type Method = (asked: Asked, desk: Desk) => Subject | undefined;

interface MethodRow {
  /** Without it there is no such method. */
  readonly capability: readonly string[];
  /** The same in the modern era, where it is another one. */
  readonly modern?: readonly string[];
  readonly answer: Method;
}

const EXTENSION = ["extensions", TASKS_EXTENSION];

/** What is asked of a server, by the method. */
export const METHODS: Readonly<Record<string, MethodRow>> = {
  "tools/list": lists("tools"),
  "resources/list": lists("resources"),
  "resources/templates/list": lists("templates"),
  "prompts/list": lists("prompts"),
  "tools/call": { capability: ["tools"], answer: callTool },
  "resources/read": { capability: ["resources"], answer: readResource },
  "resources/subscribe": {
    capability: ["resources", "subscribe"],
    answer: (...all) => subscribe(true, ...all),
  },
  "resources/unsubscribe": {
    capability: ["resources", "subscribe"],
    answer: (...all) => subscribe(false, ...all),
  },
  "prompts/get": { capability: ["prompts"], answer: getPrompt },
  "completion/complete": { capability: ["completions"], answer: complete },
  "logging/setLevel": { capability: ["logging"], answer: setLevel },
  "subscriptions/listen": { capability: [], answer: listen },
  "tasks/get": { capability: ["tasks"], modern: EXTENSION, answer: getTask },
  "tasks/result": { capability: ["tasks"], answer: taskResult },
  "tasks/list": { capability: ["tasks", "list"], answer: listTasks },
  "tasks/cancel": { capability: ["tasks", "cancel"], modern: EXTENSION, answer: cancelTask },
  "tasks/update": { capability: EXTENSION, answer: updateTask },
};

function lists(list: ListName) {
  return {
    capability: [LISTS[list].capability],
    answer: (asked: Asked, desk: Desk) => answerList(list, asked, desk),
  };
}

function answerList(list: ListName, asked: Asked, desk: Desk): undefined {
  const { cursor } = asked.params;
  if (cursor !== undefined && typeof cursor !== "string") {
    return desk.error(asked, { code: INVALID_PARAMS, message: "Invalid params: cursor must be a string" });
  }
  const page = desk.world.lists.page(list, cursor);
  if (typeof page === "string") {
    const why = page === "expired" ? "it has expired" : "it was not given out by this server";
    return desk.error(asked, {
      code: INVALID_PARAMS,
      message: `Invalid cursor: ${why}`,
      data: { cursor: cursor ?? null },
    });
  }
  desk.host.used?.({ kind: "page", list, page: page.number, of: page.of });
  const { revision } = asked.client;
  const { nextCursor } = page;
  desk.result(
    asked,
    {
      [LISTS[list].key]: page.items.map((item) => asListed(list, item, revision)),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    },
    true,
  );
}

function callTool(asked: Asked, desk: Desk): Subject | undefined {
  const name = memberAt(asked.params, "name");
  const tools: readonly Tool[] = desk.world.lists.visible("tools");
  const tool = tools.find((each) => each.name === name);
  if (!tool) {
    const error = { code: INVALID_PARAMS, message: `Unknown tool: ${shown(name)}` };
    const hidden = desk.world.lists.hidden("tools", (each) => each.name === name);
    return desk.unknown(asked, error, { what: "tool", name, known: tools.map((each) => each.name), hidden });
  }
  const args = asked.params.arguments;
  if (args !== undefined && !isObject(args)) {
    return desk.error(asked, {
      code: INVALID_PARAMS,
      message: "Invalid params: arguments must be an object",
    });
  }
  const task = taskOf(tool, asked, desk);
  if (typeof task === "object") return desk.error(asked, task);
  const subject = { ...toolSubject(tool, asked), task };
  const { checker } = desk;
  const faults = tool.validate && checker ? faultsOf(checker, tool.inputSchema, args ?? {}) : [];
  if (faults.length === 0) return subject;
  const message = `Invalid arguments for tool ${tool.name}: ${faults.join("; ")}`;
  if (!modelReadsInvalidArguments(asked.client.revision))
    return desk.error(asked, { code: INVALID_PARAMS, message });
  return { ...subject, refused: { content: [{ type: "text", text: message }], isError: true } };
}

/** The resource of a URI; a template is only asked where no resource is listed so. */
function findResource(uri: JsonValue | undefined, { world }: Desk): Subject | undefined {
  if (typeof uri !== "string") return undefined;
  const resource = world.lists.visible("resources").find((each) => each.uri === uri);
  if (resource) return resourceSubject(resource, uri, {});
  for (const template of world.lists.visible("templates")) {
    const args = template.pattern.match(uri);
    if (args) return resourceSubject(template, uri, args);
  }
  return undefined;
}

function readResource(asked: Asked, desk: Desk): Subject | undefined {
  const { uri } = asked.params;
  return findResource(uri, desk) ?? noResource(asked, desk);
}

function noResource(asked: Asked, desk: Desk): undefined {
  const { uri } = asked.params;
  const code = typeof uri === "string" ? resourceNotFound(asked.client.revision) : INVALID_PARAMS;
  const { lists } = desk.world;
  const known = [...lists.visible("resources"), ...lists.visible("templates")].map(({ name }) => name);
  const error = { code, message: `Resource not found: ${shown(uri)}`, data: { uri: uri ?? null } };
  return desk.unknown(asked, error, {
    what: "resource",
    name: uri,
    known,
    hidden: hiddenResource(uri, desk),
  });
}

function hiddenResource(uri: JsonValue | undefined, { world: { lists } }: Desk): Hidden | undefined {
  if (typeof uri !== "string") return undefined;
  return (
    lists.hidden("resources", (each) => each.uri === uri) ??
    lists.hidden("templates", ({ pattern }) => pattern.match(uri) !== undefined)
  );
}

function subscribe(begins: boolean, asked: Asked, desk: Desk): undefined {
  const { uri } = asked.params;
  if (typeof uri !== "string" || !findResource(uri, desk)) return noResource(asked, desk);
  if (begins) desk.feeds.subscribe(uri);
  else desk.feeds.unsubscribe(uri);
  desk.result(asked, {}, false);
}

function getPrompt(asked: Asked, desk: Desk): Subject | undefined {
  const name = memberAt(asked.params, "name");
  const prompts: readonly Prompt[] = desk.world.lists.visible("prompts");
  const prompt = prompts.find((each) => each.name === name);
  if (!prompt) {
    const error = { code: INVALID_PARAMS, message: `Unknown prompt: ${shown(name)}` };
    const known = prompts.map((each) => each.name);
    const hidden = desk.world.lists.hidden("prompts", (each) => each.name === name);
    return desk.unknown(asked, error, { what: "prompt", name, known, hidden });
  }
  const args = isObject(asked.params.arguments) ? asked.params.arguments : {};
  const missing = prompt.arguments.find((each) => each.required && args[each.name] === undefined);
  const wrong = Object.entries(args).find(([, value]) => typeof value !== "string");
  if (missing || wrong) {
    const why = missing
      ? `Missing required argument: ${missing.name}`
      : `Argument ${wrong?.[0]} must be a string`;
    return desk.error(asked, { code: INVALID_PARAMS, message: why });
  }
  return promptSubject(prompt, asked);
}

/** Values told of at once (2025-11-25 schema, CompleteResult). */
const MOST_VALUES = 100;

function complete(asked: Asked, desk: Desk): undefined {
  const { ref, argument, context } = asked.params;
  const about = isObject(ref) ? completed(ref, desk) : undefined;
  if (!about) {
    const name = memberAt(ref, "name") ?? memberAt(ref, "uri");
    const error = { code: INVALID_PARAMS, message: `Unknown reference: ${shown(name)}` };
    const { lists } = desk.world;
    const known = [...lists.visible("prompts"), ...lists.visible("templates")].map((each) => each.name);
    const hidden =
      memberAt(ref, "type") === "ref/prompt"
        ? lists.hidden("prompts", (each) => each.name === name)
        : lists.hidden("templates", (each) => each.name === name);
    return desk.unknown(asked, error, { what: "prompt or template", name, known, hidden });
  }
  const name = String(memberAt(argument, "name"));
  const value = String(memberAt(argument, "value") ?? "");
  const lists = about.complete.get(name);
  const given = memberAt(context, "arguments") ?? {};
  const list = lists?.find(
    ({ when }: CompletionList) => !when || mismatches(when, given, desk.checker).length === 0,
  );
  if (!list) {
    const why = `Nothing is written that completes ${name} of ${about.name}.`;
    return desk.miss({ asked, reason: "unwritten", why });
  }
  const values = list.values.filter((each) => each.toLowerCase().startsWith(value.toLowerCase()));
  const completion = {
    values: values.slice(0, MOST_VALUES),
    total: values.length,
    hasMore: values.length > MOST_VALUES,
  };
  desk.result(asked, { completion }, false);
}

function completed(ref: JsonObject, { world }: Desk): Prompt | Template | undefined {
  if (ref.type === "ref/prompt") return world.lists.visible("prompts").find(({ name }) => name === ref.name);
  return world.lists.visible("templates").find(({ uriTemplate }) => uriTemplate === ref.uri);
}

function setLevel(asked: Asked, desk: Desk): undefined {
  const { level } = asked.params;
  if (!isLogLevel(level)) {
    return desk.error(asked, { code: INVALID_PARAMS, message: `Invalid log level: ${shown(level)}` });
  }
  desk.setLogLevel(level);
  desk.result(asked, {}, false);
}

/** Answered by its end alone. */
function listen(asked: Asked, desk: Desk): undefined {
  if (!isObject(asked.params.notifications)) {
    return desk.error(asked, {
      code: INVALID_PARAMS,
      message: "Invalid params: notifications must be an object",
    });
  }
  const tasks = listenedTasks(asked, desk);
  if (!tasks) return;
  const can = {
    capabilities: desk.capabilities(asked.client.revision),
    isThere: (uri: JsonValue) => findResource(uri, desk) !== undefined,
  };
  desk.feeds.listen(asked, can, tasks);
  desk.host.rests?.(asked.id);
}

function shown(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
