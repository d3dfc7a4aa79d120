import { endsAsCredential } from "./credential-name.ts";
import { cookieStrikes, withoutScheme } from "./credential-value.ts";
import type { Strike } from "./placeholder.ts";
import { isCode, isProse, looksSecret, maySecret, saysElse } from "./plausible.ts";

/** `name: value`, `name=value`, `"name": "value"`, `**name**: value`, `name => value`. */
const ASSIGNMENT =
  /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{2,64}|[A-Za-z]{2,20} (?:keys?|string))(\\*["']|[*`)\]]{1,3})?[ \t]*(?:=>|:=|[:=])(?:\*{2})?([ \t]*)/gi;

/** `--name value`. */
const FLAG = /(?<![\w-])--?([A-Za-z][\w-]{1,63})[ \t]+(?!-)([^\s"'`<>]+)/dg;

/** `"name": "API_KEY", "value":` in a piece of JSON. */
const PAIR = /(?<!\\)(\\*")(?:name|key)\1\s*:\s*\1([\w .-]{2,64})\1\s*,\s*\1value\1\s*:\s*/g;

interface Assignment {
  readonly text: string;
  readonly name: string;
  /** Where the name begins, and the value. */
  readonly start: number;
  readonly at: number;
  /** `"name":` as in JSON. */
  readonly quotedName: boolean;
  /** `NAME=value` without white space. */
  readonly tight: boolean;
}

/** What is assigned to credential-like names in a text, where it looks like a credential. */
export function findAssignments(text: string): Strike[] {
  const strikes: Strike[] = [];
  for (const match of text.matchAll(ASSIGNMENT)) {
    const [whole, name = "", quote = "", space = ""] = match;
    const start = nameStart(text, match.index);
    const own = name.slice(start - match.index);
    if (!endsAsCredential(own)) continue;
    const tight = space === "" && whole.endsWith("=") && quote === "";
    const at = match.index + whole.length;
    strikes.push(...strikesOf({ text, name: own, start, at, quotedName: /["']/.test(quote), tight }));
  }
  for (const match of text.matchAll(PAIR)) {
    const [whole, , name = ""] = match;
    const at = match.index + whole.length;
    if (endsAsCredential(name))
      strikes.push(
        ...strikesOf({ text, name, start: at, at, quotedName: true, tight: false }).filter(
          ({ start, end }) => !isProse(text.slice(start, end)),
        ),
      );
  }
  for (const match of text.matchAll(FLAG)) {
    const [, name = "", value = ""] = match;
    const range = match.indices?.[2];
    if (range && endsAsCredential(name) && looksSecret(value))
      strikes.push({ start: range[0], end: range[1] });
  }
  return strikes;
}

/** Past the letter of an escape that was not resolved: `\ntoken`. */
function nameStart(text: string, start: number): number {
  return text[start - 1] === "\\" && /[bfnrt]/.test(text[start] ?? "") ? start + 1 : start;
}

function strikesOf(assignment: Assignment): Strike[] {
  const { text, name, at } = assignment;
  const quoted = quotedFrom(text, at);
  if (/cookies?$/i.test(name)) {
    const { start, text: cookies } = quoted ?? headerFrom(assignment);
    if (/^[^\s=;"']+=/.test(cookies)) return cookieStrikes(cookies, name, start);
  }
  const value = quoted ?? bareFrom(text, at);
  const bare = withoutScheme(value.text);
  const start = value.start + value.text.length - bare.length;
  if (!isPlausible(assignment, { text: bare, quoted: quoted !== undefined, scheme: start > value.start }))
    return [];
  return bare === "" ? [] : [{ start, end: start + bare.length }];
}

interface Value {
  readonly text: string;
  readonly quoted: boolean;
  readonly scheme: boolean;
}

function isPlausible({ name, start, text, quotedName, tight }: Assignment, value: Value): boolean {
  if (!maySecret(value.text) || value.text.toLowerCase() === name.toLowerCase()) return false;
  if (saysElse(name, value.text)) return false;
  if ((value.scheme && /authorization$/i.test(name)) || (quotedName && value.quoted)) return true;
  const shouted = /^[A-Z][A-Z0-9_]+$/.test(name);
  if (value.quoted) return !/\s|^\$\{/.test(value.text) || (tight && shouted);
  if (looksSecret(value.text) || (quotedName && /^\d{4,}$/.test(value.text))) return true;
  const inQuery = start > 0 && /[?&#;]/.test(text[start - 1] ?? "");
  return tight && (shouted || inQuery || name.startsWith("--")) && !isCode(value.text);
}

/** The rest of the line, or of the quotes the whole header stands in: `-H 'Cookie: a=b'`. */
function headerFrom({ text, start, at }: Assignment): Found {
  const line = lineFrom(text, at);
  const quote = /["'`]/.exec(text[start - 1] ?? "")?.[0];
  return { start: at, text: quote ? (line.split(quote, 1)[0] ?? "") : line };
}

interface Found {
  readonly text: string;
  readonly start: number;
}

/** Between quotes, which themselves may be escaped; to the end of the line where the closing quote is missing. */
function quotedFrom(text: string, at: number): Found | undefined {
  const open = /\\*["'`]/y;
  open.lastIndex = at;
  const quote = open.exec(text)?.[0];
  if (quote === undefined) return undefined;
  const start = at + quote.length;
  const line = lineFrom(text, start);
  let end = line.indexOf(quote);
  while (end > 0 && line[end - 1] === "\\") end = line.indexOf(quote, end + quote.length);
  return { start, text: end < 0 ? line : line.slice(0, end) };
}

/** To the next white space or quote, or to the next assignment on the same line; sentence marks do not belong to it. */
function bareFrom(text: string, at: number): Found {
  const pattern =
    /(?:(?:Bearer|Basic|Digest|Token|ApiKey)[ \t]+)?(?:(?![,;&|#][\w. -]{1,40}[=:])[^\s"'`<>])*/iy;
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0] ?? "";
  return { start: at, text: found.replace(/(?:\\[nrt].*|[\\,;:.)\]}]+)$/, "") };
}

function lineFrom(text: string, start: number): string {
  const rest = text.slice(start, start + 65_536);
  return rest.slice(0, rest.search(/[\r\n]|$/));
}
