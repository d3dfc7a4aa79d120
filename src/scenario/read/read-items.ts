import type { Members } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { ListName } from "../../drive/pages.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type { CompletionList, Completions, ReplyKind } from "../model.ts";
import { problemOfTemplate } from "../uri-template.ts";
import type { Part } from "./parts.ts";
import { whereabouts } from "./places.ts";
import { readMembers } from "./read-matcher.ts";
import { readReplies } from "./read-reply.ts";
import { readObjectSchema, readSchema } from "./read-schema.ts";
import type { Reading } from "./reading.ts";

type Check = (tree: Tree, reading: Reading, key: string) => void;

interface ItemKind {
  readonly what: string;
  /** The member it is known by. */
  readonly key: string;
  readonly kind: ReplyKind;
  readonly matches: boolean;
  /** Members that lists show, with what they must be. */
  readonly listed: Readonly<Record<string, Check>>;
  /** Members of the scenario's own. */
  readonly own: readonly string[];
}

const text: Check = (tree, { shape }, key) => void shape.text(tree, key);
const object: Check = (tree, { shape }, key) => void shape.object(tree, key);
const icons: Check = (tree, { shape }) => {
  for (const item of shape.list(tree, "icons")) {
    const allowed = ["src", "mimeType", "sizes", "theme"];
    const members = shape.members(item, { what: "an icon", allowed, required: ["src"] });
    shape.text(members.get("src") as Tree, "src");
  }
};

const HINTS = ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const toolAnnotations: Check = (tree, { shape }) => {
  for (const [key, value] of shape.members(tree, { what: "annotations", allowed: HINTS })) {
    if (key === "title") shape.text(value, key);
    else shape.yesOrNo(value, key);
  }
};
const execution: Check = (tree, { shape }) => {
  const members = shape.members(tree, { what: "execution", allowed: ["taskSupport"] });
  const support = members.get("taskSupport");
  if (support) shape.oneOf(support, ["forbidden", "optional", "required"], "taskSupport");
};
const annotations: Check = (tree, { shape }) => {
  shape.members(tree, { what: "annotations", allowed: ["audience", "priority", "lastModified"] });
};

const ANY = { title: text, description: text, icons, _meta: object };

/** What each list holds, and how its items are written. */
export const ITEMS: Readonly<Record<ListName, ItemKind>> = {
  tools: {
    what: "a tool",
    key: "name",
    kind: "tool",
    matches: true,
    listed: {
      name: text,
      ...ANY,
      inputSchema: (tree, reading) => void readObjectSchema(tree, "inputSchema", reading),
      outputSchema: (tree, reading) => void readSchema(tree, "outputSchema", reading),
      annotations: toolAnnotations,
      execution,
    },
    own: ["hidden", "unlisted", "validate", "replies"],
  },
  resources: {
    what: "a resource",
    key: "uri",
    kind: "resource",
    matches: false,
    listed: {
      uri: text,
      name: text,
      ...ANY,
      mimeType: text,
      size: (tree, { shape }) => void shape.whole(tree, "size", 0),
      annotations,
    },
    own: ["hidden", "unlisted", "validate", "replies"],
  },
  templates: {
    what: "a template",
    key: "uriTemplate",
    kind: "resource",
    matches: true,
    listed: { uriTemplate: uriTemplate, name: text, ...ANY, mimeType: text, annotations },
    own: ["hidden", "unlisted", "validate", "complete", "replies"],
  },
  prompts: {
    what: "a prompt",
    key: "name",
    kind: "prompt",
    matches: true,
    listed: { name: text, ...ANY, arguments: readArguments },
    own: ["hidden", "unlisted", "validate", "complete", "replies"],
  },
};

function uriTemplate(tree: Tree, { shape }: Reading): void {
  const problem = problemOfTemplate(shape.text(tree, "uriTemplate"));
  if (problem !== undefined)
    throw shape.fault(tree.at, `uriTemplate: ${problem}`, "Templates are those of RFC 6570.");
}

function readArguments(tree: Tree, { shape }: Reading): void {
  for (const item of shape.list(tree, "arguments")) {
    const allowed = ["name", "title", "description", "required"];
    const members = shape.members(item, { what: "an argument", allowed, required: ["name"] });
    shape.text(members.get("name") as Tree, "name");
    const required = members.get("required");
    if (required) shape.yesOrNo(required, "required");
  }
}

export function readItems(tree: Tree | undefined, list: ListName, reading: Reading): readonly Part[] {
  if (!tree) return [];
  const seen = new Set<string>();
  return reading.shape.list(tree, list).map((item) => {
    const part = readItem(item, ITEMS[list], reading);
    if (seen.has(part.key))
      throw reading.shape.fault(item.at, `${ITEMS[list].what} ${JSON.stringify(part.key)} is there twice`);
    seen.add(part.key);
    return part;
  });
}

function readItem(tree: Tree, item: ItemKind, reading: Reading): Part {
  const { shape } = reading;
  const allowed = [...Object.keys(item.listed), ...item.own];
  const members = shape.members(tree, { what: item.what, allowed, required: [item.key] });
  const listed = readListed(members, item, reading);
  const replies = members.get("replies");
  const hidden = members.get("hidden");
  const unlisted = members.get("unlisted");
  const validate = members.get("validate");
  const complete = members.get("complete");
  const validates = validate ? shape.yesOrNo(validate, "validate") : reading.validates;
  return {
    key: listed[item.key] as string,
    place: shape.place(tree.at),
    placeOf: (key, inner) =>
      inner === undefined
        ? shape.place(members.get(key)?.at ?? tree.at)
        : whereabouts(tree, shape).placeOf(key, inner),
    says: (key) => members.has(key),
    overridden: undefined,
    listed,
    hidden: hidden && shape.yesOrNo(hidden, "hidden"),
    unlisted: unlisted && shape.yesOrNo(unlisted, "unlisted"),
    validate: validate || !validates ? validates : undefined,
    replies: replies && readReplies(replies, item, { ...reading, validates }),
    complete: complete && readCompletions(complete, reading),
  };
}

function readListed(members: Members, item: ItemKind, reading: Reading): JsonObject {
  const listed: [string, ReturnType<Reading["shape"]["value"]>][] = [];
  for (const [key, tree] of members) {
    const check = Object.hasOwn(item.listed, key) ? item.listed[key] : undefined;
    if (!check) continue;
    check(tree, reading, key);
    listed.push([key, reading.shape.value(tree)]);
  }
  return Object.fromEntries(listed);
}

/** What each argument can be completed to: a list of texts, or of lists by what is given already. */
function readCompletions(tree: Tree, reading: Reading): Completions {
  const { shape } = reading;
  if (tree.kind !== "map") {
    throw shape.fault(tree.at, "complete must be a mapping of arguments to lists of values");
  }
  return new Map(tree.members.map(({ key, value }) => [key, readCompletionLists(value, key, reading)]));
}

function readCompletionLists(tree: Tree, key: string, reading: Reading): readonly CompletionList[] {
  const { shape } = reading;
  const texts = (items: readonly Tree[]) => items.map((item) => shape.text(item, "a value"));
  const items = shape.list(tree, key);
  if (!items.some(({ kind }) => kind === "map")) return [{ when: undefined, values: texts(items) }];
  return items.map((item) => {
    const shaped = { what: "a list of values", allowed: ["when", "values"], required: ["values"] };
    const members = shape.members(item, shaped);
    const when = members.get("when");
    const values = shape.list(members.get("values") as Tree, "values");
    return { when: when && readMembers(when, "when", reading), values: texts(values) };
  });
}
