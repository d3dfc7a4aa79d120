import { canonicalJson } from "../protocol/canonical.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { hashOf } from "../rerecord/hash.ts";

/** What a content block is, if a value is one: its `type`, or of a resource's contents whether it is text or bytes. */
export function contentKind(value: JsonObject): string | undefined {
  if (typeof value.type === "string" && BLOCKS.has(value.type)) return value.type;
  if (typeof value.uri !== "string") return undefined;
  if (typeof value.text === "string") return "text contents";
  return typeof value.blob === "string" ? "binary contents" : undefined;
}

/** Types of content blocks of every revision (2026-07-28 schema, ContentBlock, and sampling's). */
const BLOCKS: ReadonlySet<string> = new Set(["text", "image", "audio", "resource", "resource_link"]);

/** How the member that a content block is about is compared. */
export type ContentWay = "text" | "binary";

/** The member that holds what a content block is about. */
export const CONTENT_MEMBERS: ReadonlyMap<
  string | undefined,
  { readonly name: string; readonly way: ContentWay }
> = new Map([
  ["text", { name: "text", way: "text" }],
  ["text contents", { name: "text", way: "text" }],
  ["binary contents", { name: "blob", way: "binary" }],
  ["image", { name: "data", way: "binary" }],
  ["audio", { name: "data", way: "binary" }],
]);

/** An object or a list written in a text, or undefined. Numbers and words alone are text. */
export function jsonIn(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** What of a base64 text is compared. The alphabet's two spellings and padding make no difference. */
export function binaryFacts(base64: string): JsonObject {
  const plain = base64
    .replace(/[\s=]+/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  const bytes = Math.floor((plain.length * 3) / 4);
  return { bytes, hash: hashOf(plain).toString(16).padStart(13, "0") };
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === undefined || b === undefined || a === b) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}
