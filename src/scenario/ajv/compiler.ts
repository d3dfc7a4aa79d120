import type { Options } from "ajv";

/** What is needed of ajv, whose classes for the dialects have no type in common but their own. */
export interface Ajv {
  compile(schema: object | boolean): Validate;
  /** Against the dialect's own schema. */
  validateSchema(schema: object | boolean): unknown;
  errorsText(): string;
}

/** @throws Error for a schema that is none */
export type Compile = (schema: object | boolean) => Validate;

export interface Validate {
  (value: unknown): boolean;
  errors?: readonly Refusal[] | null;
}

export interface Refusal {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: object;
}

/**
 * Formats are given by name, not by the plugin of ajv-formats, which holds a second ajv for keywords that are no
 * standard.
 */
const OPTIONS: Options = { strict: false, allErrors: true, logger: false };

/**
 * Compiles schemas of a dialect, each by an ajv of its own: two schemas may have one $id, and do not know each other's.
 * The dialect's own schema, which takes far longer to compile than most, is compiled once.
 */
export function compilerOf(newAjv: (options: Options) => Ajv): Compile {
  let judge: Ajv | undefined;
  return (schema) => {
    judge ??= newAjv(OPTIONS);
    if (!judge.validateSchema(schema)) throw new Error(`schema is invalid: ${judge.errorsText()}`);
    return newAjv({ ...OPTIONS, validateSchema: false }).compile(schema);
  };
}
