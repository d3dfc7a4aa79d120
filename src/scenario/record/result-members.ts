import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../matcher.ts";
import type { ReplyKind } from "../model.ts";

/** The members of a reply that give this result, as plain as they can be. */
export function resultMembers(kind: ReplyKind, result: JsonObject): JsonObject {
  return SHAPES[kind](result) ?? { result };
}

const SHAPES: Readonly<Record<ReplyKind, (result: JsonObject) => JsonObject | undefined>> = {
  tool: ({ content, structuredContent, isError, _meta, ...rest }) => {
    if (Object.keys(rest).length > 0 || !Array.isArray(content)) return undefined;
    const text = onlyText(content);
    const meta = _meta === undefined ? {} : { _meta };
    if (isError === true) {
      const data = structuredContent === undefined ? {} : { structuredContent };
      return { toolError: text ?? content, ...data, ...meta };
    }
    if (structuredContent === undefined) return { ...(text === undefined ? { content } : { text }), ...meta };
    const same = text === JSON.stringify(structuredContent);
    return { ...(same ? {} : text === undefined ? { content } : { text }), structuredContent, ...meta };
  },
  resource: ({ contents, _meta, ...rest }) => {
    if (Object.keys(rest).length > 0 || !Array.isArray(contents)) return undefined;
    const meta = _meta === undefined ? {} : { _meta };
    const [only, second] = contents;
    const [key, beside] = isObject(only) ? Object.keys(only) : [];
    const plain = second === undefined && beside === undefined && (key === "text" || key === "blob");
    return { ...(plain ? (only as JsonObject) : { contents }), ...meta };
  },
  prompt: ({ messages, description, _meta, ...rest }) => {
    if (Object.keys(rest).length > 0 || !Array.isArray(messages)) return undefined;
    const [message, second] = messages;
    const text =
      isObject(message) && !second && message.role === "user"
        ? onlyText([message.content ?? null])
        : undefined;
    return {
      ...(text === undefined ? { messages } : { text }),
      ...(description === undefined ? {} : { description }),
      ...(_meta === undefined ? {} : { _meta }),
    };
  },
  method: () => undefined,
};

function onlyText(content: readonly JsonValue[]): string | undefined {
  const [block, second] = content;
  if (second !== undefined || !isObject(block) || block.type !== "text" || typeof block.text !== "string")
    return undefined;
  return Object.keys(block).length === 2 ? block.text : undefined;
}
