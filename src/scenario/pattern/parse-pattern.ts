/** A regular expression as far as texts can be made for it. */
export type PatternNode =
  | { readonly kind: "text"; readonly text: string }
  /** One character of a set, as an expression has it. */
  | { readonly kind: "set"; readonly source: string }
  | { readonly kind: "all"; readonly of: readonly PatternNode[] }
  | { readonly kind: "one"; readonly of: readonly PatternNode[] }
  | { readonly kind: "repeat"; readonly node: PatternNode; readonly least: number; readonly most: number }
  | { readonly kind: "group"; readonly node: PatternNode; readonly names: readonly string[] }
  /** What a group was. */
  | { readonly kind: "again"; readonly name: string }
  /** A condition on where it stands, which takes up no text: `^`, `$`, `\b`, `\B`. */
  | { readonly kind: "edge"; readonly what: "start" | "end" | "word" | "inside" }
  /** A condition on the text before or after it. */
  | { readonly kind: "look"; readonly behind: boolean; readonly not: boolean; readonly node: PatternNode };

/** A part of an expression that no text is made for. */
export class PatternFault extends Error {}

const CONTROLS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", "0": "\0" };

/**
 * Reads an expression of JavaScript with the flag `u`.
 * @throws PatternFault
 */
export function parsePattern(pattern: string): PatternNode {
  return new Parser(pattern).whole();
}

class Parser {
  readonly #text: string;
  #at = 0;
  #groups = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): PatternNode {
    const node = this.#alternatives();
    if (this.#at < this.#text.length) throw new PatternFault(`it has a ${this.#text[this.#at]} too many`);
    return node;
  }

  #alternatives(): PatternNode {
    const all = [this.#sequence()];
    while (this.#take("|")) all.push(this.#sequence());
    return all.length === 1 ? (all[0] as PatternNode) : { kind: "one", of: all };
  }

  #sequence(): PatternNode {
    const all: PatternNode[] = [];
    while (this.#at < this.#text.length && !"|)".includes(this.#text[this.#at] as string)) {
      all.push(this.#repeated(this.#atom()));
    }
    return { kind: "all", of: all };
  }

  #repeated(node: PatternNode): PatternNode {
    const found = this.#match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y);
    if (!found) return node;
    const [, mark, least, comma, most] = found;
    if (mark === "?") return { kind: "repeat", node, least: 0, most: 1 };
    const low = mark === "+" ? 1 : Number(least ?? 0);
    const isOpen = mark !== undefined || (comma !== undefined && most === "");
    return {
      kind: "repeat",
      node,
      least: low,
      most: isOpen ? Number.POSITIVE_INFINITY : Number(most || low),
    };
  }

  #atom(): PatternNode {
    const point = String.fromCodePoint(this.#text.codePointAt(this.#at) as number);
    this.#at += point.length;
    switch (point) {
      case "^":
        return { kind: "edge", what: "start" };
      case "$":
        return { kind: "edge", what: "end" };
      case ".":
        return { kind: "set", source: "." };
      case "[":
        return this.#class();
      case "(":
        return this.#group();
      case "\\":
        return this.#escape();
      default:
        return { kind: "text", text: point };
    }
  }

  #group(): PatternNode {
    const look = this.#match(/\?(<?)([!=])/y);
    const name = look ? undefined : this.#match(/\?<([^>]+)>/y)?.[1];
    const isKept = !look && (name !== undefined || !this.#match(/\?:/y));
    if (isKept && this.#text[this.#at] === "?") throw new PatternFault("it has flags of its own");
    const index = isKept ? ++this.#groups : undefined;
    const node = this.#alternatives();
    if (!this.#take(")")) throw new PatternFault("a group has no end");
    if (look) return { kind: "look", behind: look[1] === "<", not: look[2] === "!", node };
    if (index === undefined) return node;
    return { kind: "group", node, names: name === undefined ? [`${index}`] : [`${index}`, name] };
  }

  #escape(): PatternNode {
    const start = this.#at - 1;
    const again = this.#match(/([1-9]\d*)|k<([^>]+)>/y);
    if (again) return { kind: "again", name: (again[1] ?? again[2]) as string };
    const edge = this.#match(/[bB]/y)?.[0];
    if (edge) return { kind: "edge", what: edge === "b" ? "word" : "inside" };
    if (this.#match(/[dDwWsS]|[pP]\{[^}]*\}/y)) {
      return { kind: "set", source: this.#text.slice(start, this.#at) };
    }
    const hex = this.#match(/x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\}/y);
    if (hex) {
      const code = Number.parseInt((hex[1] ?? hex[2] ?? hex[3]) as string, 16);
      return { kind: "text", text: String.fromCodePoint(code) };
    }
    const control = this.#match(/c([A-Za-z])/y)?.[1];
    if (control !== undefined) return { kind: "text", text: String.fromCharCode(control.charCodeAt(0) % 32) };
    const point = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0x5c);
    this.#at += point.length;
    return { kind: "text", text: CONTROLS[point] ?? point };
  }

  #class(): PatternNode {
    const start = this.#at - 1;
    if (!this.#match(/(?:\\[\s\S]|[^\]\\])*\]/y)) throw new PatternFault("a class has no end");
    return { kind: "set", source: this.#text.slice(start, this.#at) };
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** @param expression with the flag `y` */
  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#text);
    if (found) this.#at += found[0].length;
    return found ?? undefined;
  }
}
