import { nearestWord } from "../../cassette/fault.ts";
import { VcrError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject, type Matcher, sameJson, written } from "../matcher.ts";
import type { Ask, Reply } from "../model.ts";
import { allReferences } from "../template.ts";
import { isNever, type Values } from "./never.ts";

/** Of an answer to an elicitation (2025-11-25 schema, ElicitResult). */
const ACTIONS: readonly JsonValue[] = ["accept", "decline", "cancel"];
const MEMBERS = ["action", "content", "_meta"];

interface Asked {
  readonly name: string;
  readonly ask: Ask;
  readonly reply: Reply;
}

/**
 * Replies under a question, by what clients can answer to it.
 * @throws VcrError `scenario-invalid` for those that no answer leads to
 */
export function checkAnswers(reply: Reply, asks: ReadonlyMap<string, Ask>): void {
  const { when } = reply;
  if (when?.kind !== "members") return;
  for (const [name, matcher] of when.members) {
    const ask = asks.get(name);
    if (ask?.method === "elicitation/create" && ask.validate) checkAnswer(matcher, { name, ask, reply });
  }
}

function checkAnswer(matcher: Matcher, asked: Asked): void {
  const accepts = (value: JsonValue) => isObject(value);
  refuseNever(matcher, { schema: { type: "object" }, required: true, accepts }, { ...asked, path: [] });
  if (matcher.kind !== "members") return;
  for (const [key, inner] of matcher.members) {
    if (!MEMBERS.includes(key)) throw unknown(key, MEMBERS, { ...asked, path: [] });
    if (key === "action") refuseNever(inner, oneOf(ACTIONS, true), { ...asked, path: [key] });
    if (key === "content" && inner.kind === "members") checkContent(inner.members, asked);
  }
}

function checkContent(members: ReadonlyMap<string, Matcher>, asked: Asked): void {
  const { requestedSchema } = asked.ask.params;
  if (!isObject(requestedSchema) || allReferences(requestedSchema).length > 0) return;
  const { properties } = requestedSchema;
  if (!isObject(properties)) return;
  for (const [field, matcher] of members) {
    const schema = Object.hasOwn(properties, field) ? properties[field] : undefined;
    const isLeftOut = matcher.kind === "not" || (matcher.kind === "any" && !matcher.there);
    if (isObject(schema)) refuseNever(matcher, valuesOf(schema), { ...asked, path: ["content", field] });
    else if (!isLeftOut) throw unknown(field, Object.keys(properties), { ...asked, path: ["content"] });
  }
}

/** What a field of a form can be filled in with; the rest is told when schemas can be checked. */
function valuesOf(schema: JsonObject): Values {
  const choices = Array.isArray(schema.oneOf) ? schema.oneOf.map((each) => isObject(each) && each.const) : [];
  const listed = Array.isArray(schema.enum) ? schema.enum : choices;
  if (listed.length > 0) return oneOf(listed as readonly JsonValue[], false);
  const { type } = schema;
  const accepts = (value: JsonValue) =>
    type === "array" ? Array.isArray(value) : typeof value === (type === "integer" ? "number" : type);
  return { schema, required: false, accepts };
}

function oneOf(values: readonly JsonValue[], required: boolean): Values {
  const accepts = (value: JsonValue) => values.some((each) => sameJson(each, value));
  return { schema: { enum: [...values] }, required, accepts };
}

interface Placed extends Asked {
  /** Of the member, below the question's name. */
  readonly path: readonly string[];
}

function refuseNever(matcher: Matcher, values: Values, { name, reply, path }: Placed): void {
  if (!isNever(matcher, values)) return;
  const { enum: listed, type } = values.schema as JsonObject;
  const words = Array.isArray(listed) ? listed.map(String) : [];
  const meant = matcher.kind === "equals" ? nearestWord(String(matcher.value), words) : undefined;
  const what = [name, ...path].join(".");
  throw new VcrError(
    "scenario-invalid",
    `when: can never match: ${what} is never ${JSON.stringify(written(matcher))}${meant === undefined ? "" : ` (did you mean ${meant}?)`}`,
    {
      place: reply.where.placeOf("when", name, ...path),
      hint: words.length > 0 ? `It is one of ${words.join(", ")}.` : `It is of type ${String(type)}.`,
    },
  );
}

function unknown(key: string, known: readonly string[], { name, reply, path }: Placed): VcrError {
  const meant = nearestWord(key, known);
  const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  return new VcrError(
    "scenario-invalid",
    `when: can never match: ${[name, ...path].join(".")} has no ${JSON.stringify(key)}${hint}`,
    { place: reply.where.placeOf("when", name, ...path, key), hint: `It has ${known.join(", ")}.` },
  );
}
