import type { ErrorObject } from "ajv";
import { wordsOf } from "../contract/schema/refusal.ts";
import { pointerOf } from "../protocol/json-diff.ts";

/** What of a value breaks a schema. */
export interface SchemaFault {
  /** JSON pointer from the value: to what is wrong, to what must not be there, or to where something is missing. */
  readonly pointer: string;
  /** In ajv's words. */
  readonly reason: string;
}

/** Branches of which each is told why it does not fit. */
const MOST_BRANCHES = 3;

/** ajv's errors, each place once. What the branches of an `anyOf` say is part of what that says. */
export function faultsIn(errors: readonly ErrorObject[]): SchemaFault[] {
  const wholes = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const isBranch = (error: ErrorObject) => wholes.some((whole) => isWithin(error, whole));
  const faults = new Map<string, SchemaFault>();
  for (const error of errors.filter((each) => !isBranch(each))) {
    const pointer = placeOf(error);
    const branches = wholes.includes(error) ? errors.filter((each) => isWithin(each, error)) : [];
    if (!faults.has(pointer)) faults.set(pointer, { pointer, reason: reasonWith(error, branches) });
  }
  return [...faults.values()];
}

function isWithin(error: ErrorObject, whole: ErrorObject): boolean {
  const inside =
    error.instancePath === whole.instancePath || error.instancePath.startsWith(`${whole.instancePath}/`);
  return inside && error.schemaPath.startsWith(`${whole.schemaPath}/`);
}

function placeOf({ instancePath, params }: ErrorObject): string {
  const member = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof member === "string" ? instancePath + pointerOf([member]) : instancePath;
}

function reasonWith(error: ErrorObject, branches: readonly ErrorObject[]): string {
  const reason = error.keyword === "required" ? "is missing" : wordsOf(error);
  if (branches.length === 0 || branches.length > MOST_BRANCHES) return reason;
  const told = branches.map((branch) => {
    const place = placeOf(branch).slice(error.instancePath.length);
    return `${place === "" ? "" : `${place} `}${reasonWith(branch, [])}`;
  });
  return `${reason} (${told.join("; ")})`;
}
