import type { Header } from "../../exchange/entry.ts";
import { textOf } from "../../protocol/message.ts";
import type { HeaderChange } from "../codec.ts";
import { headerOf } from "../entry-members.ts";
import { placeIn } from "../fault.ts";
import type { PlaceOf } from "../members.ts";
import { sourceMembers } from "../spelling.ts";
import { member } from "./emit.ts";
import { WIDE } from "./encode.ts";
import { parseDocument, type YamlMember } from "./parse.ts";

const encoder = new TextEncoder();

/** Text between entries, with the headers in it changed; all else stays, comments too. */
export function changeYamlHeaders(bytes: Uint8Array, change: HeaderChange): Uint8Array {
  const text = textOf(bytes);
  const changed = text
    .split(/^(?=---|\.\.\.)/m)
    .map((document) => changeDocument(document, change))
    .join("");
  return changed === text ? bytes : encoder.encode(changed);
}

const MAY_BE_HEADER = /^["']?mcp-vcr["']?\s*:/m;

function changeDocument(text: string, change: HeaderChange): string {
  // What ends a document is no part of it.
  const marker = /^\.\.\.[^\n]*\n?/.exec(text)?.[0] ?? "";
  const document = text.slice(marker.length);
  // Whatever else stands there need not even be YAML.
  if (!MAY_BE_HEADER.test(document)) return text;
  const members = parseDocument(document, { file: "" });
  if (!members?.some(({ name }) => name === "mcp-vcr")) return text;
  const { source, redacted } = change(readHeader(document, members));
  let changed = document;
  if (redacted) changed = put(changed, "redacted", member("redacted", [...redacted], WIDE));
  if (source) changed = put(changed, "source", member("source", sourceMembers(source), WIDE));
  return marker + changed;
}

function readHeader(text: string, members: readonly YamlMember[]): Header {
  const place: PlaceOf = (name) =>
    placeIn(text, members.find((each) => each.name === name)?.at ?? 0, { file: "" });
  return headerOf(Object.fromEntries(members.map(({ name, json }) => [name, JSON.parse(json)])), place);
}

/** In the place of the member of that name, or behind all others. */
function put(text: string, name: string, written: string): string {
  const members = parseDocument(text, { file: "" }) ?? [];
  const index = members.findIndex((each) => each.name === name);
  const at = members[index]?.at;
  if (at === undefined) return `${text.replace(/\n?$/, "\n")}${written}`;
  const end = members[index + 1]?.at ?? text.length;
  return text.slice(0, at) + written + commentsIn(text.slice(at, end)) + text.slice(end);
}

/** Lines of comment, and empty ones, at the end of a member's text. */
function commentsIn(text: string): string {
  return /(?:^[^\S\n]*(?:#[^\n]*)?\n)*$(?![\s\S])/m.exec(text)?.[0] ?? "";
}
