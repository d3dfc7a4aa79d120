import { pointerOf } from "../../protocol/json-diff.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { dialectOf, unknownDialect } from "./dialect.ts";
import { SchemaDocument } from "./document.ts";
import type { SchemaFinding } from "./finding.ts";

/** Whether validators can read the schema at all, apart from what it says. */
export function dialectFindings(old: JsonValue, now: JsonValue): SchemaFinding[] {
  const [before, after] = [dialectOf(old), dialectOf(now)];
  if (before === after) return [];
  const [was, is] = [old, now].map((schema) => (isObject(schema) ? schema.$schema : undefined));
  return [
    {
      rule: "schema-dialect-changed",
      class: was === undefined || is === undefined ? "info" : "risky",
      pointer: "/$schema",
      message: `The schema is written in ${after}; it was ${before}.`,
      before: was,
      after: is,
    },
  ];
}

/** Of schemas in a dialect that nobody here can read. */
export function foreignFinding(old: JsonValue, now: JsonValue): SchemaFinding | undefined {
  const uri = unknownDialect(now) ?? unknownDialect(old);
  if (uri === undefined) return undefined;
  return {
    rule: "schema-unreadable",
    class: "risky",
    pointer: "/$schema",
    message: `The schema changed, and what that means in the dialect ${uri} is not known here.`,
    after: uri,
  };
}

/** Arrays and objects within each other, of which no schema has so many. */
const DEEPEST = 1000;

/** Of schemas that are nested beyond all use. */
export function deepFinding(old: JsonValue, now: JsonValue): SchemaFinding | undefined {
  if (!isDeep(now) && !isDeep(old)) return undefined;
  return {
    rule: "schema-unreadable",
    class: "risky",
    pointer: "",
    message: `The schema changed, and is not looked into: it is nested more than ${DEEPEST} deep.`,
  };
}

function isDeep(schema: JsonValue): boolean {
  let level: readonly JsonValue[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}

/** References that lead out of the new schema and were not there before. */
export function outsideFindings(old: JsonValue, now: JsonValue): SchemaFinding[] {
  const known = new Set(outside(old).map(({ ref }) => ref));
  return outside(now)
    .filter(({ ref }) => !known.has(ref))
    .map(({ ref, pointer }) => ({
      rule: "schema-reference-outside",
      class: "risky",
      pointer,
      message: `The schema refers to ${ref}, which is not in it.`,
      after: ref,
    }));
}

function outside(schema: JsonValue): { readonly ref: string; readonly pointer: string }[] {
  const document = new SchemaDocument(schema, "any");
  const found: { readonly ref: string; readonly pointer: string }[] = [];
  const walk = (value: JsonValue, path: readonly (string | number)[]): void => {
    if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index]);
    if (!isObject(value)) return;
    const ref = value.$ref;
    if (typeof ref === "string" && !ref.startsWith("#") && !document.resolve(ref)) {
      found.push({ ref, pointer: pointerOf([...path, "$ref"]) });
    }
    for (const key of Object.keys(value).sort()) walk(value[key] as JsonValue, [...path, key]);
  };
  walk(schema, []);
  return found;
}

export function unreadableFinding(reason: string): SchemaFinding {
  return {
    rule: "schema-unreadable",
    class: "risky",
    pointer: "",
    message: `The new schema is none that a validator takes: ${reason}.`,
  };
}
