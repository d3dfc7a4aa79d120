import {
  EVENT_ID,
  type Event,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from "js-yaml";
import type { FilePlace } from "../../errors.ts";
import { invalid, placeIn } from "../fault.ts";
import { DEEPEST } from "./emit.ts";
import { ImplicitFault, implicitJson } from "./implicit.ts";

/** A member of a document's mapping, its value as JSON text. */
export interface YamlMember {
  readonly name: string;
  readonly json: string;
  /** Offset of the key in the document. */
  readonly at: number;
}

/**
 * Reads one YAML document as JSON text, so that nothing passes through JavaScript values that they would change.
 * Tags, anchors, aliases, merge keys, duplicate keys and numbers that JSON or JavaScript would respell are refused.
 * @param place of the text's first character
 * @returns the members of its mapping; undefined when there is nothing but comments
 * @throws VcrError `cassette-invalid`
 */
export function parseDocument(text: string, place: FilePlace): YamlMember[] | undefined {
  const reader = new EventReader(text, place, eventsOf(text, place));
  return reader.document();
}

function eventsOf(text: string, place: FilePlace): Event[] {
  try {
    return parseEvents(text, { maxDepth: 2 * DEEPEST });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw invalid(
      `no valid YAML: ${error.reason}`,
      placeIn(text, error.mark?.position ?? 0, place),
      hintFor(error.reason),
    );
  }
}

function hintFor(reason: string): string | undefined {
  if (reason.includes("maxDepth")) return "Write a message this deep as json: with its exact text.";
  if (reason.includes("non-printable") || reason.includes("null byte"))
    return 'Write such characters as escapes in double quotes: "\\u0000".';
  if (reason.includes("tab characters")) return "Indent with spaces.";
  return "Text with special characters is safe in double quotes, longer text under a | block.";
}

class EventReader {
  readonly #text: string;
  readonly #place: FilePlace;
  readonly #events: readonly Event[];
  #next = 0;

  constructor(text: string, place: FilePlace, events: readonly Event[]) {
    this.#text = text;
    this.#place = place;
    this.#events = events;
  }

  document(): YamlMember[] | undefined {
    if (this.#events.length === 0) return undefined;
    this.#take(); // the document's own event
    const root = this.#take();
    if (root.type === EVENT_ID.SCALAR && root.valueStart === -1) return undefined;
    if (root.type !== EVENT_ID.MAPPING) {
      throw this.#fault(offsetOf(root), "a document must be a mapping of members, such as at: and from:");
    }
    this.#refuseProperties(root);
    const members: YamlMember[] = [];
    this.#eachPair((name, at) => {
      members.push({ name, at, json: this.#json() });
    });
    if (this.#next + 1 < this.#events.length)
      throw this.#fault(this.#text.length, "more than one document where one was expected");
    return members;
  }

  /** The next value as JSON text. */
  #json(): string {
    const event = this.#take();
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalarJson(event);
      case EVENT_ID.SEQUENCE:
        this.#refuseProperties(event);
        return this.#sequenceJson();
      case EVENT_ID.MAPPING:
        this.#refuseProperties(event);
        return this.#mappingJson();
      default:
        throw this.#fault(
          offsetOf(event),
          "aliases (*name) are not allowed in a cassette",
          "Write the value out.",
        );
    }
  }

  #sequenceJson(): string {
    let out = "";
    while (this.#peek().type !== EVENT_ID.POP) out += `${out === "" ? "[" : ","}${this.#json()}`;
    this.#take();
    return out === "" ? "[]" : `${out}]`;
  }

  #mappingJson(): string {
    let out = "";
    this.#eachPair((key) => {
      out += `${out === "" ? "{" : ","}${JSON.stringify(key)}:${this.#json()}`;
    });
    return out === "" ? "{}" : `${out}}`;
  }

  /** Reads keys up to the end of the open mapping; `readValue` has to take each value. */
  #eachPair(readValue: (key: string, at: number) => void): void {
    const keys = new Set<string>();
    for (let event = this.#take(); event.type !== EVENT_ID.POP; event = this.#take()) {
      const at = offsetOf(event);
      if (event.type !== EVENT_ID.SCALAR) throw this.#fault(at, "a key must be text");
      this.#refuseProperties(event);
      const key = getScalarValue(this.#text, event);
      if (key === "<<" && event.style === SCALAR_STYLE.PLAIN) {
        throw this.#fault(
          at,
          "merge keys are not allowed in a cassette",
          'Write the members out, or "<<" in quotes for a key of that name.',
        );
      }
      if (keys.has(key)) throw this.#fault(at, `the key ${JSON.stringify(key)} occurs twice`);
      keys.add(key);
      readValue(key, at);
    }
  }

  #scalarJson(event: ScalarEvent): string {
    this.#refuseProperties(event);
    const text = getScalarValue(this.#text, event);
    if (event.style !== SCALAR_STYLE.PLAIN) return JSON.stringify(text);
    try {
      return implicitJson(text);
    } catch (error) {
      if (error instanceof ImplicitFault) throw this.#fault(offsetOf(event), error.message, error.hint);
      throw error;
    }
  }

  #refuseProperties(event: { anchorStart: number; tagStart: number }): void {
    if (event.tagStart !== -1) {
      throw this.#fault(
        event.tagStart,
        "tags (!name) are not allowed in a cassette",
        "Leave the tag out; put text in quotes.",
      );
    }
    if (event.anchorStart !== -1) {
      throw this.#fault(
        event.anchorStart - 1,
        "anchors (&name) are not allowed in a cassette",
        "Leave the anchor out.",
      );
    }
  }

  #take(): Event {
    return this.#events[this.#next++] as Event;
  }

  #peek(): Event {
    return this.#events[this.#next] as Event;
  }

  #fault(offset: number, message: string, hint?: string) {
    return invalid(message, placeIn(this.#text, offset, this.#place), hint);
  }
}

function offsetOf(event: Event): number {
  if (event.type === EVENT_ID.SCALAR) return Math.max(event.valueStart, 0);
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return "start" in event ? event.start : 0;
}
