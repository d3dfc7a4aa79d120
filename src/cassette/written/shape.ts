import type { FilePlace } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { nearestWord, placeIn } from "../fault.ts";
import { millisecondsIn } from "./duration.ts";
import { fault, type Member, plainValue, type Tree, type WrittenSource } from "./tree.ts";

/** Members of a mapping that was checked for its keys. */
export type Members = ReadonlyMap<string, Tree>;

export interface MapShape {
  /** What the mapping is, for messages: `a step`, `client`. */
  readonly what: string;
  readonly allowed: readonly string[];
  readonly required?: readonly string[];
}

/** Reads values out of a tree; whatever is not as it must be is refused with its place and the mend. */
export class Shape {
  readonly #source: WrittenSource;

  constructor(source: WrittenSource) {
    this.#source = source;
  }

  fault(at: number, message: string, hint?: string) {
    return fault(this.#source, at, message, hint);
  }

  place(at: number): FilePlace {
    const { file, text, paths } = this.#source;
    if (!paths) return placeIn(text, at, { file });
    const path = paths[at] ?? "";
    return path === "" ? { file } : { file, path };
  }

  members(tree: Tree, { what, allowed, required = [] }: MapShape): Members {
    if (tree.kind !== "map") throw this.fault(tree.at, `${what} must be a mapping of ${allowed.join(", ")}`);
    for (const member of tree.members)
      if (!allowed.includes(member.key)) throw this.unknown(member, what, allowed);
    const members = new Map(tree.members.map(({ key, value }) => [key, value]));
    const missing = required.find((name) => !members.has(name));
    if (missing !== undefined)
      throw this.fault(tree.at, `${what} lacks ${missing}:`, `Add ${missing}: to it.`);
    return members;
  }

  unknown({ key, at }: Member, what: string, allowed: readonly string[]) {
    const meant = nearestWord(key, allowed);
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    return this.fault(
      at,
      `${what} has no ${JSON.stringify(key)}${hint}`,
      `Allowed are ${allowed.join(", ")}.`,
    );
  }

  text(tree: Tree, what: string): string {
    if (tree.kind === "scalar" && typeof tree.value === "string") return tree.value;
    throw this.fault(tree.at, `${what} must be text`, "Put it in quotes.");
  }

  oneOf<Word extends string>(tree: Tree, words: readonly Word[], what: string): Word {
    const value = tree.kind === "scalar" ? tree.value : undefined;
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    const meant = typeof value === "string" ? meantBy(value, words) : undefined;
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    throw this.fault(tree.at, `${what} must be one of ${words.join(", ")}${hint}`);
  }

  object(tree: Tree, what: string): JsonObject {
    if (tree.kind !== "map") throw this.fault(tree.at, `${what} must be a mapping of names to values`);
    return plainValue(tree) as JsonObject;
  }

  number(tree: Tree, what: string): number {
    if (tree.kind === "scalar" && typeof tree.value === "number") return tree.value;
    throw this.fault(tree.at, `${what} must be a number`);
  }

  /** A whole number, `least` or more. */
  whole(tree: Tree, what: string, least: number): number {
    const value = tree.kind === "scalar" ? tree.value : undefined;
    if (Number.isSafeInteger(value) && Number(value) >= least) return Number(value);
    throw this.fault(tree.at, `${what} must be a whole number, ${least} or more`);
  }

  yesOrNo(tree: Tree, what: string): boolean {
    if (tree.kind === "scalar" && typeof tree.value === "boolean") return tree.value;
    throw this.fault(tree.at, `${what} must be true or false`);
  }

  value(tree: Tree): JsonValue {
    return plainValue(tree);
  }

  list(tree: Tree, what: string): readonly Tree[] {
    if (tree.kind !== "list") throw this.fault(tree.at, `${what} must be a list`);
    return tree.items;
  }

  /** `500ms`, `2s`, `1m`: milliseconds. */
  duration(tree: Tree, what: string): number {
    const ms = tree.kind === "scalar" ? millisecondsIn(String(tree.value)) : undefined;
    if (ms !== undefined) return ms;
    throw this.fault(tree.at, `${what} must be a time such as 500ms, 10s or 2m`, "An hour (60m) at most.");
  }
}

/** Characters of a word that has been cut short. */
const SHORTEST_BEGINNING = 3;

function meantBy(value: string, words: readonly string[]): string | undefined {
  const begun = value.length >= SHORTEST_BEGINNING ? words.find((word) => word.startsWith(value)) : undefined;
  return begun ?? nearestWord(value, words);
}
