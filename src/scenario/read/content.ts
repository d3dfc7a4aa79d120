import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { type Reading, templatedObject } from "./reading.ts";

/** The kinds of content block, and what each must have (2025-11-25 schema, ContentBlock). */
const BLOCKS: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource: ["resource"],
  resource_link: ["uri", "name"],
};

export function readContent(tree: Tree, reading: Reading): JsonValue[] {
  return reading.shape.list(tree, "content").map((item) => readBlock(item, reading));
}

function readBlock(tree: Tree, reading: Reading): JsonObject {
  const { shape } = reading;
  const block = templatedObject(tree, "a content block", reading);
  const type = tree.kind === "map" ? tree.members.find(({ key }) => key === "type") : undefined;
  if (!type) {
    throw shape.fault(
      tree.at,
      "a content block lacks type:",
      `Add type: with one of ${Object.keys(BLOCKS).join(", ")}.`,
    );
  }
  const kind = shape.oneOf(type.value, Object.keys(BLOCKS), "type");
  const missing = BLOCKS[kind]?.find((key) => block[key] === undefined);
  if (missing !== undefined) throw shape.fault(tree.at, `content of type ${kind} lacks ${missing}:`);
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
  const { shape } = reading;
  return shape.list(tree, "contents").map((item) => {
    const members = shape.members(item, { what: "an item of contents", allowed: CONTENTS });
    if (members.has("text") === members.has("blob")) {
      throw shape.fault(item.at, "an item of contents has either text: or blob:");
    }
    return templatedObject(item, "an item of contents", reading);
  });
}
