import { OPEN_ARRAY, OPEN_OBJECT, QUOTE, type Span, spaceEnd, stringValue } from "./json-tokens.ts";
import { type RootReader, walkJson } from "./json-walk.ts";

export {
  findSpan,
  type MemberSpan,
  memberSpans,
  type Replacement,
  replaceSpan,
  replaceSpans,
} from "./json-spans.ts";
export type { Span } from "./json-tokens.ts";

/** What one pass over JSON text tells. */
export interface JsonScan {
  /** Exactly one JSON value (RFC 8259) in valid UTF-8, white space around it allowed. */
  readonly valid: boolean;
  readonly root: "object" | "array" | "string" | "number" | "literal" | "none";
  /** Values of the root object's members that JSON-RPC knows; of duplicates the last, as JSON.parse has it. */
  readonly members: Readonly<Partial<Record<RootMember, Span>>>;
  /** Elements of a root array. */
  readonly items: readonly Span[];
  /** JavaScript's JSON.parse and JSON.stringify would change it: see `Body` in exchange/entry.ts. */
  readonly harmed: boolean;
}

export type RootMember = "jsonrpc" | "id" | "method" | "params" | "result" | "error";

const NO_ITEMS: readonly Span[] = [];
const INVALID: JsonScan = { valid: false, root: "none", members: {}, items: [], harmed: false };

/**
 * Reads the text once, without decoding it and without an allocation for a token. Facts are given of valid text only.
 * @param forHarm harm is looked for by the way; otherwise by another reading, when somebody asks
 */
export function scanJson(bytes: Uint8Array, forHarm = false): JsonScan {
  const root = rootKind(bytes);
  const children = new KnownChildren(bytes, root === "array");
  const { valid, harmed } = walkJson(bytes, children, forHarm);
  return valid
    ? new Scanned(
        bytes,
        { root, members: children.members, items: children.items },
        forHarm ? harmed : undefined,
      )
    : INVALID;
}

/**
 * The same of text that is known to be one valid object, from where its members are.
 * @param members as `JsonScan` has them
 */
export function scanOf(bytes: Uint8Array, members: JsonScan["members"]): JsonScan {
  return new Scanned(bytes, { root: "object", members, items: NO_ITEMS }, undefined);
}

type Children = Pick<JsonScan, "root" | "members" | "items">;

const NOBODY: RootReader = { key: () => undefined, value: () => undefined };

class Scanned implements JsonScan {
  readonly valid = true;
  readonly root: JsonScan["root"];
  readonly members: JsonScan["members"];
  readonly items: JsonScan["items"];
  readonly #bytes: Uint8Array;
  #harmed: boolean | undefined;

  constructor(bytes: Uint8Array, { root, members, items }: Children, harmed: boolean | undefined) {
    this.#bytes = bytes;
    this.root = root;
    this.members = members;
    this.items = items;
    this.#harmed = harmed;
  }

  get harmed(): boolean {
    this.#harmed ??= walkJson(this.#bytes, NOBODY, true).harmed;
    return this.#harmed;
  }
}

function rootKind(bytes: Uint8Array): JsonScan["root"] {
  const start = spaceEnd(bytes, 0);
  if (start === bytes.length) return "none";
  const c = bytes[start] as number;
  if (c === OPEN_OBJECT) return "object";
  if (c === OPEN_ARRAY) return "array";
  if (c === QUOTE) return "string";
  return c < 0x40 ? "number" : "literal";
}

class KnownChildren implements RootReader {
  readonly members: { -readonly [Name in RootMember]?: Span } = {};
  readonly items: Span[];
  readonly #bytes: Uint8Array;
  readonly #isArray: boolean;
  #name: RootMember | undefined;

  constructor(bytes: Uint8Array, isArray: boolean) {
    this.#bytes = bytes;
    this.#isArray = isArray;
    this.items = isArray ? [] : (NO_ITEMS as Span[]);
  }

  key(start: number, end: number, escaped: boolean): void {
    this.#name = escaped
      ? NAMES.find(({ name }) => name === stringValue(this.#bytes, start, end))?.name
      : plainName(this.#bytes, start, end);
  }

  value(start: number, end: number): void {
    if (this.#isArray) this.items.push({ start, end });
    else if (this.#name !== undefined) setMember(this.members, this.#name, { start, end });
  }
}

/** @note Of a name in a variable the engine looks up the place each time; every message comes this way. */
function setMember(members: { -readonly [Name in RootMember]?: Span }, name: RootMember, span: Span): void {
  switch (name) {
    case "jsonrpc":
      members.jsonrpc = span;
      return;
    case "id":
      members.id = span;
      return;
    case "method":
      members.method = span;
      return;
    case "params":
      members.params = span;
      return;
    case "result":
      members.result = span;
      return;
    case "error":
      members.error = span;
  }
}

const NAMES = (["jsonrpc", "id", "method", "params", "result", "error"] as const).map((name) => ({
  name,
  token: new TextEncoder().encode(`"${name}"`),
}));

const LONGEST = Math.max(...NAMES.map(({ token }) => token.length));
/** By the lengths of their tokens. */
const NAMES_BY_LENGTH = Array.from({ length: LONGEST + 1 }, (_, length) =>
  NAMES.filter(({ token }) => token.length === length),
);

function plainName(bytes: Uint8Array, start: number, end: number): RootMember | undefined {
  const alike = NAMES_BY_LENGTH[end - start];
  if (alike === undefined) return undefined;
  for (let i = 0; i < alike.length; i++) {
    const { name, token } = alike[i] as (typeof NAMES)[number];
    if (isAt(bytes, start, token)) return name;
  }
  return undefined;
}

function isAt(bytes: Uint8Array, start: number, token: Uint8Array): boolean {
  for (let i = 1; i < token.length; i++) if (bytes[start + i] !== token[i]) return false;
  return true;
}
