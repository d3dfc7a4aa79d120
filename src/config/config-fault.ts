import type { ErrorObject } from "ajv";
import { nearestWord } from "../cassette/fault.ts";
import type { Path } from "../cassette/place-in-text.ts";
import { RULE_IDS } from "../drift/rules.ts";
import { rowOf } from "../protocol/member.ts";

/** What is wrong with a configuration. */
export interface ConfigFault {
  readonly path: Path;
  /** What is at fault there: a member's name, or a value. */
  readonly part: "key" | "value";
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A fault that the JSON Schema found, in words for people. */
export function faultOf(error: ErrorObject): ConfigFault {
  const path = pathOf(error.instancePath);
  const sentence = SENTENCES[error.keyword];
  if (sentence) return { part: "value", path, ...sentence(error, path) };
  return { part: "value", path, message: `${nameOf(path)} ${error.message}` };
}

type Sentence = (error: ErrorObject, path: Path) => Partial<ConfigFault> & { readonly message: string };

const SENTENCES: Readonly<Record<string, Sentence>> = {
  additionalProperties: ({ params, parentSchema }, path) => {
    const key = String(params.additionalProperty);
    const known = Object.keys((parentSchema?.properties ?? {}) as object);
    return {
      part: "key",
      path: [...path, key],
      message: `${nameOf(path)} has no key ${JSON.stringify(key)}${meant(key, known)}`,
      hint: `Its keys are ${listOf(known, "and")}.`,
    };
  },
  type: ({ params, data }, path) => ({
    message: `${nameOf(path)} must be ${listOf([params.type].flat().map(kindNamed), "or")}, and is ${kindOf(data)}`,
  }),
  enum: ({ params, data }, path) => ({
    message: `${nameOf(path)} must be ${listOf(params.allowedValues, "or")}, and is ${JSON.stringify(data)}${meant(String(data), params.allowedValues)}`,
  }),
  const: ({ params, data }, path) => ({
    message: `${nameOf(path)} must be ${JSON.stringify(params.allowedValue)}, and is ${JSON.stringify(data)}`,
    hint: params.allowedValue === "any" ? OPERATORS : undefined,
  }),
  pattern: ({ propertyName, data }, path) => {
    const pointer = propertyName ?? data;
    return {
      ...(propertyName === undefined ? {} : { part: "key", path: [...path, propertyName] }),
      message: `${JSON.stringify(pointer)} is no JSON pointer${path[0] === "drift" ? "" : " into params"}`,
      hint: `It begins with /, as in ${path[0] === "drift" ? '"/content/0/text"' : '"/arguments/city"'}; a / in a name is written ~1, and a ~ is ~0.`,
    };
  },
  format: ({ params, data }, path) =>
    rowOf(FORMATS, params.format as string)?.(String(data), nameOf(path)) ?? {
      message: `${nameOf(path)} is not of the format ${params.format}`,
    },
  required: ({ params }, path) => ({
    message: `${nameOf(path)} has no ${params.missingProperty}`,
    hint: rowOf(WHY_NEEDED, params.missingProperty as string),
  }),
  minimum: (_error, path) => ({ message: `${nameOf(path)} must not be negative` }),
  minLength: (_error, path) => ({ message: `${nameOf(path)} must not be empty` }),
  maxLength: ({ params }, path) => ({
    message: `${nameOf(path)} must not be longer than ${params.limit} characters`,
  }),
  minProperties: (_error, path) => ({ message: `${nameOf(path)} says nothing`, hint: OPERATORS }),
  maxProperties: (_error, path) => ({ message: `${nameOf(path)} must say one thing`, hint: OPERATORS }),
};

const FORMATS: Readonly<
  Record<string, (data: string, name: string) => Pick<ConfigFault, "message" | "hint">>
> = {
  pace: (data, name) => ({
    message: `${name} must be instant, recorded or a factor such as 2x, and is ${JSON.stringify(data)}`,
  }),
  regex: (data, name) => ({ message: `${name} is no regular expression: ${whyNoRegExp(data)}` }),
  day: (data, name) => ({
    message: `${name} must be a day such as 2027-01-31, and is ${JSON.stringify(data)}`,
  }),
  "drift-rule": (data, name) => ({
    message: `${name} names no rule of diff: ${JSON.stringify(data)}${meant(data, RULE_IDS)}`,
    hint: "A report names the rule of each change; docs/diff.md and docs/rules.md list them all.",
  }),
};

const WHY_NEEDED: Readonly<Record<string, string>> = {
  rule: "Name the rule of the change, as the report does.",
  reason: "Say why the change is fine: whoever reads a report is shown it.",
};

const OPERATORS =
  'Write "any", { pattern: "^a" }, { tolerance: 0.01 } or { unordered: true }; in TypeScript and JavaScript also a function.';

/** `match["tools/call forecast"].ignore[0]`. */
function nameOf(path: Path): string {
  if (path.length === 0) return "the configuration";
  const parts = path.map((step) => {
    if (/^\d+$/.test(String(step))) return `[${step}]`;
    return /^[A-Za-z_]\w*$/.test(String(step)) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return parts.join("").replace(/^\./, "");
}

/** Why a regular expression cannot be made of a text; undefined where one can. */
export function whyNoRegExp(source: string): string | undefined {
  try {
    new RegExp(source, "u");
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^Invalid regular expression: /, "");
  }
}

function pathOf(pointer: string): Path {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function meant(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return nearest === undefined ? "" : `; did you mean ${JSON.stringify(nearest)}?`;
}

function listOf(words: readonly string[], last: string): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  number: "a number",
  null: "nothing",
};

function kindNamed(type: string): string {
  return KINDS[type] ?? type;
}

function kindOf(data: unknown): string {
  if (data === null) return "empty";
  if (typeof data === "boolean" || (typeof data === "number" && !Number.isFinite(data))) return String(data);
  return kindNamed(Array.isArray(data) ? "array" : typeof data);
}
