import { fromBase64 } from "../../cassette/base64.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { type Reading, templatedObject, templatedText } from "./reading.ts";

type Check = (tree: Tree, key: string, reading: Reading) => void;

const text: Check = (tree, key, { shape }) => void shape.text(tree, key);

/** RFC 4648 section 4. What comes of a template is known when it is sent. */
const base64: Check = (tree, key, { shape, verbatim }) => {
  const value = shape.text(tree, key);
  if ((verbatim || !value.includes("${")) && fromBase64(value) === undefined)
    throw shape.fault(tree.at, `${key} is no base64`, UNCHECKED);
};

/** The kinds of content block, and what each must have (2025-11-25 schema, ContentBlock). */
const BLOCKS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  text: { text },
  image: { data: base64, mimeType: text },
  audio: { data: base64, mimeType: text },
  resource: {
    resource: (tree, _key, reading) => void readItem(tree, reading, { what: "resource", required: ["uri"] }),
  },
  resource_link: { uri: text, name: text },
};

const UNCHECKED = "Mend it; or set validate: false, for a server that breaks the protocol.";

export function readContent(tree: Tree, reading: Reading): JsonValue[] {
  return reading.shape.list(tree, "content").map((item) => readBlock(item, reading));
}

function readBlock(tree: Tree, reading: Reading): JsonObject {
  const { shape, validates } = reading;
  const block = templatedObject(tree, "a content block", reading);
  if (!validates) return block;
  const type = tree.kind === "map" ? tree.members.find(({ key }) => key === "type") : undefined;
  if (!type) {
    throw shape.fault(
      tree.at,
      "a content block lacks type:",
      `Add type: with one of ${Object.keys(BLOCKS).join(", ")}.`,
    );
  }
  const kind = shape.oneOf(type.value, Object.keys(BLOCKS), "type");
  const members = new Map(tree.kind === "map" ? tree.members.map(({ key, value }) => [key, value]) : []);
  for (const [key, check] of Object.entries(BLOCKS[kind] ?? {})) {
    const value = members.get(key);
    if (!value) throw shape.fault(tree.at, `content of type ${kind} lacks ${key}:`);
    check(value, key, reading);
  }
  return block;
}

export function readMessages(tree: Tree, reading: Reading): JsonValue[] {
  const { shape } = reading;
  return shape.list(tree, "messages").map((item) => {
    const what = { what: "a message", allowed: ["role", "content"], required: ["role", "content"] };
    const members = shape.members(item, what);
    const role = shape.oneOf(members.get("role") as Tree, ["user", "assistant"], "role");
    return { role, content: readBlock(members.get("content") as Tree, reading) };
  });
}

const CONTENTS = ["uri", "mimeType", "text", "blob", "_meta"];

export function readContents(tree: Tree, reading: Reading): JsonValue[] {
  const items = reading.shape.list(tree, "contents");
  return items.map((item) => readItem(item, reading, { what: "an item of contents", required: [] }));
}

/** The text of a resource, or its bytes. */
function readItem(
  tree: Tree,
  reading: Reading,
  { what, required }: { readonly what: string; readonly required: readonly string[] },
): JsonObject {
  const { shape, validates } = reading;
  if (!validates) return templatedObject(tree, what, reading);
  const members = shape.members(tree, { what, allowed: CONTENTS, required });
  if (members.has("text") === members.has("blob")) {
    throw shape.fault(tree.at, `${what} has either text: or blob:`);
  }
  for (const [key, value] of members) CONTENT_CHECKS[key]?.(value, key, reading);
  return templatedObject(tree, what, reading);
}

const CONTENT_CHECKS: Readonly<Record<string, Check>> = { uri: text, mimeType: text, text, blob: base64 };

/** A resource's bytes, as base64. */
export function readBlob(tree: Tree, reading: Reading): string {
  if (reading.validates) base64(tree, "blob", reading);
  return templatedText(tree, "blob", reading);
}
