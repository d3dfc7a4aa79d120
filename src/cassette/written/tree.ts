import {
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from "js-yaml";
import { type ErrorCode, VcrError } from "../../errors.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { placeIn } from "../fault.ts";
import { ImplicitFault, implicitJson } from "../yaml/implicit.ts";

/** A value of a file, with the place of its first character. */
export type Tree =
  | { readonly kind: "scalar"; readonly at: number; readonly value: null | boolean | number | string }
  | { readonly kind: "list"; readonly at: number; readonly items: readonly Tree[] }
  | { readonly kind: "map"; readonly at: number; readonly members: readonly Member[] };

export interface Member {
  readonly key: string;
  readonly at: number;
  readonly value: Tree;
}

/** What was read, for messages about places in it. */
export interface WrittenSource {
  readonly file: string;
  readonly text: string;
  /** What the file is, for messages: `a drive file`. */
  readonly what: string;
  /** Of the error that it does not hold to its form. */
  readonly code: ErrorCode;
  /** Of a value that has no text: its members as a program names them. A tree's places are indexes into it. */
  readonly paths?: readonly string[] | undefined;
}

/** What a file says in a way it may not. */
export function fault(source: WrittenSource, at: number, message: string, hint?: string): VcrError {
  const { file, text, code, paths } = source;
  if (!paths) return new VcrError(code, message, { place: placeIn(text, at, { file }), hint });
  const path = paths[at] ?? "";
  return new VcrError(code, path === "" ? message : `${path}: ${message}`, { place: { file }, hint });
}

/** Levels of nesting. */
const DEEPEST = 200;

/**
 * Reads one YAML document; JSON is YAML. Tags, anchors, aliases, merge keys, duplicate keys and numbers that JavaScript
 * would change are refused.
 * @throws VcrError with the code of its source
 */
export function readTree(source: WrittenSource): Tree {
  const reader = new Reader(source, eventsOf(source));
  return reader.document();
}

function eventsOf(source: WrittenSource): readonly Event[] {
  try {
    return parseEvents(source.text, { maxDepth: 2 * DEEPEST });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const hint = error.reason.includes("tab characters")
      ? "Indent with spaces."
      : "Text with special characters is safe in double quotes.";
    throw fault(source, error.mark?.position ?? 0, `no valid YAML: ${error.reason}`, hint);
  }
}

class Reader {
  readonly #source: WrittenSource;
  readonly #events: readonly Event[];
  #next = 0;

  constructor(source: WrittenSource, events: readonly Event[]) {
    this.#source = source;
    this.#events = events;
  }

  document(): Tree {
    if (this.#events.length === 0) throw fault(this.#source, 0, "the file is empty");
    this.#take(); // the document's own event
    const tree = this.#tree();
    if (this.#next + 1 < this.#events.length) {
      throw fault(this.#source, this.#source.text.length, "more than one document where one was expected");
    }
    return tree;
  }

  /** @param before where an empty value counts as standing: it has no place of its own */
  #tree(before = 0): Tree {
    const event = this.#take();
    const at = offsetOf(event) || before;
    if (event.type === EVENT_ID.ALIAS) throw this.#plainOnly(at, "aliases (*name)", "Write the value out.");
    if (event.type === EVENT_ID.SCALAR) return { kind: "scalar", at, value: this.#scalar(event) };
    this.#refuseProperties(event as { anchorStart: number; tagStart: number });
    if (event.type === EVENT_ID.MAPPING) return { kind: "map", at, members: this.#members() };
    const items: Tree[] = [];
    while (this.#peek().type !== EVENT_ID.POP) items.push(this.#tree(at));
    this.#take();
    return { kind: "list", at, items };
  }

  #members(): Member[] {
    const members: Member[] = [];
    const seen = new Set<string>();
    for (let event = this.#take(); event.type !== EVENT_ID.POP; event = this.#take()) {
      const at = offsetOf(event);
      if (event.type !== EVENT_ID.SCALAR) throw fault(this.#source, at, "a key must be text");
      this.#refuseProperties(event);
      const key = getScalarValue(this.#source.text, event);
      if (key === "<<" && event.style === SCALAR_STYLE.PLAIN) {
        throw this.#plainOnly(at, "merge keys (<<)", "Write the members out.");
      }
      if (seen.has(key)) throw fault(this.#source, at, `the key ${JSON.stringify(key)} occurs twice`);
      seen.add(key);
      members.push({ key, at, value: this.#tree(at) });
    }
    return members;
  }

  #scalar(event: ScalarEvent): null | boolean | number | string {
    this.#refuseProperties(event);
    const text = getScalarValue(this.#source.text, event);
    if (event.style !== SCALAR_STYLE.PLAIN) return text;
    try {
      return JSON.parse(implicitJson(text)) as null | boolean | number | string;
    } catch (error) {
      if (!(error instanceof ImplicitFault)) throw error;
      const hint = `Write "${text}" in quotes if it is meant as text.`;
      throw fault(this.#source, offsetOf(event), error.message, hint);
    }
  }

  #refuseProperties({ anchorStart, tagStart }: { anchorStart: number; tagStart: number }): void {
    if (tagStart !== -1)
      throw this.#plainOnly(tagStart, "tags (!name)", "Leave the tag out; put text in quotes.");
    if (anchorStart !== -1)
      throw this.#plainOnly(anchorStart - 1, "anchors (&name)", "Leave the anchor out.");
  }

  #plainOnly(at: number, what: string, hint: string): VcrError {
    return fault(this.#source, at, `${what} are not allowed in ${this.#source.what}`, hint);
  }

  #take(): Event {
    return this.#events[this.#next++] as Event;
  }

  #peek(): Event {
    return this.#events[this.#next] as Event;
  }
}

function offsetOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return Math.max(event.valueStart, 0);
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return "start" in event ? event.start : 0;
}

/** The value without its places. */
export function plainValue(tree: Tree): JsonValue {
  if (tree.kind === "scalar") return tree.value;
  if (tree.kind === "list") return tree.items.map(plainValue);
  // Defines own members whatever their names.
  return Object.fromEntries(tree.members.map(({ key, value }) => [key, plainValue(value)]));
}
