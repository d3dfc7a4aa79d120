import type { ErrorObject } from "ajv";

/** Why ajv refuses a value: the place in it, and what is wrong there. */
export function reasonOf(error: ErrorObject): string {
  const { instancePath } = error;
  return `${instancePath === "" ? "" : `${instancePath} `}${wordsOf(error)}`;
}

/** The same without the place. */
export function wordsOf({ message = "is not accepted", params, keyword }: ErrorObject): string {
  const allowed = params.allowedValues ?? params.allowedValue;
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  const detail =
    allowed !== undefined ? `: ${JSON.stringify(allowed)}` : extra === undefined ? "" : ` (${extra})`;
  return `${keyword === "false schema" ? "must not be there" : message}${detail}`;
}
