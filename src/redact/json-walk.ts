import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from "../protocol/json-tokens.ts";
import { LONGEST_NAME } from "./credential-name.ts";
import { isNumberByte, MINUS, NINE, stringEnd, ZERO } from "./json-bytes.ts";
import { assignedFlag, isValueInPair, isValueOf, nameOfNext } from "./list-items.ts";
import { numberSecret } from "./number-secret.ts";
import { isProse } from "./plausible.ts";
import { isLabel, isProtocolField, rootZone, type Zone, zoneUnder } from "./protocol-fields.ts";
import { type Edit, splice } from "./splice.ts";

/** What a walk does with the strings it finds. */
export interface WalkRules {
  /** A string that no credential's name stands over, unescaped. */
  text(text: string): string;
  /** A string under a credential's name. */
  credential(name: string, text: string): string;
  /** A key, or a string that tells messages apart. */
  shape(text: string): string;
  /** Whether a key is a credential's name. */
  names(key: string): boolean;
  /** Whether a name given as a value ends in a credential's. */
  ends(name: string): boolean;
  /** What the user says is secret: struck also where the protocol's own fields are left alone, and as a number. */
  readonly own: { text(text: string): string; isValue(token: string): boolean } | undefined;
  /** Placeholder of a secret. */
  seal(secret: string): string;
  /** Whether the rules could find anything in this range: false spares decoding it. */
  isSuspect(bytes: Uint8Array, start: number, end: number): boolean;
}

/**
 * Walks valid JSON text and replaces what the rules strike. All other bytes stay: white space, order, the spelling of
 * numbers and of the strings left alone. Without a strike the answer is the same object.
 * @param root `message`: a JSON-RPC message or a batch, whose protocol fields are left alone.
 */
export function redactJson(bytes: Uint8Array, rules: WalkRules, root: "message" | "other"): Uint8Array {
  const walk = new Walk(bytes, rules, root);
  walk.run();
  return splice(bytes, walk.edits);
}

interface Leaf {
  readonly start: number;
  readonly end: number;
}

/** An object or array being walked, and what is known of the member whose value comes next. */
interface Frame {
  readonly isObject: boolean;
  readonly zone: Zone;
  /** Name of the credential that the container's strings (array) or `value` members (object) belong to. */
  readonly owner: string | undefined;
  /** An array that holds no arguments and no headers. */
  readonly isNames: boolean;
  /** Its arrays hold names of properties: `dependentRequired` in a JSON Schema. */
  readonly listsNames: boolean;
  /** An array in an array: perhaps a name and its value. */
  readonly mayPair: boolean;
  /** Commas so far. */
  index: number;
  awaitsKey: boolean;
  key: string | undefined;
  /** Name of the credential that the next value belongs to. */
  credential: string | undefined;
  /** Members `value`, put off until `name` and `key` are known, whatever the order. */
  readonly values: Leaf[];
  readonly pair: { name?: string | undefined; key?: string | undefined };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** In JSON Schema: lists of property names, under property names. */
const NAME_LISTS = new Set(["dependentRequired", "dependencies"]);
/** In JSON Schema: such a list itself, and one of values. */
const LISTS_OF_NAMES = new Set(["required", "enum"]);
/** Lengths of the keys that matter without being a credential's name or a protocol field. */
const KEY_LENGTHS = new Set(
  ["name", "key", "value", ...NAME_LISTS, ...LISTS_OF_NAMES].map((key) => key.length),
);

class Walk {
  readonly edits: Edit[] = [];
  readonly #bytes: Uint8Array;
  readonly #rules: WalkRules;
  readonly #root: "message" | "other";
  readonly #frames: Frame[] = [];

  constructor(bytes: Uint8Array, rules: WalkRules, root: "message" | "other") {
    this.#bytes = bytes;
    this.#rules = rules;
    this.#root = root;
  }

  run(): void {
    const bytes = this.#bytes;
    let at = 0;
    while (at < bytes.length) at = this.#step(bytes[at] as number, at);
  }

  #step(byte: number, at: number): number {
    switch (byte) {
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.#open(byte === OPEN_OBJECT);
        return at + 1;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        this.#close();
        return at + 1;
      case COMMA:
        this.#next();
        return at + 1;
      case QUOTE:
        return this.#string(at);
      default:
        return byte === MINUS || (byte >= ZERO && byte <= NINE) ? this.#number(at) : at + 1;
    }
  }

  #open(isObject: boolean): void {
    const parent = this.#frames.at(-1);
    if (parent && !parent.isObject) parent.credential = undefined;
    this.#frames.push({
      isObject,
      zone: parent ? zoneUnder(parent, isObject) : rootZone(this.#root, isObject),
      owner: parent && ownerUnder(parent, isObject),
      isNames: parent?.listsNames || (parent?.key !== undefined && LISTS_OF_NAMES.has(parent.key)),
      listsNames: parent?.key !== undefined && NAME_LISTS.has(parent.key),
      mayPair: !isObject && parent?.isObject === false,
      index: 0,
      awaitsKey: isObject,
      key: undefined,
      credential: undefined,
      values: [],
      pair: {},
    });
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (!frame || frame.values.length === 0) return;
    const names = [frame.pair.name, frame.pair.key];
    const named = names.find((name) => name !== undefined && this.#rules.ends(name));
    for (const leaf of frame.values)
      this.#leaf(leaf, named !== undefined && !this.#isProseAt(leaf) ? named : frame.owner);
  }

  #next(): void {
    const frame = this.#frames.at(-1);
    if (!frame) return;
    frame.awaitsKey = frame.isObject;
    frame.index += 1;
  }

  #string(start: number): number {
    const end = stringEnd(this.#bytes, start);
    const frame = this.#frames.at(-1);
    if (frame?.awaitsKey) this.#key(frame, start, end);
    else this.#value(frame, { start, end });
    return end;
  }

  #key(frame: Frame, start: number, end: number): void {
    const mayHoldShape = this.#rules.isSuspect(this.#bytes, start, end);
    const suspect = mayHoldShape && end - start <= LONGEST_KEY;
    if (mayHoldShape) this.#shape({ start, end });
    const matters = suspect || frame.zone !== "other" || KEY_LENGTHS.has(end - start - 2);
    frame.awaitsKey = false;
    frame.key = matters ? this.#textAt(start, end) : undefined;
    frame.credential =
      suspect && frame.key !== undefined && this.#rules.names(frame.key) ? frame.key : undefined;
  }

  #number(start: number): number {
    const bytes = this.#bytes;
    let end = start + 1;
    while (end < bytes.length && isNumberByte(bytes[end] as number)) end += 1;
    this.#value(this.#frames.at(-1), { start, end });
    return end;
  }

  #value(frame: Frame | undefined, leaf: Leaf): void {
    if (!frame) this.#leaf(leaf, undefined);
    else if (!frame.isObject) this.#item(frame, leaf);
    else if (frame.key === "value") frame.values.push(leaf);
    else if (!isProtocolField(frame.zone, frame.key)) {
      if (frame.key === "name" || frame.key === "key") frame.pair[frame.key] = this.#nameAt(leaf);
      this.#leaf(leaf, frame.credential);
    } else if (this.#bytes[leaf.start] === QUOTE) this.#protocolField(leaf, isLabel(frame.key));
  }

  /** Of an array: under a credential's key, an argument, a header's name or value, or any other. */
  #item(frame: Frame, leaf: Leaf): void {
    const { owner, credential } = frame;
    frame.credential = undefined;
    const first = this.#nameInPair(frame, leaf);
    if (owner === undefined && first !== undefined) return this.#leaf(leaf, first);
    if (owner !== undefined || frame.isNames || this.#bytes[leaf.start] !== QUOTE)
      return this.#leaf(leaf, owner);
    if (credential !== undefined && isValueOf(credential, this.#textAt(leaf.start, leaf.end)))
      return this.#leaf(leaf, credential);
    if (!this.#rules.isSuspect(this.#bytes, leaf.start, leaf.end)) return;
    const text = this.#textAt(leaf.start, leaf.end);
    frame.credential = nameOfNext(text);
    if (frame.mayPair && frame.index === 0 && this.#rules.ends(text)) frame.pair.name = text;
    const [name, value] = assignedFlag(text) ?? [];
    if (name === undefined || value === undefined) return this.#leaf(leaf, undefined);
    const clean = `${name}=${this.#rules.credential(name, value)}`;
    if (clean !== text) this.#replace(leaf.start, leaf.end, clean);
  }

  /** The credential's name that is the first of two items, where this is the second and its value. */
  #nameInPair({ index, pair }: Frame, { start, end }: Leaf): string | undefined {
    if (index !== 1 || pair.name === undefined || !/^\s*\]/.test(this.#slice(end, end + 64)))
      return undefined;
    if (this.#bytes[start] === QUOTE && !isValueInPair(this.#textAt(start, end))) return undefined;
    return pair.name;
  }

  /** Cursors and states often are such shapes. */
  #protocolField(leaf: Leaf, mayLoseShape: boolean): void {
    if (mayLoseShape) this.#shape(leaf);
    else if (this.#rules.own) this.#shape(leaf, this.#rules.own.text);
  }

  #shape({ start, end }: Leaf, redact = this.#rules.shape): void {
    if (!this.#mayStrike(start, end)) return;
    const text = this.#textAt(start, end);
    const clean = redact(text);
    if (clean !== text) this.#replace(start, end, clean);
  }

  #isProseAt({ start, end }: Leaf): boolean {
    return this.#bytes[start] === QUOTE && isProse(this.#textAt(start, end));
  }

  #nameAt({ start, end }: Leaf): string | undefined {
    return this.#bytes[start] === QUOTE && end - start <= LONGEST_KEY ? this.#textAt(start, end) : undefined;
  }

  #leaf({ start, end }: Leaf, credential: string | undefined): void {
    if (this.#bytes[start] !== QUOTE) {
      const secret =
        credential === undefined ? this.#ownToken(start, end) : numberSecret(this.#slice(start, end));
      if (secret !== undefined) this.#replace(start, end, this.#rules.seal(secret));
      return;
    }
    if (credential === undefined && !this.#mayStrike(start, end)) return;
    const text = this.#textAt(start, end);
    const clean =
      credential === undefined ? this.#rules.text(text) : this.#rules.credential(credential, text);
    if (clean !== text) this.#replace(start, end, clean);
  }

  #ownToken(start: number, end: number): string | undefined {
    const token = this.#rules.own && this.#slice(start, end);
    return token !== undefined && this.#rules.own?.isValue(token) ? token : undefined;
  }

  /** Asked again without what surrounds the string: a name at its very end names nothing. */
  #mayStrike(start: number, end: number): boolean {
    if (!this.#rules.isSuspect(this.#bytes, start, end)) return false;
    const inside = this.#bytes.subarray(start + 1, end - 1);
    return this.#rules.isSuspect(inside, 0, inside.length);
  }

  #replace(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text: JSON.stringify(text) });
  }

  #textAt(start: number, end: number): string {
    const bytes = this.#bytes.subarray(start + 1, end - 1);
    return bytes.includes(BACKSLASH)
      ? (JSON.parse(this.#slice(start, end)) as string)
      : decoder.decode(bytes);
  }

  #slice(start: number, end: number): string {
    return decoder.decode(this.#bytes.subarray(start, end));
  }
}

/** Bytes of JSON text, quotes included, that can spell a name of `LONGEST_NAME` characters. */
const LONGEST_KEY = 6 * LONGEST_NAME + 2;

function ownerUnder(parent: Frame, isObject: boolean): string | undefined {
  if (!parent.isObject) return parent.owner;
  return parent.listsNames && !isObject ? undefined : parent.credential;
}
