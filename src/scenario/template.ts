import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { jsonText } from "./spelt-number.ts";

/** `${args.city}`, `${args.city:-Oslo}`; `$${` stands for `${` itself. */
const REFERENCE = /\$\$\{|\$\{([^}]*)\}/g;
const WHOLE = /^\$\{([^}]*)\}$/;
const OPEN = "${";

/** What a template can take values from. */
export const ROOTS = ["args", "params", "answers", "state", "client", "nth"] as const;

export type Scope = Readonly<Record<(typeof ROOTS)[number], JsonValue>>;

export interface Reference {
  /** As it is written, without its braces. */
  readonly text: string;
  /** The first is a root. */
  readonly path: readonly string[];
  /** Where there is no such value. */
  readonly otherwise: string | undefined;
}

/** A template refers to a value that is not there. */
export class AbsentValue extends Error {
  readonly reference: string;

  constructor(reference: string) {
    super(`there is no \${${reference}}`);
    this.reference = reference;
  }
}

/** A template that gives text whatever it refers to: another reference beside it, to nothing. */
export function asText(template: string): string {
  return WHOLE.test(template) ? `${template}\${:-}` : template;
}

/** A value whose texts are to stand as they are. */
export function asWritten(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replaceAll(OPEN, () => `$${OPEN}`);
  if (Array.isArray(value)) return value.map(asWritten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [asWritten(key) as string, asWritten(inner)]),
  );
}

/** What is wrong with the references in a text, before it is known what they refer to. */
export function problemOfReferences(text: string): string | undefined {
  const nested = [...text.matchAll(REFERENCE)].find(([, inner]) => inner?.includes(OPEN));
  if (nested) return `${nested[0]} has a reference within a reference`;
  const rest = text.replaceAll(REFERENCE, "");
  return rest.includes(OPEN) ? `${rest.slice(rest.indexOf(OPEN))} is not closed` : undefined;
}

export function referencesIn(text: string): readonly Reference[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, inner]) =>
    inner === undefined ? [] : [referenceOf(inner)],
  );
}

export function allReferences(value: JsonValue): readonly Reference[] {
  if (typeof value === "string") return referencesIn(value);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...referencesIn(key), ...allReferences(inner)]);
}

function referenceOf(text: string): Reference {
  const end = text.indexOf(":-");
  const path = (end === -1 ? text : text.slice(0, end)).trim().split(".");
  return { text, path, otherwise: end === -1 ? undefined : text.slice(end + 2) };
}

/**
 * The value with its references replaced: a text that is nothing but one becomes the value itself, within a text a
 * value that is no text stands as JSON.
 * @throws AbsentValue
 */
export function render(value: JsonValue, scope: Scope): JsonValue {
  if (typeof value === "string") return renderText(value, scope);
  if (Array.isArray(value)) return value.map((item) => render(item, scope));
  if (typeof value !== "object" || value === null) return value;
  return renderObject(value, scope);
}

export function renderObject(value: JsonObject, scope: Scope): JsonObject {
  // Defines own members whatever their names.
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [renderKey(key, scope), render(inner, scope)]),
  );
}

function renderKey(key: string, scope: Scope): string {
  return key.includes(OPEN) ? String(renderText(asText(key), scope)) : key;
}

function renderText(text: string, scope: Scope): JsonValue {
  if (!text.includes(OPEN)) return text;
  const [, whole] = WHOLE.exec(text) ?? [];
  if (whole !== undefined && !text.startsWith("$$")) return referred(referenceOf(whole), scope);
  return text.replaceAll(REFERENCE, (_match, inner: string | undefined) => {
    if (inner === undefined) return OPEN;
    const value = referred(referenceOf(inner), scope);
    return typeof value === "string" ? value : jsonText(value);
  });
}

function referred({ text, path, otherwise }: Reference, scope: Scope): JsonValue {
  const value = at(scope as JsonObject, path);
  if (value !== undefined) return value;
  if (otherwise === undefined) throw new AbsentValue(text);
  return otherwise;
}

function at(scope: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = scope;
  for (const key of path) {
    value = Array.isArray(value) ? value[Number(key)] : memberAt(value, key);
    if (value === undefined) return undefined;
  }
  return value;
}
