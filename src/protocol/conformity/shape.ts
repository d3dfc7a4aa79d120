import type { JsonValue } from "../message.ts";

/** Keys and indexes from a value. */
export type Path = readonly (string | number)[];

type Kind = "string" | "number" | "integer" | "boolean" | "object" | "array" | "token" | "any";

/**
 * What a value must look like: a kind (`token` is text or a whole number), a list of one shape, an object with members
 * (a `?` behind a name: it may be missing; members that are not named are free), or a function that picks the shape for
 * a value, or says what is wrong with it.
 */
export type Shape =
  | Kind
  | readonly [Shape]
  | { readonly [member: string]: Shape }
  | { readonly pick: (value: JsonValue) => Shape | Wrong };

/** What is wrong with a value: `must be …`. */
export interface Wrong {
  readonly wrong: string;
}

export interface ShapeFault {
  readonly path: Path;
  /** A sentence about the value at the path, without it. */
  readonly message: string;
}

const KINDS: Readonly<Record<Kind, (value: JsonValue) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  array: Array.isArray,
  token: (value) => typeof value === "string" || Number.isInteger(value),
  any: () => true,
};

const NAMES: Readonly<Partial<Record<Kind, string>>> = {
  string: "text",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  number: "a number",
  token: "text or a whole number",
};

/** The first thing that is wrong with a value, or undefined. */
export function shapeFault(value: JsonValue | undefined, shape: Shape, path: Path): ShapeFault | undefined {
  if (value === undefined) return { path, message: "is missing" };
  if (typeof shape === "string") {
    return KINDS[shape](value) ? undefined : { path, message: `must be ${NAMES[shape]}` };
  }
  if (isPick(shape)) {
    const picked = shape.pick(value);
    return isWrong(picked) ? { path, message: picked.wrong } : shapeFault(value, picked, path);
  }
  return Array.isArray(shape)
    ? listFault(value, shape[0], path)
    : membersFault(value, shape as Members, path);
}

function listFault(value: JsonValue, shape: Shape, path: Path): ShapeFault | undefined {
  if (!Array.isArray(value)) return { path, message: "must be a list" };
  for (const [index, item] of value.entries()) {
    const fault = shapeFault(item, shape, [...path, index]);
    if (fault) return fault;
  }
  return undefined;
}

type Members = { readonly [member: string]: Shape };

function membersFault(value: JsonValue, members: Members, path: Path): ShapeFault | undefined {
  if (!isObject(value)) return { path, message: "must be an object" };
  for (const [spelt, shape] of Object.entries(members)) {
    const optional = spelt.endsWith("?");
    const name = optional ? spelt.slice(0, -1) : spelt;
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (optional && member === undefined) continue;
    const fault = shapeFault(member, shape, [...path, name]);
    if (fault) return fault;
  }
  return undefined;
}

/** One of these words. */
export function oneOf(...words: readonly string[]): Shape {
  return {
    pick: (value) =>
      words.includes(value as string) ? "string" : { wrong: `must be one of ${words.join(", ")}` },
  };
}

/** The shape that stands under a member's value. */
export function byMember(name: string, shapes: Readonly<Record<string, Shape>>): Shape {
  return {
    pick: (value) => {
      if (!isObject(value)) return "object";
      const key = value[name];
      if (typeof key === "string" && Object.hasOwn(shapes, key)) return shapes[key] as Shape;
      return { wrong: `must have a ${name} that is one of ${Object.keys(shapes).join(", ")}` };
    },
  };
}

export function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPick(shape: Shape): shape is { readonly pick: (value: JsonValue) => Shape | Wrong } {
  return typeof shape === "object" && "pick" in shape && typeof shape.pick === "function";
}

function isWrong(picked: Shape | Wrong): picked is Wrong {
  return typeof picked === "object" && "wrong" in picked && typeof picked.wrong === "string";
}
