import { EVENT_ID, type Event, getScalarValue, parseEvents, type ScalarEvent } from "js-yaml";

/** Keys and indexes from the root. */
export type Path = readonly (string | number)[];

/** Offset of a member's key, or of a value, in YAML or JSON text; undefined where there is none. */
export function offsetOf(text: string, path: Path, part: "key" | "value"): number | undefined {
  let events: readonly Event[];
  try {
    events = parseEvents(text, {});
  } catch {
    // JSON that YAML does not read: then a place is not told.
    return undefined;
  }
  return new Events(text, events).find(path, part);
}

class Events {
  readonly #text: string;
  readonly #events: readonly Event[];
  #next = 1;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** From the event that comes next, which begins the value that the path begins in. */
  find(path: Path, part: "key" | "value"): number | undefined {
    const event = this.#events[this.#next++];
    const [step, ...rest] = path;
    if (event === undefined || step === undefined) return event && startOf(this.#text, event);
    if (event.type === EVENT_ID.SEQUENCE) return this.#findElement(Number(step), rest, part);
    return event.type === EVENT_ID.MAPPING ? this.#findMember(String(step), rest, part) : undefined;
  }

  #findElement(index: number, rest: Path, part: "key" | "value"): number | undefined {
    for (let at = 0; at < index && !this.#isOver(); at++) this.#skip();
    return this.#isOver() ? undefined : this.find(rest, part);
  }

  #findMember(name: string, rest: Path, part: "key" | "value"): number | undefined {
    while (!this.#isOver()) {
      const key = this.#events[this.#next] as Event;
      this.#skip();
      if (key.type === EVENT_ID.SCALAR && getScalarValue(this.#text, key) === name) {
        return rest.length === 0 && part === "key" ? startOf(this.#text, key) : this.find(rest, part);
      }
      this.#skip();
    }
    return undefined;
  }

  #isOver(): boolean {
    const event = this.#events[this.#next];
    return event === undefined || event.type === EVENT_ID.POP;
  }

  /** Past one value with all that is in it. */
  #skip(): void {
    let depth = 0;
    do {
      const event = this.#events[this.#next++];
      if (event === undefined) return;
      if (event.type === EVENT_ID.POP) depth--;
      else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) depth++;
    } while (depth > 0);
  }
}

function startOf(text: string, event: Event): number | undefined {
  if (event.type === EVENT_ID.SCALAR) return scalarStart(text, event);
  if (event.type === EVENT_ID.ALIAS) return event.anchorStart - 1;
  return "start" in event ? event.start : undefined;
}

/** With the quote before it. */
function scalarStart(text: string, { valueStart }: ScalarEvent): number | undefined {
  if (valueStart < 0) return undefined;
  return /["']/.test(text[valueStart - 1] ?? "") ? valueStart - 1 : valueStart;
}
