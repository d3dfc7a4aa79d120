import type { Entry } from "../exchange/entry.ts";
import { isCounted, type Names } from "./names.ts";
import type { Outline } from "./outline.ts";
import type { Facts } from "./references.ts";
import { TextSearch } from "./text-search.ts";

/** In characters. What is shorter may stand anywhere without being meant. */
const SHORTEST = 6;

/**
 * The names minted by the server that may become others, by their numbers: those that stand nowhere but in the places
 * the protocol has for them. One that is told in a text as well, or came back as an argument, is the server's answer and
 * stays; so does one that the old recording has too.
 */
export function movableNames(fresh: Outline, old: Names): Set<number> {
  const numbers: number[] = [];
  for (const [number, named] of fresh.names.all.entries()) {
    if (isCounted(named.kind) || named.token.length < SHORTEST + 2 || !named.token.startsWith('"')) continue;
    if (old.current.get(named, named.token) === undefined) numbers.push(number);
  }
  const tokenOf = (number: number) => fresh.names.all[number]?.token ?? "";
  const search = new TextSearch(new Set(numbers.map(tokenOf)), (token) => token.slice(1, -1));
  for (let ordinal = 0; ordinal < fresh.count && search.size > 0; ordinal++) {
    const entry = fresh.entries.entryAt(ordinal);
    look(search, entry, fresh.factsOf(entry, ordinal));
  }
  return new Set(numbers.filter((number) => search.has(tokenOf(number))));
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
