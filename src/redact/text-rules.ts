import { findAssignments } from "./assignments.ts";
import { findCommonShapes, type ShapeFinder } from "./common-shapes.ts";
import { endsAsCredential } from "./credential-name.ts";
import { type OnStrike, replaceStrikes, type Seal, type Strike } from "./placeholder.ts";
import { isProse, maySecret, saysElse } from "./plausible.ts";
import { triggers } from "./triggers.ts";
import { findUrlCredentials } from "./url-credentials.ts";

/** Credentials in running text: log lines, documents, headers, bodies of forms. */
export function redactText(text: string, seal: Seal, shapes: ShapeFinder, onStrike?: OnStrike): string {
  return replaceStrikes(
    text,
    [
      ...by("pairs", findAssignments(text)),
      ...by("text", findSchemes(text)),
      ...by("urls", findUrlCredentials(text)),
      ...by("text", findElements(text)),
      ...by("text", findUsers(text)),
      ...by("shapes", findShapes(text, shapes)),
    ],
    seal,
    onStrike,
  );
}

function by(rule: string, strikes: readonly Strike[]): readonly Strike[] {
  return strikes.length === 0 ? strikes : strikes.map((strike) => ({ ...strike, rule }));
}

/** Known token shapes alone, where names and forms say nothing: in keys, and in what tells messages apart. */
export function redactShapes(text: string, seal: Seal, shapes: ShapeFinder, onStrike?: OnStrike): string {
  return replaceStrikes(text, by("shapes", findShapes(text, shapes)), seal, onStrike);
}

function findShapes(text: string, shapes: ShapeFinder): readonly Strike[] {
  shapeStart ??= makeShapeStart();
  return shapeStart.test(text) ? [...findCommonShapes(text), ...shapes(text)] : [];
}

/** One pass that spares some twenty: no shape begins otherwise. */
let shapeStart: RegExp | undefined;

function makeShapeStart(): RegExp {
  const starts = triggers().filter(({ kind }) => kind === "shape");
  return new RegExp(starts.map(({ word }) => word.replaceAll(".", "\\.")).join("|"), "i");
}

/** `<password>x</password>`, with a prefix and attributes too. */
const ELEMENT =
  /<([A-Za-z][\w.:-]{0,63})(?:\s[^<>]{0,300})?>\s*([^<>\s](?:[^<>]{0,4096}[^<>\s])?)\s*<\/\1>/dg;

function findElements(text: string): Strike[] {
  return [...text.matchAll(ELEMENT)].flatMap((match) => {
    const [, name = "", value = ""] = match;
    const range = match.indices?.[2];
    if (!range || !endsAsCredential(name)) return [];
    if (!maySecret(value) || isProse(value) || saysElse(name, value)) return [];
    return [{ start: range[0], end: range[1] }];
  });
}

/** https://curl.se/docs/manpage.html#-u */
const USER =
  /(?<![\w-])curl[ \t\r\n](?:[\s\S]{0,200}?\s)??(?:-u[ \t]*|--user[ \t=]+)["']?[^\s"'`:]{1,128}:([^\s"'`<>]+)/dg;

function findUsers(text: string): Strike[] {
  return [...text.matchAll(USER)].flatMap((match) => {
    const range = match.indices?.[1];
    return range && maySecret(match[1] ?? "") ? [{ start: range[0], end: range[1] }] : [];
  });
}

const BEARER = /(?<![A-Za-z0-9])Bearer[ \t]+([A-Za-z0-9._~+/-]{16,}=*)(?![=\w])/gi;
const BASIC = /(?<![A-Za-z0-9])Basic[ \t]+([A-Za-z0-9+/]{8,}={0,2})(?![\w=])/gi;

/** `Bearer …` and `Basic …` (https://datatracker.ietf.org/doc/html/rfc6750, rfc7617) wherever they stand. */
function findSchemes(text: string): Strike[] {
  const bearers = [...text.matchAll(BEARER)].filter((match) => /\d|[a-z][A-Z]/.test(match[1] ?? ""));
  const basics = [...text.matchAll(BASIC)].filter((match) => isUserAndPassword(match[1] ?? ""));
  return [...bearers, ...basics].map((match) => {
    const end = match.index + match[0].length;
    return { start: end - (match[1]?.length ?? 0), end };
  });
}

function isUserAndPassword(base64: string): boolean {
  try {
    return atob(base64).includes(":");
  } catch {
    return false;
  }
}
