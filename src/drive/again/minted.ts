import type { JsonValue } from "../../protocol/message.ts";

/**
 * What may be an id within JSON text. Escapes are passed over, however often they were escaped themselves, so that an
 * id is found in JSON within a text too.
 */
const PIECE = /\\+(?:u[0-9a-fA-F]{4}|[bfnrt"/])?|[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*/g;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** From where on a date may end in a time: `2026-11-30T04`. */
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d)?$/;

/** Nobody but the server that drew it could have known it. */
export function isDrawn(piece: string): boolean {
  return UUID.test(piece) || (piece.length >= 16 && isUnique(piece));
}

/** Whether a piece looks like an id rather than like a word, a name with a number, or a date. */
export function isUnique(piece: string): boolean {
  if (UUID.test(piece)) return true;
  if (piece.length < 6 || DATE.test(piece)) return false;
  return piece.split(/[_-]+/).some(isUniquePart) || looksRandom(piece);
}

function isUniquePart(part: string): boolean {
  if (/^\d{6,}$/.test(part)) return true;
  if (part.length < 8) return false;
  return (/^[0-9a-f]+$/i.test(part) && /\d/.test(part)) || looksRandom(part);
}

/** Letters and digits, or capitals and small letters, take turns as in no word. */
function looksRandom(text: string): boolean {
  if (text.length < 8) return false;
  const turns = text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z]{2})|[A-Z]{2}(?=[a-z])/g)?.length ?? 0;
  return turns >= 2;
}

/** The unique pieces of JSON text, each once. */
export function uniqueIn(text: string): Set<string> {
  return new Set((text.match(PIECE) ?? []).filter((piece) => !piece.startsWith("\\") && isUnique(piece)));
}

/** JSON text with some of its pieces in place of others. */
export function withPieces(text: string, pieceFor: (piece: string) => string | undefined): string {
  return text.replace(PIECE, (piece) => (piece.startsWith("\\") ? piece : (pieceFor(piece) ?? piece)));
}

/** Told of two pieces that stand at one place. */
export type OnPair = (recorded: string, live: string) => void;

/**
 * Pairs the pieces of two values by where they stand: by the members' names, by index in lists that are as long as each
 * other, and in texts that differ in nothing but their ids.
 */
export function pairPieces(recorded: JsonValue, live: JsonValue, onPair: OnPair): void {
  const waiting: [JsonValue, JsonValue][] = [[recorded, live]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [a, b] = next;
    if (a === b) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (a.length === b.length)
        waiting.push(...a.map((each, i): [JsonValue, JsonValue] => [each, b[i] as JsonValue]));
    } else if (isObject(a) && isObject(b)) {
      for (const [name, value] of Object.entries(a)) {
        const other = Object.hasOwn(b, name) ? b[name] : undefined;
        if (other !== undefined) waiting.push([value, other]);
      }
    } else if (isText(a) && isText(b)) pairInTexts(JSON.stringify(a), JSON.stringify(b), onPair);
  }
}

function pairInTexts(a: string, b: string, onPair: OnPair): void {
  const blank = (text: string) => withPieces(text, (piece) => (isUnique(piece) ? "•" : undefined));
  if (blank(a) !== blank(b)) return;
  const pieces = (text: string) => (text.match(PIECE) ?? []).filter(isUnique);
  const others = pieces(b);
  for (const [index, piece] of pieces(a).entries()) onPair(piece, others[index] as string);
}

function isText(value: JsonValue): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
