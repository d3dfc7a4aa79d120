import type { JsonValue } from "../../protocol/message.ts";
import { type Dialect, dialectOf } from "../dialects.ts";
import { isObject } from "../matcher.ts";
import type { SchemaChecker, Schemas } from "../schemas.ts";
import type { Compiler, Validate } from "./compiler.ts";

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
const COMPILERS: Readonly<Record<Dialect, () => Promise<() => Compiler>>> = {
  "draft-07": async () => (await import("./draft-07.ts")).compiler,
  "2019-09": async () => (await import("./2019-09.ts")).compiler,
  "2020-12": async () => (await import("./2020-12.ts")).compiler,
};

async function loadChecker(dialects: ReadonlySet<Dialect>): Promise<SchemaChecker> {
  const makers = new Map<Dialect, () => Compiler>();
  for (const dialect of dialects) makers.set(dialect, await COMPILERS[dialect]());
  return new AjvChecker(makers);
}

class AjvChecker implements SchemaChecker {
  readonly #makers: ReadonlyMap<Dialect, () => Compiler>;
  /** By the schema itself, each compiled once. */
  readonly #compiled = new WeakMap<object, Validate>();

  constructor(makers: ReadonlyMap<Dialect, () => Compiler>) {
    this.#makers = makers;
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
    // One instance a schema: two schemas may have one $id, and do not know each other's.
    const maker = this.#makers.get(dialectOf(schema));
    if (!maker) throw new Error(`a schema of ${dialectOf(schema)} was not announced`);
    const validate = maker().compile(schema as object | boolean);
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
