import type { JsonValue } from "../../protocol/message.ts";
import { type Dialect, dialectOf } from "../dialects.ts";
import { isObject } from "../matcher.ts";
import type { SchemaChecker, Schemas } from "../schemas.ts";
import type { Compile, Validate } from "./compiler.ts";

/** Faults told of in one value. */
const MOST_FAULTS = 5;

/** Schemas checked by ajv, which is loaded when it is first asked for. */
export class AjvSchemas implements Schemas {
  loaded: SchemaChecker | undefined;
  readonly #dialects: ReadonlySet<Dialect>;
  #loading: Promise<SchemaChecker> | undefined;

  /** @param dialects those that come up */
  constructor(dialects: ReadonlySet<Dialect>) {
    this.#dialects = dialects;
  }

  load(): Promise<SchemaChecker> {
    this.#loading ??= loadChecker(this.#dialects).then((checker) => {
      this.loaded = checker;
      return checker;
    });
    return this.#loading;
  }
}

/** Each dialect has an ajv of its own, loaded where the dialect comes up. */
const COMPILERS: Readonly<Record<Dialect, () => Promise<Compile>>> = {
  "draft-07": async () => (await import("./draft-07.ts")).compile,
  "2019-09": async () => (await import("./2019-09.ts")).compile,
  "2020-12": async () => (await import("./2020-12.ts")).compile,
};

async function loadChecker(dialects: ReadonlySet<Dialect>): Promise<SchemaChecker> {
  const compilers = new Map<Dialect, Compile>();
  for (const dialect of dialects) compilers.set(dialect, await COMPILERS[dialect]());
  return new AjvChecker(compilers);
}

class AjvChecker implements SchemaChecker {
  readonly #compilers: ReadonlyMap<Dialect, Compile>;
  /** By the schema itself, each compiled once. */
  readonly #compiled = new WeakMap<object, Validate>();

  constructor(compilers: ReadonlyMap<Dialect, Compile>) {
    this.#compilers = compilers;
  }

  faults(schema: JsonValue, value: JsonValue): readonly string[] {
    const validate = this.#validateOf(schema);
    if (validate(value)) return [];
    const sentences = (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || "/"} ${message ?? "is refused"}${named(params)}`,
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
    const compile = this.#compilers.get(dialectOf(schema));
    if (!compile) throw new Error(`a schema of ${dialectOf(schema)} was not announced`);
    const validate = compile(schema as object | boolean);
    if (key) this.#compiled.set(key, validate);
    return validate;
  }
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
