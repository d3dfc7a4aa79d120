import { rowOf } from "../../protocol/member.ts";
import { type Characters, charactersOf, otherCharacters, runsOf } from "./characters.ts";

type Run = readonly [first: number, last: number];

const DIGITS: readonly Run[] = [[0x30, 0x39]];
const WORDS: readonly Run[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
/** ECMA-262, WhiteSpace and LineTerminator. */
const SPACES: readonly Run[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LINE_ENDS: readonly Run[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

const SETS: Readonly<Record<string, Characters>> = {
  ".": otherCharacters(charactersOf(LINE_ENDS)),
  "\\d": charactersOf(DIGITS),
  "\\D": otherCharacters(charactersOf(DIGITS)),
  "\\w": charactersOf(WORDS),
  "\\W": otherCharacters(charactersOf(WORDS)),
  "\\s": charactersOf(SPACES),
  "\\S": otherCharacters(charactersOf(SPACES)),
};

const CONTROLS: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, f: 12, v: 11, b: 8, "0": 0 };

/** One member of a class between brackets; a property of Unicode is for the engine to look up. */
const MEMBER =
  /\\x([\da-fA-F]{2})|\\u\{([\da-fA-F]+)\}|\\u([\da-fA-F]{4})|(\\[dDwWsS])|\\c([A-Za-z])|\\([^pPuxcdDwWsSk1-9])|([^\\])/uy;

/** Surrogate pairs spelled as two escapes are one character with the flag `u`. */
const PAIR = /\\u[dD][89abAB]/;

/** The characters of a set as an expression has it: `.`, `\d`, `[a-z_]`. */
export function readSet(source: string): Characters {
  return rowOf(SETS, source) ?? readClass(source) ?? lookedUp(source);
}

function readClass(source: string): Characters | undefined {
  if (!source.startsWith("[") || PAIR.test(source)) return undefined;
  const negated = source.startsWith("[^");
  const text = source.slice(negated ? 2 : 1, -1);
  const runs: Run[] = [];
  let [at, from] = [0, undefined as number | undefined];
  let ranging = false;
  while (at < text.length) {
    MEMBER.lastIndex = at;
    const found = MEMBER.exec(text);
    if (!found) return undefined;
    at += found[0].length;
    const set = found[4] === undefined ? undefined : rowOf(SETS, found[4]);
    if (set) {
      if (ranging) return undefined;
      runs.push(...runsOf(set));
      from = undefined;
    } else if (found[7] === "-" && from !== undefined && !ranging && at < text.length) {
      ranging = true;
    } else {
      const code = codeOf(found);
      if (code === undefined) return undefined;
      runs.push([ranging ? (from as number) : code, code]);
      from = ranging ? undefined : code;
      ranging = false;
    }
  }
  const set = charactersOf(runs);
  return negated ? otherCharacters(set) : set;
}

function codeOf([, x, braced, u, , control, escaped, plain]: RegExpExecArray): number | undefined {
  const hex = x ?? braced ?? u;
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (control !== undefined) return control.charCodeAt(0) % 32;
  if (escaped !== undefined) return rowOf(CONTROLS, escaped) ?? escaped.codePointAt(0);
  return plain?.codePointAt(0);
}

const MOST_KNOWN = 100;
const known = new Map<string, Characters>();

/** By trying every character there is, once. */
function lookedUp(source: string): Characters {
  const before = known.get(source);
  if (before) return before;
  const expression = new RegExp(`^${source}$`, "u");
  const runs: Run[] = [];
  let first: number | undefined;
  for (let code = 0; code <= 0x110000; code++) {
    const isIn = code < 0x110000 && expression.test(String.fromCodePoint(code));
    if (isIn && first === undefined) first = code;
    if (isIn || first === undefined) continue;
    runs.push([first, code - 1]);
    first = undefined;
  }
  const set = charactersOf(runs);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(source, set);
  return set;
}
