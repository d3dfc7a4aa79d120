import { canonicalJson } from "../../protocol/canonical.ts";
import { pointerOf } from "../../protocol/json-diff.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import { type Dialect, dialectOf } from "./dialect.ts";

/** A schema somewhere in a document. */
export interface Place {
  readonly document: SchemaDocument;
  /** RFC 6901, from the document's root. */
  readonly pointer: string;
  readonly schema: JsonValue;
  /** The same for the same place, different for different ones. */
  readonly id: string;
}

/** Keywords whose values are data and hold no schemas. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "required"]);

/** A whole schema, in which references are followed. Nothing is fetched: what points outside stays unresolved. */
export class SchemaDocument {
  readonly root: Place;
  readonly dialect: Dialect;
  readonly #name: string;
  readonly #places = new Map<string, Place>();
  readonly #anchors = new Map<string, string>();
  readonly #id: string | undefined;
  /** Schemas inside have a base of their own, so that a local reference may mean something else. */
  #embedded = false;

  /** `name` sets its places apart from those of other documents. */
  constructor(schema: JsonValue, name: string) {
    this.#name = name;
    this.dialect = dialectOf(schema);
    this.root = this.at(schema, []);
    this.#id = isObject(schema) && typeof schema.$id === "string" ? schema.$id : undefined;
    this.#scan(schema, []);
  }

  at(schema: JsonValue, path: readonly (string | number)[], base = ""): Place {
    const pointer = base + pointerOf(path);
    const known = this.#places.get(pointer);
    if (known) return known;
    const place = { document: this, pointer, schema, id: `${this.#name}#${pointer}` };
    this.#places.set(pointer, place);
    return place;
  }

  /** Where a `$ref` leads, or undefined where that is outside, nowhere, or in a base of its own. */
  resolve(ref: string): Place | undefined {
    if (this.#embedded) return undefined;
    const local = this.#id !== undefined && ref.startsWith(this.#id) ? ref.slice(this.#id.length) : ref;
    if (local === "" || local === "#") return this.root;
    if (!local.startsWith("#")) return undefined;
    if (!local.startsWith("#/")) {
      const pointer = this.#anchors.get(local.slice(1));
      return pointer === undefined ? undefined : this.#find(pointer.split("/").slice(1));
    }
    const parts = decoded(local.slice(2));
    return parts === undefined ? undefined : this.#find(parts.split("/"));
  }

  /**
   * A text for a reference that is not followed, equal where it means the same: one that leads outside says it itself, and
   * one into a base of its own depends on the whole schema.
   */
  unresolved(ref: JsonValue): string {
    return this.#embedded
      ? `${canonicalJson(ref)} in ${canonicalJson(this.root.schema)}`
      : canonicalJson(ref);
  }

  #find(escaped: readonly string[]): Place | undefined {
    let schema: JsonValue | undefined = this.root.schema;
    const path = escaped.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    for (const part of path) {
      if (Array.isArray(schema)) schema = schema[Number(part)];
      else schema = isObject(schema) && Object.hasOwn(schema, part) ? schema[part] : undefined;
    }
    return schema === undefined ? undefined : this.at(schema, path);
  }

  #scan(schema: JsonValue, path: readonly (string | number)[]): void {
    if (Array.isArray(schema)) {
      for (const [index, item] of schema.entries()) this.#scan(item, [...path, index]);
      return;
    }
    if (!isObject(schema)) return;
    this.#note(schema, path);
    for (const [key, value] of Object.entries(schema)) if (!DATA.has(key)) this.#scan(value, [...path, key]);
  }

  #note({ $anchor, $dynamicAnchor, $id }: JsonObject, path: readonly (string | number)[]): void {
    for (const anchor of [$anchor, $dynamicAnchor]) {
      if (typeof anchor === "string") this.#anchors.set(anchor, pointerOf(path));
    }
    if (typeof $id !== "string" || path.length === 0) return;
    // Up to draft-07 an anchor is an $id with nothing but a fragment.
    if ($id.startsWith("#")) this.#anchors.set($id.slice(1), pointerOf(path));
    else this.#embedded = true;
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A schema inside another. */
export function inside(place: Place, ...path: readonly (string | number)[]): Place {
  let schema: JsonValue = place.schema;
  for (const step of path) schema = (schema as JsonObject)[step] as JsonValue;
  return place.document.at(schema, path, place.pointer);
}

/** A value must hold to all of these; to none of them means that anything goes. */
export interface Node {
  readonly places: readonly Place[];
  readonly id: string;
}

export function nodeOf(places: readonly Place[]): Node {
  if (places.length === 1) return { places, id: (places[0] as Place).id };
  const unique = new Map(places.map((place) => [place.id, place]));
  const sorted = [...unique.keys()].sort();
  return { places: [...unique.values()], id: sorted.join(" & ") };
}

/** Held to both. */
export function both(a: Node, b: Node): Node {
  return nodeOf([...a.places, ...b.places]);
}
