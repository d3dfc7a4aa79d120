import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";

/** `${args.city}`, `${args.city:-Oslo}`; `$${` stands for `${` itself. */
const REFERENCE = /\$\$\{|\$\{([^}]*)\}/g;
const WHOLE = /^\$\{([^}]*)\}$/;

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

export function referencesIn(text: string): readonly Reference[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, inner]) =>
    inner === undefined ? [] : [referenceOf(inner)],
  );
}

export function allReferences(value: JsonValue): readonly Reference[] {
  if (typeof value === "string") return referencesIn(value);
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(allReferences);
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
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, render(inner, scope)]));
}

function renderText(text: string, scope: Scope): JsonValue {
  if (!text.includes("${")) return text;
  const [, whole] = WHOLE.exec(text) ?? [];
  if (whole !== undefined && !text.startsWith("$$")) return referred(referenceOf(whole), scope);
  return text.replaceAll(REFERENCE, (_match, inner: string | undefined) => {
    if (inner === undefined) return "${";
    const value = referred(referenceOf(inner), scope);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

function referred({ text, path, otherwise }: Reference, scope: Scope): JsonValue {
  const value = at(scope as JsonObject, path) ?? otherwise;
  if (value === undefined) throw new AbsentValue(text);
  return value;
}

function at(scope: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = scope;
  for (const key of path) {
    value = Array.isArray(value) ? value[Number(key)] : memberAt(value, key);
    if (value === undefined) return undefined;
  }
  return value;
}
