import type { Options } from "ajv";
import type { JsonValue } from "../protocol/message.ts";
import { type Dialect, DIALECT_OF } from "./dialects.ts";
import { isObject } from "./matcher.ts";
import type { SchemaChecker, Schemas } from "./schemas.ts";

/** What is needed of ajv, whose classes for the dialects have no type in common but their own. */
interface Compiler {
  compile(schema: object | boolean): Validate;
}

interface Validate {
  (value: unknown): boolean;
  errors?: readonly { readonly instancePath: string; readonly message?: string; readonly params: object }[] | null;
}

/** Faults told of in one value. */
const MOST_FAULTS = 5;

const OPTIONS: Options = { strict: false, allErrors: true, validateSchema: true, logger: false };

/** Schemas checked by ajv, which is loaded when it is first asked for. */
export class AjvSchemas implements Schemas {
  loaded: SchemaChecker | undefined;
  #loading: Promise<SchemaChecker> | undefined;

  load(): Promise<SchemaChecker> {
    this.#loading ??= loadChecker().then((checker) => {
      this.loaded = checker;
      return checker;
    });
    return this.#loading;
  }
}

async function loadChecker(): Promise<SchemaChecker> {
  const [{ Ajv }, { Ajv2019 }, { Ajv2020 }, formats] = await Promise.all([
    import("ajv"),
    import("ajv/dist/2019.js"),
    import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  const addFormats = formats.default as unknown as (ajv: unknown) => void;
  const made = <Made extends object>(ajv: Made): Made => {
    addFormats(ajv);
    return ajv;
  };
  return new AjvChecker({
    "draft-07": () => made(new Ajv(OPTIONS)),
    "2019-09": () => made(new Ajv2019(OPTIONS)),
    "2020-12": () => made(new Ajv2020(OPTIONS)),
  });
}



class AjvChecker implements SchemaChecker {
  readonly #makers: Readonly<Record<Dialect, () => Compiler>>;
  /** By the schema itself, each compiled once. */
  readonly #compiled = new WeakMap<object, Validate>();

  constructor(makers: Readonly<Record<Dialect, () => Compiler>>) {
    this.#makers = makers;
  }

  faults(schema: JsonValue, value: JsonValue): readonly string[] {
    const validate = this.#validateOf(schema);
    if (validate(value)) return [];
    const sentences = (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || "/"} ${message ?? "is refused"}${named(params)}`,
    );
    return [...new Set(sentences)].slice(0, MOST_FAULTS);
  }

  problem(schema: JsonValue): string | undefined {
    try {
      this.#validateOf(schema);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #validateOf(schema: JsonValue): Validate {
    const key = isObject(schema) ? schema : undefined;
    const known = key && this.#compiled.get(key);
    if (known) return known;
    // One instance a schema: two schemas may have one $id, and do not know each other's.
    const validate = this.#makers[dialectOf(schema)]().compile(schema as object | boolean);
    if (key) this.#compiled.set(key, validate);
    return validate;
  }
}

function dialectOf(schema: JsonValue): Dialect {
  const named = isObject(schema) ? schema.$schema : undefined;
  return (typeof named === "string" ? DIALECT_OF.get(named) : undefined) ?? "2020-12";
}

/** The member that a message leaves unnamed. */
function named(params: object): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Record<
    string,
    JsonValue | undefined
  >;
  const told = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return told === undefined ? "" : `: ${JSON.stringify(told)}`;
}
