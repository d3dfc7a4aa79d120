import { LISTS, type ListName } from "../../drive/pages.ts";
import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { methodRow } from "../../protocol/methods.ts";
import type { Recording } from "../../replay/recording.ts";
import { isObject } from "../matcher.ts";
import { LIST_NAMES } from "../read/effects.ts";
import { ITEMS } from "../read/read-items.ts";
import { FORMAT } from "../read/read-scenario.ts";
import type { SchemaChecker } from "../schemas.ts";
import { problemOfTemplate, UriTemplate, variablesOf } from "../uri-template.ts";
import { holding } from "./holding.ts";
import { callsIn, type RecordedCall } from "./recorded-call.ts";
import { repliesOf } from "./replies-of.ts";
import { taskIdOf, throughTasks } from "./task-ends.ts";

export interface Written {
  /** A scenario, as a file has it. */
  readonly document: JsonObject;
  /** What of the recording is not in it. */
  readonly notices: readonly string[];
}

/** The scenario that answers as a recording does, made to be edited. */
export function documentOf(recording: Recording, checker: SchemaChecker): Written {
  const notices = new Set<string>();
  const recorded = callsIn(recording, notices);
  const calls = throughTasks(recorded, notices);
  const withTasks = new Set(recorded.filter(taskIdOf).map(({ params }) => params.name));
  const lists = Object.fromEntries(LIST_NAMES.map((list) => [list, listedIn(list, calls, notices)]));
  const document: JsonObject = {
    scenario: FORMAT,
    ...greetingOf(calls),
    ...pageSizeOf(calls),
    ...(Object.fromEntries(
      LIST_NAMES.flatMap((list) => {
        const written = WRITERS[list](lists[list] ?? [], { calls, withTasks, lists, notices, checker });
        const items = written.map((item) => holding(item, list, notices));
        return items.length > 0 ? [[list, items]] : [];
      }),
    ) as JsonObject),
    ...methodsOf(calls),
  };
  return { document, notices: [...notices] };
}

function greetingOf(calls: readonly RecordedCall[]): JsonObject {
  const opening = calls.find(
    ({ method, result }) => (method === "initialize" || method === "server/discover") && result,
  );
  const result = opening?.result ?? {};
  const info = calls.flatMap((call) => call.serverInfo ?? [])[0] ?? result.serverInfo;
  const { capabilities } = result;
  return {
    ...(isObject(info) ? { server: info } : {}),
    ...(typeof result.instructions === "string" ? { instructions: result.instructions } : {}),
    ...(isObject(capabilities) ? { capabilities } : {}),
  };
}

/** Items of a list, each as it was listed last. */
function listedIn(
  list: ListName,
  calls: readonly RecordedCall[],
  notices: Set<string>,
): readonly JsonObject[] {
  const { method, key } = LISTS[list];
  const known = new Set(Object.keys(ITEMS[list].listed));
  const items = new Map<string, JsonObject>();
  for (const { result } of calls.filter((call) => call.method === method)) {
    for (const item of Array.isArray(result?.[key]) ? result[key] : []) {
      const name = memberAt(item, ITEMS[list].key);
      if (typeof name !== "string" || !isObject(item)) continue;
      const members = Object.entries(item).filter(([member]) => {
        if (!known.has(member))
          notices.add(`${ITEMS[list].what} has ${member}, which a scenario does not, and it is left out`);
        return known.has(member);
      });
      items.set(name, Object.fromEntries(members));
    }
  }
  return [...items.values()];
}

function pageSizeOf(calls: readonly RecordedCall[]): JsonObject {
  for (const { method, key } of Object.values(LISTS)) {
    const first = calls.find(
      (call) => call.method === method && call.params.cursor === undefined && call.result,
    );
    const items = first?.result?.[key];
    if (first?.result?.nextCursor !== undefined && Array.isArray(items) && items.length > 0)
      return { pageSize: items.length };
  }
  return {};
}

interface Whole {
  readonly calls: readonly RecordedCall[];
  /** Names of tools that were answered with a task. */
  readonly withTasks: ReadonlySet<JsonValue | undefined>;
  readonly lists: Readonly<Record<string, readonly JsonObject[]>>;
  readonly notices: Set<string>;
  readonly checker: SchemaChecker;
}

type Writer = (items: readonly JsonObject[], whole: Whole) => JsonObject[];

const WRITERS: Readonly<Record<ListName, Writer>> = {
  tools: (listed, { calls, withTasks, notices, checker }) => {
    // The modern era lists no `execution`.
    const items = listed.map(
      (tool): JsonObject =>
        withTasks.has(tool.name) ? { execution: { taskSupport: "optional" }, ...tool } : tool,
    );
    const made = calls.filter(({ method }) => method === "tools/call");
    tellUnlisted(made, new Set(items.map(({ name }) => name)), notices);
    return items.map((tool) => {
      const names = Object.keys((memberAt(tool, "inputSchema", "properties") ?? {}) as JsonObject);
      const sound = checker.problem(tool.inputSchema ?? true) === undefined;
      if (!sound)
        notices.add(`the inputSchema of ${String(tool.name)} is none that arguments can be checked by`);
      const own = made.filter(
        ({ params }) =>
          params.name === tool.name &&
          // What the server refused, the scenario refuses too.
          (!sound || checker.faults(tool.inputSchema ?? true, params.arguments ?? {}).length === 0),
      );
      return withReplies(
        sound ? tool : { ...tool, validate: false },
        repliesOf(own, { kind: "tool", argsOf, names }),
      );
    });
  },
  resources: (items, { calls, lists }) => {
    const uris = new Set(items.map(({ uri }) => uri));
    const templates = templatesIn(lists.templates ?? []);
    const read = calls.filter(({ method, result }) => method === "resources/read" && result);
    const beside = [...new Set(read.map(({ params }) => String(params.uri)))].filter(
      (uri) => !uris.has(uri) && !templates.some(({ matcher }) => matcher.match(uri)),
    );
    const all = [...items, ...beside.map((uri): JsonObject => ({ uri, unlisted: true }))];
    return all.map((resource) => {
      const own = read
        .filter(({ params }) => params.uri === resource.uri)
        .map((call) => withoutDefaults(call, resource));
      return withReplies(resource, repliesOf(own, { kind: "resource", argsOf: () => ({}), names: [] }));
    });
  },
  templates: (items, { calls, lists }) => {
    const uris = new Set((lists.resources ?? []).map(({ uri }) => uri));
    const read = calls.filter(
      ({ method, params }) => method === "resources/read" && !uris.has(params.uri ?? ""),
    );
    return templatesIn(items).map(({ template, matcher, names }) => {
      const own = read
        .filter(({ params }) => matcher.match(String(params.uri)))
        .map((call) => withoutDefaults(call, template));
      const variables = ({ params }: RecordedCall) => matcher.match(String(params.uri)) ?? {};
      const replies = repliesOf(own, { kind: "resource", argsOf: variables, names });
      return withReplies(withCompletions(template, calls, template.uriTemplate), replies);
    });
  },
  prompts: (items, { calls }) =>
    items.map((prompt) => {
      const own = calls.filter(
        ({ method, params, error }) => method === "prompts/get" && params.name === prompt.name && !error,
      );
      const listed = Array.isArray(prompt.arguments) ? prompt.arguments : [];
      const names = listed.map((each) => String(memberAt(each, "name")));
      return withReplies(
        withCompletions(prompt, calls, prompt.name),
        repliesOf(own, { kind: "prompt", argsOf, names }),
      );
    }),
};

function argsOf({ params }: RecordedCall): JsonObject {
  return isObject(params.arguments) ? params.arguments : {};
}

/** Contents without what they have by themselves: the URI that was asked for, the type that is listed. */
function withoutDefaults(call: RecordedCall, { mimeType: listed }: JsonObject): RecordedCall {
  const contents = call.result?.contents;
  if (!Array.isArray(contents)) return call;
  const plain = contents.map((item): JsonValue => {
    if (!isObject(item)) return item;
    const { uri, mimeType, ...rest } = item;
    return {
      ...(uri === undefined || uri === call.params.uri ? {} : { uri }),
      ...(mimeType === undefined || mimeType === listed ? {} : { mimeType }),
      ...rest,
    } as JsonObject;
  });
  return { ...call, result: { ...call.result, contents: plain } };
}

function tellUnlisted(
  calls: readonly RecordedCall[],
  names: ReadonlySet<JsonValue | undefined>,
  notices: Set<string>,
): void {
  for (const { params } of calls) {
    if (!names.has(params.name))
      notices.add(`${String(params.name)} was called and never listed, and is left out`);
  }
}

function templatesIn(items: readonly JsonObject[]) {
  return items.flatMap((template) => {
    const text = String(template.uriTemplate);
    if (problemOfTemplate(text) !== undefined) return [];
    return [{ template, matcher: new UriTemplate(text), names: variablesOf(text) }];
  });
}

function withReplies(item: JsonObject, replies: readonly JsonObject[]): JsonObject {
  return replies.length > 0 ? { ...item, replies: [...replies] } : item;
}

function withCompletions(
  item: JsonObject,
  calls: readonly RecordedCall[],
  name: JsonValue | undefined,
): JsonObject {
  const values = new Map<string, Set<string>>();
  for (const { method, params, result } of calls) {
    const ref = memberAt(params, "ref", "name") ?? memberAt(params, "ref", "uri");
    const found = memberAt(result, "completion", "values");
    if (method !== "completion/complete" || ref !== name || !Array.isArray(found)) continue;
    const argument = String(memberAt(params, "argument", "name"));
    const known = values.get(argument) ?? new Set();
    for (const value of found) known.add(String(value));
    values.set(argument, known);
  }
  if (values.size === 0) return item;
  return { ...item, complete: Object.fromEntries([...values].map(([key, known]) => [key, [...known]])) };
}

function methodsOf(calls: readonly RecordedCall[]): JsonObject {
  const methods = [...new Set(calls.map(({ method }) => method))].filter(
    (method) => methodRow(method) === undefined,
  );
  const written = methods.flatMap((method) => {
    const own = calls.filter((call) => call.method === method);
    const params = ({ params: { _meta: _, ...rest } }: RecordedCall) => rest as JsonObject;
    const replies = repliesOf(own, { kind: "method", argsOf: params, names: [] });
    return replies.length > 0 ? [{ method, replies }] : [];
  });
  return written.length > 0 ? { methods: written } : {};
}
