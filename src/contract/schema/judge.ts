import type { ErrorObject, ValidateFunction } from "ajv";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { dialectOf } from "./dialect.ts";

/** What ajv says of values: the authority on what a schema accepts. */
export interface Judge {
  accepts(value: JsonValue): boolean;
  /** Why the value asked about last was refused. */
  readonly errors: readonly ErrorObject[];
}

/** A schema that ajv does not take, with its reason. */
export interface Unreadable {
  readonly reason: string;
}

/** `ownProperties`, so that a member named `constructor` is not found in every object. */
const OPTIONS = { allErrors: true, ownProperties: true, strict: false, logger: false } as const;

const READERS = {
  "draft-07": async () => (await import("ajv")).Ajv,
  "2019-09": async () => (await import("ajv/dist/2019.js")).Ajv2019,
  "2020-12": async () => (await import("ajv/dist/2020.js")).Ajv2020,
};
type Reader = InstanceType<Awaited<ReturnType<(typeof READERS)[keyof typeof READERS]>>>;

/** Making one takes longer than anything it is used for. */
const readers = new Map<keyof typeof READERS, Promise<Reader>>();

async function makeReader(dialect: keyof typeof READERS): Promise<Reader> {
  const { default: formats } = await import("ajv-formats");
  const Ajv = await READERS[dialect]();
  const ajv = new Ajv(OPTIONS);
  formats.default(ajv);
  return ajv;
}

/** Schemas with ids get one of their own, so that their ids do not meet. */
function readerFor(schema: JsonValue): Promise<Reader> {
  const dialect = dialectOf(schema);
  if (JSON.stringify(schema).includes('"$id"')) return makeReader(dialect);
  const known = readers.get(dialect);
  if (known) return known;
  const reader = makeReader(dialect);
  readers.set(dialect, reader);
  return reader;
}

/** Loads ajv when first asked. */
export async function judgeOf(schema: JsonValue): Promise<Judge | Unreadable> {
  const ajv = await readerFor(schema);
  try {
    return judging(ajv.compile(withoutDialect(schema)));
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The dialect is chosen already, and a spelling of it that ajv does not know is no reason to refuse the schema. */
function withoutDialect(schema: JsonValue): boolean | Record<string, unknown> {
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema)) throw new TypeError("a schema is an object or a boolean");
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

function judging(validate: ValidateFunction): Judge {
  return {
    accepts: (value) => validate(value) as boolean,
    get errors() {
      return validate.errors ?? [];
    },
  };
}
