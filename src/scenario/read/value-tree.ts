import { fault, type Member, type Tree, type WrittenSource } from "../../cassette/written/tree.ts";
import { FUNCTION_KEY } from "./reading.ts";

export type AnyFunction = (...args: unknown[]) => unknown;

export interface ValueSource {
  readonly source: WrittenSource;
  readonly tree: Tree;
  readonly functions: readonly AnyFunction[];
}

/** Levels of nesting. */
const DEEPEST = 200;

/**
 * A value of a program as if it had been read from a file. Members that are undefined are not there.
 * @throws VcrError `scenario-invalid` for what a file could not hold
 */
export function valueSource(value: unknown, { file, what }: { file: string; what: string }): ValueSource {
  const builder = new TreeBuilder(file, what);
  const tree = builder.tree(value, "", 0);
  return { source: builder.source, tree, functions: builder.functions };
}

class TreeBuilder {
  readonly paths: string[] = [];
  readonly source: WrittenSource;
  readonly functions: AnyFunction[] = [];
  /** Objects that the value at hand stands in. */
  readonly #around = new Set<object>();

  constructor(file: string, what: string) {
    this.source = { file, text: "", what, code: "scenario-invalid", paths: this.paths };
  }

  tree(value: unknown, path: string, depth: number): Tree {
    const at = this.paths.push(path) - 1;
    if (depth > DEEPEST) throw fault(this.source, at, "it is nested too deeply");
    const isObject = typeof value === "object" && value !== null;
    if (isObject && this.#around.has(value)) throw fault(this.source, at, "it is circular: it holds itself");
    if (value === null || typeof value === "boolean" || typeof value === "string")
      return { kind: "scalar", at, value };
    if (typeof value === "number" && Number.isFinite(value)) return { kind: "scalar", at, value };
    if (typeof value === "function") return this.#function(value as AnyFunction, at);
    if (!isObject) throw fault(this.source, at, `${String(value)} is no value of JSON`);
    this.#around.add(value);
    const tree = this.#container(value, { path, depth, at });
    this.#around.delete(value);
    return tree;
  }

  #container(value: object, { path, depth, at }: { path: string; depth: number; at: number }): Tree {
    if (!Array.isArray(value)) return { kind: "map", at, members: this.#members(value, path, depth) };
    const items = value.map((item: unknown, index) => {
      const name = nameIn(path, item);
      return this.tree(item, `${path}[${name === undefined ? index : JSON.stringify(name)}]`, depth + 1);
    });
    return { kind: "list", at, items };
  }

  #members(value: object, path: string, depth: number): Member[] {
    return Object.entries(value).flatMap(([key, inner]) => {
      if (inner === undefined) return [];
      const name = path === "" ? key : `${path}.${key}`;
      const tree = this.tree(inner, name, depth + 1);
      return [{ key, at: tree.at, value: tree }];
    });
  }

  #function(value: AnyFunction, at: number): Tree {
    const index: Tree = { kind: "scalar", at, value: this.functions.push(value) - 1 };
    return { kind: "map", at, members: [{ key: FUNCTION_KEY, at, value: index }] };
  }
}

/** What the items of a scenario's lists are known by, rather than by how many stand before them. */
const KEYS: Readonly<Record<string, string>> = {
  tools: "name",
  resources: "uri",
  templates: "uriTemplate",
  prompts: "name",
  methods: "method",
};

function nameIn(list: string, item: unknown): string | undefined {
  const key = Object.hasOwn(KEYS, list) ? KEYS[list] : undefined;
  if (key === undefined || typeof item !== "object" || item === null) return undefined;
  const name = (item as Readonly<Record<string, unknown>>)[key];
  return typeof name === "string" ? name : undefined;
}
