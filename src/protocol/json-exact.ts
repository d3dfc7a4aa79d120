import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  heedlessNotes,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  scalarEnd,
  spaceEnd,
  stringEnd,
  stringValue,
  tokenText,
} from "./json-tokens.ts";

/** A number by its value, which JavaScript may not be able to hold. */
export class ExactNumber {
  /** Equal for equal values: see `canonicalNumber`. */
  readonly text: string;
  /** As it is spelt. */
  readonly token: string;
  constructor(token: string) {
    this.token = token;
    this.text = canonicalNumber(token);
  }
}

/** What JSON text denotes, every number exact. */
export type ExactJson = null | boolean | string | ExactNumber | ExactJson[] | Map<string, ExactJson>;

interface Open {
  readonly value: ExactJson[] | Map<string, ExactJson>;
  key: string | undefined;
}

/** Reads valid JSON text (see `scanJson`) without losing digits. Of duplicate keys the last counts. */
export function readExact(bytes: Uint8Array): ExactJson {
  const notes = heedlessNotes();
  const open: Open[] = [];
  let root: ExactJson = null;
  const put = (value: ExactJson): void => {
    const parent = open.at(-1);
    if (parent === undefined) root = value;
    else if (Array.isArray(parent.value)) parent.value.push(value);
    else {
      parent.value.set(parent.key ?? "", value);
      parent.key = undefined;
    }
  };
  let pos = spaceEnd(bytes, 0);
  while (pos < bytes.length) {
    const c = bytes[pos] as number;
    let end = pos + 1;
    if (c === QUOTE) {
      end = stringEnd(bytes, pos, notes);
      const text = stringValue(bytes, pos, end);
      const parent = open.at(-1);
      if (parent?.value instanceof Map && parent.key === undefined) parent.key = text;
      else put(text);
    } else if (c === OPEN_OBJECT) open.push({ value: new Map(), key: undefined });
    else if (c === OPEN_ARRAY) open.push({ value: [], key: undefined });
    else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) put((open.pop() as Open).value);
    else if (c !== COMMA && c !== COLON) {
      end = scalarEnd(bytes, pos, notes);
      put(scalar(tokenText(bytes, pos, end)));
    }
    pos = spaceEnd(bytes, end);
  }
  return root;
}

const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["null", null],
  ["true", true],
  ["false", false],
]);

function scalar(token: string): ExactJson {
  const literal = LITERALS.get(token);
  return literal === undefined ? new ExactNumber(token) : literal;
}

/**
 * One spelling for each value a JSON number token can have: `1`, `1.0` and `10e-1` give `1`, `-0` gives `0`. It is
 * JavaScript's own spelling (https://tc39.es/ecma262/#sec-numeric-types-number-tostring) with as many digits as it
 * takes, so for what JavaScript holds unharmed it is `String(number)`. Never longer than the token by more than 25.
 */
export function canonicalNumber(token: string): string {
  const negative = token.startsWith("-");
  const [mantissa = "", exponent = "0"] = (negative ? token.slice(1) : token).split(/[eE]/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = whole + fraction;
  let from = 0;
  while (all[from] === "0") from++;
  if (from === all.length) return "0";
  let to = all.length;
  while (all[to - 1] === "0") to--;
  const point = sum(exponent, whole.length - from);
  return (negative ? "-" : "") + spelt(all.slice(from, to), point);
}

/** Exponents have no limit in JSON, so beyond what a double holds they are added as big integers. */
function sum(exponent: string, shift: number): number | bigint {
  const value = Number(exponent);
  if (Number.isSafeInteger(value) && Number.isSafeInteger(value + shift)) return value + shift;
  return BigInt(exponent.replace("+", "")) + BigInt(shift);
}

/** The number 0.DIGITS times ten to the power of point. */
function spelt(digits: string, point: number | bigint): string {
  if (typeof point === "number") {
    if (digits.length <= point && point <= 21) return digits + "0".repeat(point - digits.length);
    if (0 < point && point <= 21) return `${digits.slice(0, point)}.${digits.slice(point)}`;
    if (-6 < point && point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  }
  const exponent = typeof point === "number" ? point - 1 : point - 1n;
  const rest = digits.length > 1 ? `.${digits.slice(1)}` : "";
  return `${digits[0]}${rest}e${exponent < 0 ? "" : "+"}${exponent}`;
}
