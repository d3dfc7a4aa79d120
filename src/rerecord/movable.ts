import type { Entry } from "../exchange/entry.ts";
import { isCounted, type Names } from "./names.ts";
import type { Outline } from "./outline.ts";
import type { Facts } from "./references.ts";
import { nameKey } from "./renames.ts";

/** In characters. What is shorter may stand anywhere without being meant. */
const SHORTEST = 6;

/**
 * The names minted by the server that may become others, as `nameKey` spells them: those that stand nowhere but in the
 * places the protocol has for them. One that is told in a text as well, or came back as an argument, is the server's
 * answer and stays.
 */
export function movableNames(fresh: Outline, old: Names): Set<string> {
  const oldNames = new Set(old.all.map((named) => nameKey(named, named.token)));
  const search = new Search();
  for (const named of fresh.names.all) {
    const key = nameKey(named, named.token);
    if (isCounted(named.kind) || oldNames.has(key) || named.token.length < SHORTEST + 2) continue;
    if (named.token.startsWith('"')) search.add(named.token, key);
  }
  for (let ordinal = 0; ordinal < fresh.count && search.size > 0; ordinal++) {
    const entry = fresh.entries.entryAt(ordinal);
    look(search, entry, fresh.factsOf(entry, ordinal));
  }
  return search.unfound;
}

function look(search: Search, { body, http }: Entry, { references }: Facts): void {
  if (http) {
    const { "mcp-name": named, ...headers } = http.headers ?? {};
    search.lookIn(encoder.encode(`${http.path}\n${JSON.stringify(headers)}`), []);
    // A header that mirrors a task's id in another spelling would no longer do so.
    const mirrored = named === undefined || references.some(({ place }) => place === "mcp-name");
    if (!mirrored) for (const { kind, token } of references) if (kind === "taskId") search.found(token);
  }
  if (!body) return;
  const places = references
    .filter(({ kind, place }) => !isCounted(kind) && typeof place !== "string")
    .map(({ place }) => (typeof place === "string" ? { start: 0, end: 0 } : place.span));
  search.lookIn(body.bytes, places);
}

const encoder = new TextEncoder();

interface Sought {
  readonly bytes: Uint8Array;
  readonly token: string;
}

/** Looks for many texts at once: those that share four bytes at the front are compared where these are met. */
class Search {
  readonly #byFront = new Map<number, Sought[]>();
  readonly #fronts = new Uint8Array(1 << 16);
  /** Names of each token. */
  readonly #keys = new Map<string, string[]>();

  get size(): number {
    return this.#keys.size;
  }

  get unfound(): Set<string> {
    return new Set([...this.#keys.values()].flat());
  }

  add(token: string, key: string): void {
    const keys = this.#keys.get(token);
    if (keys) {
      keys.push(key);
      return;
    }
    this.#keys.set(token, [key]);
    const bytes = encoder.encode(token.slice(1, -1));
    const front =
      ((bytes[0] as number) << 24) |
      ((bytes[1] as number) << 16) |
      ((bytes[2] as number) << 8) |
      (bytes[3] as number);
    this.#fronts[slotOf(front)] = 1;
    const list = this.#byFront.get(front);
    if (list) list.push({ bytes, token });
    else this.#byFront.set(front, [{ bytes, token }]);
  }

  found(token: string): void {
    this.#keys.delete(token);
  }

  lookIn(bytes: Uint8Array, except: readonly { readonly start: number; readonly end: number }[]): void {
    let front = 0;
    for (let at = 0; at < bytes.length; at++) {
      front = (front << 8) | (bytes[at] as number);
      if (at < 3 || this.#fronts[slotOf(front)] === 0) continue;
      for (const { bytes: sought, token } of this.#byFront.get(front) ?? []) {
        const start = at - 3;
        if (!isAt(bytes, start, sought)) continue;
        if (!except.some((place) => place.start <= start && start < place.end)) this.found(token);
      }
    }
  }
}

function slotOf(front: number): number {
  return (front ^ (front >>> 16)) & 0xffff;
}

function isAt(bytes: Uint8Array, start: number, sought: Uint8Array): boolean {
  if (start + sought.length > bytes.length) return false;
  for (let i = 4; i < sought.length; i++) if (bytes[start + i] !== sought[i]) return false;
  return true;
}
