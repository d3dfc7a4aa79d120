import { memberAt } from "../../protocol/member.ts";
import type { JsonValue } from "../../protocol/message.ts";

/** Members that hold what something is called by: `id`, `orderId`, `next_cursor`, `uris`. */
const NAMES_SOMETHING =
  /(?:^|[_-])(?:id|handle|token|key|cursor|uri|url)s?$|[a-z0-9](?:Id|ID|Handle|Token|Key|Cursor|Uri|URI|Url|URL)s?$/;

/** A number may be a price as well as an id; what is called an id is one. */
export function isNumber(piece: string): boolean {
  return /^\d+$/.test(piece);
}

/** What a message says in members that are named for an id, as text; in JSON within texts too. */
export function textOfIds(message: JsonValue): string {
  const ids: string[] = [];
  const waiting: { readonly value: JsonValue; readonly named: boolean }[] = [];
  // The message's own id is none of the server's.
  for (const part of ["params", "result", "error"]) {
    const value = memberAt(message, part);
    if (value !== undefined) waiting.push({ value, named: false });
  }
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, named } = next;
    if (Array.isArray(value)) for (const each of value) waiting.push({ value: each, named });
    else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        waiting.push({ value: each, named: NAMES_SOMETHING.test(name) });
      }
    } else if (named && value !== null) ids.push(String(value));
    else if (typeof value === "string") {
      const inner = jsonIn(value);
      if (inner !== undefined) waiting.push({ value: inner, named: false });
    }
  }
  return ids.join("\n");
}

function jsonIn(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
