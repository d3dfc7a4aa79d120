import { Ajv2020 } from "ajv/dist/2020.js";
import { placeIn } from "../cassette/fault.ts";
import { offsetOf } from "../cassette/place-in-text.ts";
import { isDay } from "../drift/accepted.ts";
import { ownRuleFault } from "../drift/own-rule-fault.ts";
import { ruleOf } from "../drift/rules.ts";
import { VcrError } from "../errors.ts";
import { ruleFault } from "../replay/rule-fault.ts";
import type { Config } from "./config.ts";
import { type ConfigFault, faultOf, whyNoRegExp } from "./config-fault.ts";
import type { Written } from "./read-config.ts";
import schema from "./schema/config.schema.json" with { type: "json" };
import { isPace } from "./settings.ts";

/**
 * What was written, as a configuration.
 * @throws VcrError `usage` that names the wrong key or value, its place, and what is right
 */
export function checkConfig(written: Written): Config {
  const config = written.value as Config;
  const fault =
    schemaFault(written.value) ?? ruleFault(config.match ?? {}) ?? ownRuleFault(config.drift?.match ?? {});
  if (!fault) return config;
  throw new VcrError("usage", fault.message, { place: placeOf(fault, written), hint: fault.hint });
}

function schemaFault(value: unknown): ConfigFault | undefined {
  const ajv = new Ajv2020({ allowUnionTypes: true, verbose: true });
  ajv.addFormat("regex", { validate: (source: string) => whyNoRegExp(source) === undefined });
  ajv.addFormat("pace", { validate: isPace });
  ajv.addFormat("day", { validate: isDay });
  ajv.addFormat("drift-rule", { validate: (id: string) => ruleOf(id) !== undefined });
  const validate = ajv.compile(schema);
  if (validate(withoutFunctions(value))) return undefined;
  // The first is the innermost; those behind it only say that something around it does not hold.
  const [error] = validate.errors ?? [];
  return error && faultOf(error);
}

/** Functions, which JSON Schema does not know, stand in rules where something else could: here it does. */
function withoutFunctions(value: unknown): unknown {
  if (!isObject(value)) return value;
  const plain = withoutRuleFunctions(value);
  return isObject(plain.drift) ? { ...plain, drift: withoutRuleFunctions(plain.drift) } : plain;
}

function withoutRuleFunctions(holder: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!isObject(holder.match)) return holder;
  const match = mapped(holder.match, (rule) => (isFunction(rule) ? {} : withoutOperators(rule)));
  return { ...holder, match };
}

function withoutOperators(rule: unknown): unknown {
  if (!isObject(rule) || !isObject(rule.match)) return rule;
  return { ...rule, match: mapped(rule.match, (operator) => (isFunction(operator) ? "any" : operator)) };
}

function mapped(object: object, change: (value: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function placeOf({ path, part }: ConfigFault, { file, text, inside }: Written) {
  if (text === undefined) return { file };
  const whole = [...inside, ...path];
  // A value that was left out stands nowhere, but its key does.
  const offset = offsetOf(text, whole, part) ?? offsetOf(text, whole, "key");
  return offset === undefined ? { file } : placeIn(text, offset, { file });
}
