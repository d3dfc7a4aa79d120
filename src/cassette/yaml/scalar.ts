/** A string on one line, with quotes only where a YAML 1.2 or 1.1 reader would take it for something else. */
export function plainOrQuoted(value: string): string {
  if (WORD.test(value) && !isReserved(value)) return value;
  if (UNPRINTABLE.test(value)) return doubleQuoted(value);
  if (value !== "" && !NOT_PLAIN.test(value) && !LIKE_NUMBER.test(value) && !isReserved(value)) return value;
  // JSON inside text is the usual reason for quotes, and reads best without backslashes.
  return /["\\]/.test(value) && !value.includes("'") ? `'${value}'` : doubleQuoted(value);
}

/** As `plainOrQuoted`, for use between `{}` or `[]`, where commas and brackets end a plain scalar. */
export function inFlow(value: string): string {
  const text = plainOrQuoted(value);
  if (text !== value || !/[,[\]{}]/.test(value)) return text;
  return value.includes('"') && !value.includes("'") ? `'${value}'` : doubleQuoted(value);
}

const WORD = /^[A-Za-z_/$][\w./$@-]*$/;

/** What a raw YAML stream cannot hold, what some reader takes for a line break, and line breaks. */
const UNPRINTABLE =
  /[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Indicators, and what ends or changes a plain scalar. */
const NOT_PLAIN = /^[^A-Za-z0-9_/$(<=;^~\\\u00a1-\uffff]|: | #|[: ]$/;

/** Numbers, dates and times of YAML 1.2 and 1.1, and anything that could be taken for one. */
const LIKE_NUMBER = /^\d[\d_a-fA-FxXoO:.,+\-eETtZz ]*$/;

const RESERVED: ReadonlySet<string> = new Set([
  "null",
  "true",
  "false",
  "yes",
  "no",
  "on",
  "off",
  "y",
  "n",
  "~",
  "=",
  "<<",
]);

function isReserved(value: string): boolean {
  return value.length <= 5 && RESERVED.has(value.toLowerCase());
}

/** JSON's escapes are YAML's; what YAML wants besides is escaped as well. */
function doubleQuoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What no literal block scalar can carry, tabs and line feeds allowed. */
const NO_BLOCK =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[ \t]$|^\n* +\n|^\n*$/;

/**
 * A literal block scalar (https://yaml.org/spec/1.2.2/#812-literal-style) from its `|` to its last line break, its
 * lines behind `indent`; undefined when the string has a single line or a block would not carry it exactly.
 */
export function blockScalar(value: string, indent: string): string | undefined {
  if (!value.includes("\n") || NO_BLOCK.test(value)) return undefined;
  // The indentation is guessed from the first line, unless that line begins with white space of its own.
  const header = /^\n*[ \t]/.test(value) ? "|2" : "|";
  const lead = value.startsWith("\n") ? "" : indent;
  const body = lead + value.replace(/\n(?!\n|$)/g, `\n${indent}`);
  if (!value.endsWith("\n")) return `${header}-\n${body}\n`;
  return `${header}${value.endsWith("\n\n") ? "+" : ""}\n${body}`;
}

/** Keys come again and again; so many are remembered. */
const MOST_KEYS = 4096;
const keyTexts = new Map<string, string>();

/** A key with its colon, for block style at `indent`. */
export function blockKey(key: string, indent: string): string {
  const text = keyText(key);
  // An implicit key has at most 1024 characters: https://yaml.org/spec/1.2.2/#rule-ns-s-implicit-yaml-key
  return text.length <= 1024 ? `${text}:` : `? ${text}\n${indent}:`;
}

export function keyText(key: string): string {
  let text = keyTexts.get(key);
  if (text === undefined) {
    text = WORD.test(key) && !isReserved(key) ? key : doubleQuoted(key);
    if (keyTexts.size < MOST_KEYS && key.length < 100) keyTexts.set(key, text);
  }
  return text;
}
