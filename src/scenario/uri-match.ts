import type { JsonObject } from "../protocol/message.ts";

/** How an expression of a URI template begins, goes on and ends, by its operator (RFC 6570 section 3.2, levels 1 to 3). */
interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Variables are written `name=value`; this is what stands after the name of an empty one. */
  readonly named?: { readonly ifEmpty: string };
  /** Characters of a value besides the unreserved ones. */
  readonly reserved?: true;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  "": { first: "", separator: "," },
  "+": { first: "", separator: ",", reserved: true },
  "#": { first: "#", separator: ",", reserved: true },
  ".": { first: ".", separator: "." },
  "/": { first: "/", separator: "/" },
  ";": { first: ";", separator: ";", named: { ifEmpty: "" } },
  "?": { first: "?", separator: "&", named: { ifEmpty: "=" } },
  "&": { first: "&", separator: "&", named: { ifEmpty: "=" } },
};

export type Part =
  | { readonly literal: string }
  | { readonly operator: string; readonly names: readonly string[] };

/** One character of a value as a URI has it: percent-encoded, or itself. */
interface Character {
  readonly end: number;
  readonly decoded: string;
  /** As RFC 6570 writes it, and no other way. */
  readonly exact: boolean;
}

/** How URIs spell what variables hold. */
interface Spelling {
  /** Only what RFC 6570 would write. */
  readonly strict: boolean;
  /** The character at a place of a URI; undefined where no value goes on there. */
  read(uri: string, at: number, reserved: boolean): Character | undefined;
  literals(literal: string): readonly string[];
}

const UNRESERVED = /^[\w.~-]$/;
const RESERVED = /^[:/?#[\]@!$&'()*+,;=]$/;
const TRIPLET = /^%[\dA-Fa-f]{2}$/;
/** Bytes of a character in UTF-8, by its first one's upper half. */
const LENGTHS: Readonly<Record<string, number>> = { C: 2, D: 2, E: 3, F: 4 };

/** As RFC 6570 writes them: everything is percent-encoded that is neither unreserved nor, for `+` and `#`, reserved. */
export const CODED: Spelling = {
  strict: true,
  read: (uri, at, reserved) => {
    const one = uri.charAt(at);
    if (isKept(one, reserved)) return { end: at + 1, decoded: one, exact: true };
    if (one !== "%") return undefined;
    const end = at + 3 * (LENGTHS[uri.charAt(at + 1).toUpperCase()] ?? 1);
    const written = uri.slice(at, end);
    const decoded = written.length === end - at ? decodedOf(written) : undefined;
    if (decoded !== undefined) return { end, decoded, exact: encoded(decoded, reserved) === written };
    // Reserved expansion keeps triplets whatever bytes they are.
    const triplet = uri.slice(at, at + 3);
    return reserved && TRIPLET.test(triplet) ? { end: at + 3, decoded: triplet, exact: false } : undefined;
  },
  literals: (literal) => [encoded(literal, true)],
};

/** As many a client writes them: only what would end a value is percent-encoded. */
export const PLAIN: Spelling = {
  strict: false,
  read: (uri, at, reserved) => {
    const coded = CODED.read(uri, at, reserved);
    if (coded) return coded;
    const one = String.fromCodePoint(uri.codePointAt(at) ?? 0x20);
    if (/\s/.test(one) || (!reserved && "/?#&;,".includes(one))) return undefined;
    return { end: at + one.length, decoded: one, exact: false };
  },
  literals: (literal) => [...new Set([literal, encoded(literal, true)])],
};

function isKept(one: string, reserved: boolean): boolean {
  return UNRESERVED.test(one) || (reserved && RESERVED.test(one));
}

function decodedOf(triplets: string): string | undefined {
  try {
    return decodeURIComponent(triplets);
  } catch {
    return undefined;
  }
}

/** A value, or literal, as RFC 6570 section 3.2.1 writes it. */
function encoded(value: string, reserved: boolean): string {
  return value.replaceAll(reserved ? /%[\dA-Fa-f]{2}|./gsu : /./gsu, (one) => {
    if (TRIPLET.test(one) || isKept(one, reserved)) return one;
    return [...new TextEncoder().encode(one)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
      .join("");
  });
}

/** What a variable is known to be: its value, or how reserved expansion writes it, which several values may share. */
interface Known {
  readonly value?: string;
  readonly written?: string;
}

/** A variable that is not there. */
const ABSENT: Known = {};
const EMPTY: Known = { value: "", written: "" };

function isAbsent({ value, written }: Known): boolean {
  return value === undefined && written === undefined;
}

/** What both say of one variable; undefined where that cannot be. */
function united(a: Known, b: Known): Known | undefined {
  if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b) ? ABSENT : undefined;
  const both = { ...a, ...b };
  if (a.value !== undefined && a.value !== both.value) return undefined;
  if (a.written !== undefined && a.written !== both.written) return undefined;
  const { value, written } = both;
  return value === undefined || written === undefined || encoded(value, true) === written ? both : undefined;
}

function textOfKnown({ value, written }: Known): string | undefined {
  if (value !== undefined || written === undefined) return value;
  const decoded = decodedOf(written);
  // Percent-encoded text that reserved expansion would not have made was there before.
  return decoded !== undefined && encoded(decoded, true) === written ? decoded : written;
}

/** Where one looks: a part, of an expression a variable, and the place in the URI. */
interface At {
  readonly part: number;
  /** Of an expression. */
  readonly variable: number;
  /** One of its variables is there. */
  readonly begun: boolean;
  readonly pos: number;
}

/**
 * One URI held against the parts of a template. Values are as short as the rest allows, and a variable that is not
 * there is undefined rather than empty, where nothing tells.
 */
export class UriMatch {
  readonly #parts: readonly Part[];
  readonly #uri: string;
  readonly #spelling: Spelling;
  readonly #literals: readonly (readonly string[])[];
  readonly #known = new Map<string, Known>();
  /** Names that stand in the template more than once, and are the same everywhere. */
  readonly #repeated: readonly string[];
  /** From where nothing can come any more. */
  readonly #dead = new Set<string>();

  constructor(parts: readonly Part[], uri: string, spelling: Spelling) {
    this.#parts = parts;
    this.#uri = uri;
    this.#spelling = spelling;
    this.#literals = parts.map((part) => ("literal" in part ? spelling.literals(part.literal) : []));
    const names = parts.flatMap((part) => ("names" in part ? part.names : []));
    this.#repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  }

  found(): JsonObject | undefined {
    if (!this.#goesOn({ part: 0, variable: 0, begun: false, pos: 0 })) return undefined;
    const values = [...this.#known].map(([name, known]) => [name, textOfKnown(known)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as JsonObject;
  }

  /** Whether the rest of the template is the rest of the URI. */
  #goesOn(at: At): boolean {
    const part = this.#parts[at.part];
    if (!part) return at.pos === this.#uri.length;
    const next = { part: at.part + 1, variable: 0, begun: false };
    if ("literal" in part) {
      const starts = this.#literals[at.part]?.filter((each) => this.#uri.startsWith(each, at.pos)) ?? [];
      return starts.some((each) => this.#goesOn({ ...next, pos: at.pos + each.length }));
    }
    const name = part.names[at.variable];
    if (name === undefined) return this.#goesOn({ ...next, pos: at.pos });
    const key = this.#keyOf(at);
    if (this.#dead.has(key)) return false;
    if (this.#isVariable(name, OPERATORS[part.operator] as Operator, at)) return true;
    this.#dead.add(key);
    return false;
  }

  #keyOf({ part, variable, begun, pos }: At): string {
    const known = this.#repeated.map((name) => this.#known.get(name) ?? null);
    return `${part} ${variable} ${begun} ${pos} ${known.length === 0 ? "" : JSON.stringify(known)}`;
  }

  #isVariable(name: string, operator: Operator, at: At): boolean {
    const { first, separator, named } = operator;
    const next = { ...at, variable: at.variable + 1 };
    const head = `${at.begun ? separator : first}${named ? name : ""}`;
    const there = { ...next, begun: true };
    const isThere = this.#uri.startsWith(head, at.pos);
    const from = at.pos + head.length;
    const equals = named ? "=" : "";
    if (isThere && this.#uri.startsWith(equals, from)) {
      if (this.#isValue(name, { ...there, pos: from + equals.length }, operator.reserved === true))
        return true;
    }
    const isEmpty = () => {
      const ifEmpty = named?.ifEmpty ?? "";
      if (!isThere || !this.#uri.startsWith(ifEmpty, from)) return false;
      return this.#holds(name, EMPTY, { ...there, pos: from + ifEmpty.length });
    };
    const isLeftOut = () => this.#holds(name, ABSENT, next);
    return head === "" ? isLeftOut() || isEmpty() : isEmpty() || isLeftOut();
  }

  /** A value of one character or more begins here. */
  #isValue(name: string, at: At, reserved: boolean): boolean {
    const { read, strict } = this.#spelling;
    let decoded = "";
    let pos = at.pos;
    for (let one = read(this.#uri, pos, reserved); one; one = read(this.#uri, pos, reserved)) {
      if (strict && !one.exact && !reserved) return false;
      decoded += one.decoded;
      pos = one.end;
      const known = strict && reserved ? { written: this.#uri.slice(at.pos, pos) } : { value: decoded };
      if (this.#holds(name, known, { ...at, pos })) return true;
    }
    return false;
  }

  /** The template goes on from there, with this value. */
  #holds(name: string, met: Known, at: At): boolean {
    const before = this.#known.get(name);
    const known = before ? united(before, met) : met;
    if (!known) return false;
    this.#known.set(name, known);
    if (this.#goesOn(at)) return true;
    if (before) this.#known.set(name, before);
    else this.#known.delete(name);
    return false;
  }
}
