import type { Entry } from "../exchange/entry.ts";
import { isCounted, type Names } from "./names.ts";
import type { Outline } from "./outline.ts";
import type { Facts } from "./references.ts";
import { nameKey } from "./renames.ts";
import { TextSearch } from "./text-search.ts";

/** In characters. What is shorter may stand anywhere without being meant. */
const SHORTEST = 6;

/**
 * The names minted by the server that may become others, as `nameKey` spells them: those that stand nowhere but in the
 * places the protocol has for them. One that is told in a text as well, or came back as an argument, is the server's
 * answer and stays.
 */
export function movableNames(fresh: Outline, old: Names): Set<string> {
  const oldNames = new Set(old.all.map((named) => nameKey(named, named.token)));
  const keys = new Map<string, string[]>();
  for (const named of fresh.names.all) {
    const key = nameKey(named, named.token);
    if (isCounted(named.kind) || oldNames.has(key) || named.token.length < SHORTEST + 2) continue;
    if (named.token.startsWith('"')) keys.set(named.token, [...(keys.get(named.token) ?? []), key]);
  }
  const search = new TextSearch(keys.keys(), (token) => token.slice(1, -1));
  for (let ordinal = 0; ordinal < fresh.count && search.size > 0; ordinal++) {
    const entry = fresh.entries.entryAt(ordinal);
    look(search, entry, fresh.factsOf(entry, ordinal));
  }
  return new Set([...keys].flatMap(([token, all]) => (search.has(token) ? all : [])));
}

function look(search: TextSearch, { body, http }: Entry, { references }: Facts): void {
  if (http) {
    const { "mcp-name": named, ...headers } = http.headers ?? {};
    search.lookIn(encoder.encode(`${http.path}\n${JSON.stringify(headers)}`), []);
    // A header that mirrors a task's id in another spelling would no longer do so.
    const mirrored = named === undefined || references.some(({ place }) => place === "mcp-name");
    if (!mirrored) for (const { kind, token } of references) if (kind === "taskId") search.drop(token);
  }
  if (!body) return;
  const places = references
    .filter(({ kind, place }) => !isCounted(kind) && typeof place !== "string")
    .map(({ place }) => (typeof place === "string" ? { start: 0, end: 0 } : place.span));
  search.lookIn(body.bytes, places);
}

const encoder = new TextEncoder();
