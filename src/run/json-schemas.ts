import { Ajv, type AnySchema, type ErrorObject, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { CompileSchema } from "../check/tools.ts";
import { guarded } from "../contract/language/guarded.ts";
import { Steps } from "../contract/language/steps.ts";
import type { JsonValue } from "../protocol/message.ts";

/** Tools' schemas hold what they like besides; nothing is printed, and nothing is fetched. */
const OPTIONS: Options = {
  strict: false,
  logger: false,
  allErrors: false,
  validateFormats: true,
  code: { regExp: guarded(() => steps) },
};

/** Of the value that is checked. */
let steps: Steps | undefined;
const MOST_STEPS = 200_000;

/** Dialects by the end of `$schema`; 2020-12 where it is not given (2025-11-25 basic/index.mdx). */
const DIALECTS: readonly (readonly [name: RegExp, make: () => Ajv])[] = [
  [/draft-0[467]\/schema#?$/, () => new Ajv(OPTIONS)],
  [/2019-09\/schema#?$/, () => new Ajv2019(OPTIONS)],
  [/./, () => new Ajv2020(OPTIONS)],
];

/** Reads JSON Schemas with ajv. */
export const compileSchema: CompileSchema = (schema) => {
  const dialect = (schema as { readonly $schema?: unknown }).$schema;
  const [, make] =
    DIALECTS.find(([name]) => name.test(typeof dialect === "string" ? dialect : "default")) ?? [];
  const ajv = (make ?? (() => new Ajv2020(OPTIONS)))();
  addFormats.default(ajv);
  const { $id: _, ...anonymous } = schema as { [key: string]: JsonValue };
  const validate = ajv.compile(anonymous as AnySchema);
  return (value) => {
    steps = new Steps(MOST_STEPS, "a pattern of it takes too long on what is there");
    return validate(value) ? undefined : faultOf(validate.errors?.[0]);
  };
};

function faultOf(error: ErrorObject | undefined) {
  const path = (error?.instancePath ?? "").split("/").slice(1).map(unescaped);
  return { path, message: `${error?.message ?? "does not hold"}${allowed(error)}` };
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** What ajv's sentence leaves out. */
function allowed(error: ErrorObject | undefined): string {
  const { allowedValues, additionalProperty } = (error?.params ?? {}) as Record<string, unknown>;
  if (Array.isArray(allowedValues))
    return `: ${allowedValues.map((value) => JSON.stringify(value)).join(", ")}`;
  return typeof additionalProperty === "string" ? `: ${JSON.stringify(additionalProperty)}` : "";
}
