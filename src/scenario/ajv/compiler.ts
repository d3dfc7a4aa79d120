import type { Options } from "ajv";

/** What is needed of ajv, whose classes for the dialects have no type in common but their own. */
export interface Compiler {
  compile(schema: object | boolean): Validate;
}

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
export const OPTIONS: Options = { strict: false, allErrors: true, logger: false };
