import { placeIn } from "../cassette/fault.ts";
import { type FilePlace, VcrError } from "../errors.ts";
import { type JsonValue, textOf } from "../protocol/message.ts";
import { memberSpans, scanJson } from "../protocol/scan-json.ts";

/** JSON text, with its place in a file: looked into without ever being printed anew, so that messages stay exact. */
export class Piece {
  readonly bytes: Uint8Array;
  readonly #place: FilePlace;
  /** All of the file's text, and where this begins in it. */
  readonly #whole: Uint8Array;
  readonly #start: number;

  private constructor(bytes: Uint8Array, place: FilePlace, whole: Uint8Array, start: number) {
    this.bytes = bytes;
    this.#place = place;
    this.#whole = whole;
    this.#start = start;
  }

  /** @param bytes valid JSON, which begins on this line of the file */
  static whole(bytes: Uint8Array, file: string, line = 1): Piece {
    return new Piece(bytes, { file, line }, bytes, 0);
  }

  /** A member that must be there. @throws VcrError `cassette-invalid` */
  need(name: string): Piece {
    const found = this.find(name);
    if (found) return found;
    throw this.fault(`${name} is missing`);
  }

  /** A member; undefined where it is absent or null. */
  find(name: string): Piece | undefined {
    const span = memberSpans(this.bytes)?.findLast(({ key }) => key === name)?.value;
    if (!span) return undefined;
    const bytes = this.bytes.subarray(span.start, span.end);
    return isNull(bytes) ? undefined : new Piece(bytes, this.#place, this.#whole, this.#start + span.start);
  }

  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  /** Elements of a list. @throws VcrError `cassette-invalid` for what is none */
  items(): Piece[] {
    const { root, items } = scanJson(this.bytes);
    if (root !== "array") throw this.fault("a list is expected here");
    return items.map(
      ({ start, end }) =>
        new Piece(this.bytes.subarray(start, end), this.#place, this.#whole, this.#start + start),
    );
  }

  value(): JsonValue {
    return JSON.parse(textOf(this.bytes)) as JsonValue;
  }

  /** @throws VcrError `cassette-invalid` for what is no text */
  text(): string {
    const value = this.value();
    if (typeof value === "string") return value;
    throw this.fault("text is expected here");
  }

  /** @throws VcrError `cassette-invalid` for what is no number */
  number(): number {
    const value = this.value();
    if (typeof value === "number") return value;
    throw this.fault("a number is expected here");
  }

  /** The object's text without members that are null, which some tools write for what was never sent. */
  withoutNulls(names: readonly string[]): Uint8Array {
    const spans = memberSpans(this.bytes);
    if (!spans) throw this.fault("an object is expected here");
    const kept = spans.filter(
      ({ key, value }) => !names.includes(key) || !isNull(this.bytes.subarray(value.start, value.end)),
    );
    if (kept.length === spans.length) return this.bytes;
    const parts = kept.map(({ keyStart, value }) => textOf(this.bytes.subarray(keyStart, value.end)));
    return new TextEncoder().encode(`{${parts.join(",")}}`);
  }

  fault(message: string): VcrError {
    const text = textOf(this.#whole);
    const offset = textOf(this.#whole.subarray(0, this.#start)).length;
    return new VcrError("cassette-invalid", message, { place: placeIn(text, offset, this.#place) });
  }
}

function isNull(bytes: Uint8Array): boolean {
  return bytes.length === 4 && bytes[0] === 0x6e;
}
