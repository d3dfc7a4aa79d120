import { canonicalJson } from "../protocol/canonical.ts";
import { canonicalNumber, type ExactJson, ExactNumber, readExact } from "../protocol/json-exact.ts";
import type { JsonObject, JsonValue, Message } from "../protocol/message.ts";
import { paramsOf } from "../replay/key.ts";

const encoder = new TextEncoder();

/** A SpeltNumber was met since this was last cleared. */
let isMet = false;

/**
 * A number that JavaScript would change or spell otherwise, as its sender spelt it. It stands among the values of a
 * request, where anything else is an ordinary JSON value: 9007199254740993, 1.0.
 */
export class SpeltNumber {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  get token(): string {
    return this.#token;
  }

  /** What JavaScript makes of it. */
  get number(): number {
    return Number(this.#token);
  }

  /** JavaScript has no such number, and takes another one for it. */
  get isHarmed(): boolean {
    return canonicalNumber(this.#token) !== String(Object.is(this.number, -0) ? 0 : this.number);
  }

  /** For people, as elsewhere: digits that JavaScript cannot hold are text. What is sent is made by `jsonText`. */
  toJSON(): JsonValue {
    isMet = true;
    return this.isHarmed ? this.#token : this.number;
  }
}

export function isSpelt(value: unknown): value is SpeltNumber {
  return value instanceof SpeltNumber;
}

/** What JSON text denotes, each number that JavaScript would change as it is spelt. */
export function speltValue(bytes: Uint8Array): JsonValue {
  return speltOf(readExact(bytes));
}

function speltOf(value: ExactJson): JsonValue {
  if (value instanceof ExactNumber) {
    const number = Number(value.token);
    return String(number) === value.token ? number : (new SpeltNumber(value.token) as unknown as JsonValue);
  }
  if (Array.isArray(value)) return value.map(speltOf);
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, inner]) => [key, speltOf(inner)]));
  return value;
}

/** A message's params, each number that JavaScript would change as it is spelt. */
export function speltParamsOf(message: Message): JsonValue | undefined {
  const { params } = message.scan.members;
  if (!params || !message.scan.harmed) return paramsOf(message);
  return speltValue(message.bytes.subarray(params.start, params.end));
}

/** JSON text, with numbers as they are spelt. */
export function jsonText(value: JsonValue): string {
  isMet = false;
  const text = JSON.stringify(value);
  return isMet ? speltText(value) : text;
}

function speltText(value: JsonValue): string {
  if (isSpelt(value)) return value.token;
  if (Array.isArray(value)) return `[${value.map(speltText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${members.map(([key, inner]) => `${JSON.stringify(key)}:${speltText(inner)}`).join(",")}}`;
}

/** See `canonicalJson`: equal for equal values, numbers by value. */
export function canonicalSpelt(value: JsonValue): string {
  const text = jsonText(value);
  return isMet ? canonicalJson(encoder.encode(text)) : canonicalJson(value);
}

/** The value with something else in the place of each spelt number. */
export function withoutSpelt(value: JsonValue, instead: (number: SpeltNumber) => JsonValue): JsonValue {
  if (isSpelt(value)) return instead(value);
  if (Array.isArray(value)) return value.map((item) => withoutSpelt(item, instead));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [key, withoutSpelt(inner, instead)]),
  );
}

/** A number that JavaScript cannot hold, anywhere in a value. */
export function harmedIn(value: JsonValue): SpeltNumber | undefined {
  if (isSpelt(value)) return value.isHarmed ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = harmedIn(inner);
    if (found) return found;
  }
  return undefined;
}
