import type { ListName } from "../drive/pages.ts";
import { LISTS, MOST_PAGES } from "../drive/pages.ts";
import { canonicalJson } from "../protocol/canonical.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";
import { isObject, type Listed, MEMBERS, type Member, repeatedIn, UNKNOWN_LIST } from "./contract.ts";

/** One answered page of a list. */
export interface Page {
  readonly cursor: JsonValue | undefined;
  readonly items: readonly JsonValue[];
  readonly next: JsonValue | undefined;
  readonly cacheScope: JsonValue | undefined;
  readonly session: number;
  /** Ordinal of the entry it came in. */
  readonly seenAt: number | undefined;
}

/** Pages that follow each other by their cursors. */
type Walk = readonly Page[];

export function pageOf(list: ListName, facts: Pick<Page, "cursor" | "session" | "seenAt"> & Answered): Page {
  const { result, ...rest } = facts;
  const items = memberAt(result, LISTS[list].key);
  return {
    ...rest,
    items: Array.isArray(items) ? items : [],
    next: memberAt(result, "nextCursor") ?? undefined,
    cacheScope: memberAt(result, "cacheScope"),
  };
}

interface Answered {
  readonly result: JsonValue | undefined;
}

/**
 * The list that pages amount to: of all walks from a first page to a last one the latest, or else the longest that was
 * begun. Notes what contradicts itself.
 */
export function listedFrom(list: ListName, pages: readonly Page[], notes: string[]): Listed {
  if (pages.length === 0) return UNKNOWN_LIST;
  const walks = walksOf(pages);
  const whole = walks.filter(isWhole);
  const states = statesOf(list, whole, notes);
  const walk = whole.at(-1) ?? longest(walks);
  const scope = walk[0]?.cacheScope;
  const endless = goesOnForEver(walk);
  const named = namedIn(list, walk, notes);
  const repeated = endless ? [] : repeatedIn(named.map(([name]) => name));
  for (const name of repeated)
    notes.push(`the ${MEMBERS[list].noun} ${name} is listed twice; the last counts`);
  return {
    state: isWhole(walk) ? "complete" : "partial",
    members: new Map(named),
    repeated,
    endless,
    pages: walk.length,
    cacheScope: typeof scope === "string" ? scope : undefined,
    states,
  };
}

/** A cursor belongs to the latest walk of its session that was given it. */
function walksOf(pages: readonly Page[]): Walk[] {
  const walks: Walk[] = [];
  for (const page of pages) {
    if (page.cursor === undefined) {
      walks.push([page]);
      continue;
    }
    const index = walks.findLastIndex((walk) => leadsTo(walk, page) >= 0);
    const walk = walks[index];
    if (!walk) walks.push([page]);
    else {
      const known = walk.slice(0, leadsTo(walk, page) + 1);
      if (known.length === walk.length) walks[index] = [...walk, page];
      else walks.push([...known, page]);
    }
  }
  return walks;
}

/** The page of a walk whose cursor this page was asked with, or -1. */
function leadsTo(walk: Walk, { cursor, session }: Page): number {
  return walk.findLastIndex((page) => page.session === session && page.next === cursor);
}

function isWhole(walk: Walk): boolean {
  return walk[0]?.cursor === undefined && walk.at(-1)?.next === undefined;
}

/** Whether its last page leads back to one that was asked for, or it was left for having so many. */
function goesOnForEver(walk: Walk): boolean {
  const next = walk.at(-1)?.next;
  if (next === undefined) return false;
  return walk.length >= MOST_PAGES || walk.some(({ cursor }) => cursor === next);
}

function longest(walks: readonly Walk[]): Walk {
  return walks.reduce((best, walk) => (walk.length >= best.length ? walk : best));
}

/** What it listed at first, and each time that it changed, which is noted. */
function statesOf(list: ListName, whole: readonly Walk[], notes: string[]): string[][] {
  const states: string[][] = [];
  const texts = whole.map((walk) => canonicalJson(walk.flatMap(({ items }) => [...items])));
  for (const [index, text] of texts.entries()) {
    if (text === texts[index - 1]) continue;
    const items = whole[index]?.flatMap((page) => [...page.items]) ?? [];
    states.push(items.map((item) => String(memberAt(item, MEMBERS[list].key))));
    if (index === 0) continue;
    const before = whole[index - 1]?.[0]?.seenAt;
    const after = whole[index]?.[0]?.seenAt;
    notes.push(
      `${LISTS[list].method} was answered differently at entry ${after} than at entry ${before}; the last whole list counts`,
    );
  }
  return states;
}

function namedIn(list: ListName, walk: Walk, notes: string[]): [string, Member][] {
  const { key, noun } = MEMBERS[list];
  const named: [string, Member][] = [];
  for (const { items, seenAt } of walk) {
    for (const value of items) {
      const name = memberAt(value, key);
      if (!isObject(value) || typeof name !== "string") {
        notes.push(`${LISTS[list].method} holds a ${noun} without ${key} at entry ${seenAt}; it is left out`);
        continue;
      }
      named.push([name, { value, seenAt }]);
    }
  }
  return named;
}
