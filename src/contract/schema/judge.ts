import type { ErrorObject, SchemaValidateFunction, ValidateFunction } from "ajv";
import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { guarded } from "../language/guarded.ts";
import { Steps, TooComplex } from "../language/steps.ts";
import { COUNTED, counted } from "./counted.ts";
import { dialectOf } from "./dialect.ts";

/** What ajv says of values: the authority on what a schema accepts. */
export interface Judge {
  /** @throws TooComplex where its steps are spent */
  accepts(value: JsonValue): boolean;
  /** Why the value asked about last was refused. */
  readonly errors: readonly ErrorObject[];
}

/** A schema that ajv does not take, with its reason. */
export interface Unreadable {
  readonly reason: string;
  /** It may well be one, but is too large to be read here. */
  readonly skipped: boolean;
}

/** Of whoever asks. Answers are given at once, so that it is one at a time. */
const asking: { steps?: Steps } = {};

const regExp = guarded(() => asking.steps);

/** `ownProperties`, so that a member named `constructor` is not found in every object. */
const OPTIONS = {
  allErrors: true,
  ownProperties: true,
  strict: false,
  logger: false,
  code: { regExp },
} as const;

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
  ajv.addKeyword({
    keyword: COUNTED,
    before: "$ref",
    errors: false,
    schema: false,
    validate: () => {
      asking.steps?.take();
      return true;
    },
  });
  // That of ajv compares all items with each other.
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", validate: unique });
  return ajv;
}

const unique: SchemaValidateFunction = (wanted: boolean, items: readonly JsonValue[]) => {
  const seen = new Map<string, number>();
  for (const [i, item] of wanted ? items.entries() : []) {
    const text = canonicalJson(item);
    const j = seen.get(text);
    seen.set(text, i);
    if (j === undefined) continue;
    const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
    unique.errors = [{ keyword: "uniqueItems", message, params: { i, j } }];
    return false;
  }
  return true;
};

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

/** Loads ajv when first asked. Without steps to share, each value has as many of its own. */
export async function judgeOf(schema: JsonValue, steps?: Steps): Promise<Judge | Unreadable> {
  const ajv = await readerFor(schema);
  try {
    return judging(ajv.compile(withoutDialect(counted(schema))), steps);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { reason, skipped: error instanceof TooComplex || error instanceof RangeError };
  }
}

/** What the schema of schemas has against a schema. */
export async function faultsIn(schema: JsonValue): Promise<readonly ErrorObject[]> {
  const ajv = await readerFor(schema);
  if (!isObject(schema)) return [];
  await ajv.validateSchema(withoutDialect(schema) as Record<string, unknown>);
  return [...(ajv.errors ?? [])];
}

/** The dialect is chosen already, and a spelling of it that ajv does not know is no reason to refuse the schema. */
function withoutDialect(schema: JsonValue): boolean | Record<string, unknown> {
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema)) throw new TypeError("a schema is an object or a boolean");
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}

function judging(validate: ValidateFunction, shared: Steps | undefined): Judge {
  return {
    accepts: (value) => {
      const steps = shared ?? new Steps(MOST_OF_ONE, "a value takes too long to check");
      asking.steps = steps;
      steps.take(1 + Math.ceil(sizeOf(value) / PARTS));
      const accepted = validate(value) as boolean;
      steps.take(Math.ceil((validate.errors?.length ?? 0) / ERRORS));
      return accepted;
    },
    get errors() {
      return validate.errors ?? [];
    },
  };
}

/** Steps that one value takes at most. */
const MOST_OF_ONE = 200_000;
/** So many errors count as one step. */
const ERRORS = 10;
/** Parts of a value, and characters of a text, that count as one step. */
const PARTS = 100;

function sizeOf(value: JsonValue): number {
  if (typeof value === "string") return value.length / PARTS;
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 1);
}
