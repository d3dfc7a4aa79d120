import { redactCommand } from "./command.ts";
import type { ShapeFinder } from "./common-shapes.ts";
import { endsAsCredential, namesCredential } from "./credential-name.ts";
import { holdsCookies, redactCredential } from "./credential-value.ts";
import { redactJson, type WalkRules } from "./json-walk.ts";
import type { OwnRules } from "./own-rules.ts";
import { createSeal, replaceStrikes, type Strike } from "./placeholder.ts";
import { isSuspect } from "./suspect.ts";
import { redactShapes, redactText } from "./text-rules.ts";

/** What a redactor needs from outside. */
export interface RedactorParts {
  /** Keyed hash (an HMAC), hexadecimal, at least 8 characters. */
  hash(text: string): string;
  /** The maintained rule set; asked for when a text first needs it. */
  shapes(): ShapeFinder;
  /** What the user says is secret besides. */
  readonly own?: OwnRules | undefined;
  /** Told of each secret that becomes a placeholder, by which of `REDACTION_RULES` or `own`. */
  readonly onStrike?: ((rule: string) => void) | undefined;
}

/**
 * Takes credentials out of what is written, and of what is compared with what was written. A secret becomes
 * `[redacted:1f2e3d4c]`, from its keyed hash: equal secrets become equal placeholders wherever they stand, and a
 * placeholder is never redacted again.
 */
export interface Redactor {
  /** Valid JSON: a message, a batch. The same object when nothing struck. */
  json(bytes: Uint8Array): Uint8Array;
  /** Any other body: noise, a form, JSON that was cut off, bytes that are no UTF-8. The same object when nothing struck. */
  text(bytes: Uint8Array): Uint8Array;
  /** Value of an HTTP header. Scheme, cookie names and cookie attributes stay. */
  header(name: string, value: string): string;
  /** A command line, one item per argument. */
  command(args: readonly string[]): string[];
  url(url: string): string;
}

/** Of the hash in placeholders, where the user sets none. */
export const DEFAULT_REDACT_KEY = "mcp-vcr";

/** What a cassette's header says was applied. */
export const REDACTION_RULES: readonly string[] = ["headers", "keys", "pairs", "text", "urls", "shapes"];

/** What strikes are counted under that the user's own rules made. */
const OWN = "own";

/** Told apart by the protocol; a session's replay needs them as they are. */
const PROTOCOL_HEADERS = new Set(["mcp-session-id", "mcp-protocol-version", "mcp-method", "last-event-id"]);

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

export function createRedactor(parts: RedactorParts): Redactor {
  return createRedactorWith(parts, isSuspect);
}

/** With another prefilter; one that always says yes shows what the rules alone do. */
export function createRedactorWith(parts: RedactorParts, known: WalkRules["isSuspect"]): Redactor {
  const { own, onStrike } = parts;
  const seal = createSeal((text) => parts.hash(text));
  const shapes: ShapeFinder = (text) => parts.shapes()(text);
  const suspects: WalkRules["isSuspect"] = own
    ? (...range) => known(...range) || own.isSuspect(...range)
    : known;
  const struck = onStrike && (({ rule = OWN }: Strike) => onStrike(rule));
  const counted = (rule: string, before: string, after: string): string => {
    if (after !== before) onStrike?.(rule);
    return after;
  };
  const owned = (text: string): string =>
    own ? replaceStrikes(text, own.strikes(text), seal, struck) : text;
  const isOwnKey = (name: string): boolean => own?.isKey(name) ?? false;
  const ruleOf = (name: string): string => (isOwnKey(name) && !namesCredential(name) ? OWN : "keys");
  const endsSecret = (name: string): boolean => endsAsCredential(name) || isOwnKey(name);
  const plain = (text: string): string =>
    untilStable(text, (now) => redactText(owned(now), seal, shapes, struck));
  const credential = (rule: string, name: string, value: string): string => {
    const sealed = counted(rule, value, redactCredential(name, value, seal));
    // Between the cookies anything may stand.
    return holdsCookies(name) ? plain(sealed) : sealed;
  };
  const rules: WalkRules = {
    text: (text) => inText(text),
    credential: (name, text) => credential(ruleOf(name), name, text),
    shape: (text) => redactShapes(owned(text), seal, shapes, struck),
    names: (name) => namesCredential(name) || isOwnKey(name),
    ends: endsSecret,
    own: own && { text: owned, isValue: (token) => own.isValue(token) },
    seal: (secret) => counted("keys", secret, seal(secret)),
    isSuspect: suspects,
  };
  const inText = (text: string): string => (isJsonContainer(text) ? inJsonText(text) : plain(text));
  const inJsonText = (text: string): string => {
    const bytes = encoder.encode(text);
    const clean = redactJson(bytes, rules, "other");
    return clean === bytes ? text : decoder.decode(clean);
  };
  const argument = (text: string): string => {
    const bytes = encoder.encode(text);
    return suspects(bytes, 0, bytes.length) ? untilStable(text, inText) : text;
  };
  const header = (name: string, value: string): string => {
    if (PROTOCOL_HEADERS.has(name.toLowerCase())) return value;
    return rules.names(name) ? credential("headers", name, value) : inText(value);
  };
  return {
    json: (bytes) =>
      suspects(bytes, 0, bytes.length)
        ? untilStable(bytes, (now) => redactJson(now, rules, "message"))
        : bytes,
    text: (bytes) => (suspects(bytes, 0, bytes.length) ? redactBytes(bytes, inText) : bytes),
    header: (name, value) => untilStable(value, (now) => header(name, now)),
    command: (args) =>
      redactCommand(args, {
        text: argument,
        credential: rules.credential,
        ends: endsSecret,
      }),
    url: plain,
  };
}

/** What one round leaves another may take; every round that strikes leaves less that is no placeholder. */
function untilStable<T>(value: T, round: (value: T) => T): T {
  const next = round(value);
  return next === value ? value : untilStable(next, round);
}

/** Text that is a JSON object or array, and survives being encoded as UTF-8. */
function isJsonContainer(text: string): boolean {
  if (!/^\s*[[{]/.test(text) || /\p{Surrogate}/u.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function redactBytes(bytes: Uint8Array, redact: (text: string) => string): Uint8Array {
  const text = decodedStrictly(bytes);
  if (text !== undefined) {
    const clean = untilStable(text, redact);
    return clean === text ? bytes : encoder.encode(clean);
  }
  const units = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const clean = untilStable(units, redact);
  return clean === units ? bytes : Uint8Array.from(clean, (unit) => unit.charCodeAt(0));
}

function decodedStrictly(bytes: Uint8Array): string | undefined {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}
