import { compiled } from "./case.ts";

/** How often what may repeat without end is repeated at most. */
const MOST = 12;

/**
 * Short texts that a regular expression finds itself in, as far as it is made of characters, classes, groups,
 * alternatives and repetitions; of anything else none. `times` asks for more repetitions than the fewest.
 */
export function sampleOfPattern(pattern: string): string[] {
  const texts = [0, 1, 2, 5, MOST].flatMap((times) => {
    try {
      return [new Sampler(pattern, times).read()];
    } catch {
      return [];
    }
  });
  const expression = compiled(pattern);
  return [...new Set(texts)].filter((text) => expression?.test(text));
}

const CLASSES: Readonly<Record<string, string>> = { d: "0", w: "a", s: " ", D: "a", W: "-", S: "a" };
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", f: "\f", v: "\v", "0": "\0" };
/** Tried in turn for a class that says what it is not. */
const OTHERS = "a0A-_. /@:é";

/** Reads an expression and writes the simplest text for it as it goes. */
class Sampler {
  readonly #text: string;
  readonly #times: number;
  #at = 0;

  constructor(text: string, times: number) {
    this.#text = text;
    this.#times = times;
  }

  read(): string {
    const sample = this.#alternatives();
    if (this.#at < this.#text.length) throw new SyntaxError("not all of the pattern is understood");
    return sample;
  }

  #alternatives(): string {
    let first: string | undefined;
    do {
      if (first !== undefined) this.#at++;
      const next = this.#sequence();
      first ??= next;
    } while (this.#text[this.#at] === "|");
    return first;
  }

  #sequence(): string {
    let sample = "";
    while (this.#at < this.#text.length && this.#text[this.#at] !== "|" && this.#text[this.#at] !== ")") {
      const start = this.#at;
      const atom = this.#atom();
      sample += this.#repeat(start, atom);
    }
    return sample;
  }

  #repeat(_start: number, atom: string): string {
    const rest = this.#text.slice(this.#at);
    const found = /^(?:([*+?])|\{(\d+)(,)?(\d*)\})\??/.exec(rest);
    if (!found) return atom;
    this.#at += found[0].length;
    const [, mark, least, comma, most] = found;
    const low = mark === "+" ? 1 : Number(least ?? 0);
    const high = mark === "?" ? 1 : mark || (comma && !most) ? MOST + low : Number(most || least);
    return atom.repeat(Math.min(low + this.#times, high, 4000));
  }

  #atom(): string {
    const c = this.#text[this.#at++] as string;
    if (c === "^" || c === "$") return "";
    if (c === ".") return "a";
    if (c === "[") return this.#class();
    if (c === "(") return this.#group();
    if (c === "\\") return this.#escape();
    const point = this.#text.codePointAt(this.#at - 1) as number;
    if (point > 0xffff) this.#at++;
    return String.fromCodePoint(point);
  }

  #group(): string {
    const opening = /^\?(?::|<[A-Za-z]\w*>)/.exec(this.#text.slice(this.#at));
    const look = /^\?<?[!=]/.exec(this.#text.slice(this.#at));
    if (look) this.#at += look[0].length;
    else if (opening) this.#at += opening[0].length;
    const inner = this.#alternatives();
    if (this.#text[this.#at++] !== ")") throw new SyntaxError("a group without its end");
    return look ? "" : inner;
  }

  #escape(): string {
    const c = this.#text[this.#at++] as string;
    if (c === "b" || c === "B") return "";
    if (c === "p" || c === "P") {
      const end = this.#text.indexOf("}", this.#at);
      const property = this.#text.slice(this.#at - 2, end + 1);
      this.#at = end + 1;
      return firstThat(new RegExp(property, "u"));
    }
    if (c === "u" || c === "x") {
      const [code, hex] =
        /^\{?([0-9a-fA-F]+)\}?/.exec(this.#text.slice(this.#at, this.#at + (c === "x" ? 2 : 8))) ?? [];
      if (code === undefined) throw new SyntaxError("an escape without its number");
      this.#at += code.startsWith("{") ? code.length : c === "x" ? 2 : 4;
      return String.fromCodePoint(
        Number.parseInt(code.startsWith("{") ? (hex as string) : (hex as string).slice(0, 4), 16),
      );
    }
    if (/[1-9k]/.test(c)) throw new SyntaxError("references are not followed");
    return CLASSES[c] ?? CONTROLS[c] ?? c;
  }

  #class(): string {
    const start = this.#at - 1;
    if (this.#text[this.#at] === "^") this.#at++;
    while (this.#text[this.#at] !== "]") {
      if (this.#at >= this.#text.length) throw new SyntaxError("a class without its end");
      this.#at += this.#text[this.#at] === "\\" ? 2 : 1;
    }
    this.#at++;
    return firstThat(new RegExp(`^${this.#text.slice(start, this.#at)}$`, "u"));
  }
}

function firstThat(expression: RegExp): string {
  for (const c of OTHERS) if (expression.test(c)) return c;
  for (let code = 0x20; code < 0x3000; code++) {
    const c = String.fromCharCode(code);
    if (expression.test(c)) return c;
  }
  throw new SyntaxError("no character fits");
}
