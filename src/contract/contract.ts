import type { ListName } from "../drive/pages.ts";
import type { JsonObject } from "../protocol/message.ts";
import type { Era } from "../protocol/revisions.ts";

/** What a server promises, as far as it was asked. What was never asked is unknown, which is not the same as empty. */
export interface Contract {
  readonly revisions: Revisions;
  /** What the server said of itself, or undefined when it was never asked. */
  readonly server: ServerFacts | undefined;
  readonly lists: Readonly<Record<ListName, Listed>>;
  /** What a reader should know of how it was found: a list that changed within the recording, a name that came twice. */
  readonly notes: readonly string[];
}

export interface Revisions {
  /** Seen to be spoken, oldest first. */
  readonly spoken: readonly string[];
  /** Asked for and not given, oldest first. */
  readonly refused: readonly string[];
  /** Eras of which every revision is known, because the server told them all. */
  readonly complete: readonly Era[];
  /** Eras in which the server could not be opened. */
  readonly refusedEras: readonly Era[];
}

export interface ServerFacts {
  readonly capabilities: JsonObject;
  readonly instructions: string | undefined;
  /** Name, version and what else a server says it is; undefined when it says nothing. */
  readonly serverInfo: JsonObject | undefined;
  /** Ordinal of the entry where it was said; undefined for what was not read from a recording. */
  readonly seenAt: number | undefined;
}

/**
 * `unknown`  nobody asked, or the answer was an error
 * `partial`  some pages were not asked for, so a missing member may stand there
 * `complete` all pages, or the server has no such list at all
 */
export type ListState = "unknown" | "partial" | "complete";

export interface Listed {
  readonly state: ListState;
  /** By name, URI or URI template, in the server's order. */
  readonly members: ReadonlyMap<string, Member>;
  readonly pages: number;
  /** `cacheScope` of its first page (2026-07-28). */
  readonly cacheScope: string | undefined;
  /** Names in the list as it was at first, and each time it was answered in another way within the recording. */
  readonly states?: readonly (readonly string[])[] | undefined;
  /** Names that stand there more than once. */
  readonly repeated?: readonly string[] | undefined;
  /** Its pages go in a circle, or are more than anybody asks for. */
  readonly endless?: boolean | undefined;
}

export interface Member {
  readonly value: JsonObject;
  /** Ordinal of the entry with the page it stands on. */
  readonly seenAt: number | undefined;
}

interface MemberRow {
  /** The list as the first part of a pointer into the contract. */
  readonly root: string;
  /** The member that names one. */
  readonly key: string;
  /** One of it, for people. */
  readonly noun: string;
}

/** How the members of each list are told apart. A pointer into a contract is `/tools/NAME` and on into the member. */
export const MEMBERS: Readonly<Record<ListName, MemberRow>> = {
  tools: { root: "tools", key: "name", noun: "tool" },
  resources: { root: "resources", key: "uri", noun: "resource" },
  templates: { root: "resourceTemplates", key: "uriTemplate", noun: "resource template" },
  prompts: { root: "prompts", key: "name", noun: "prompt" },
};

export const LIST_NAMES = Object.keys(MEMBERS) as readonly ListName[];

export const UNKNOWN_LIST: Listed = { state: "unknown", members: new Map(), pages: 0, cacheScope: undefined };

export const NO_REVISIONS: Revisions = { spoken: [], refused: [], complete: [], refusedEras: [] };

/** Names that come more than once, each once. */
export function repeatedIn(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...new Set(names.filter((name) => seen.size === seen.add(name).size))];
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
