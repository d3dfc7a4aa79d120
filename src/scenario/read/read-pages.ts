import type { Tree } from "../../cassette/written/tree.ts";
import type { ListName } from "../../drive/pages.ts";
import type { PageRules } from "../model.ts";
import { LIST_NAMES } from "./effects.ts";
import type { Reading } from "./reading.ts";

const RULES = ["size", "empty", "loop", "emptyCursor", "expire"] as const;

/** How each list is cut into pages. */
export function readPages(
  tree: Tree | undefined,
  reading: Reading,
): Readonly<Partial<Record<ListName, Partial<PageRules>>>> {
  if (!tree) return {};
  const members = reading.shape.members(tree, { what: "pages", allowed: LIST_NAMES });
  return Object.fromEntries([...members].map(([list, rules]) => [list, readRules(rules, reading)]));
}

function readRules(tree: Tree, { shape }: Reading): Partial<PageRules> {
  const members = shape.members(tree, { what: "the pages of a list", allowed: RULES });
  const page = (each: Tree, what: string) => shape.whole(each, what, 1);
  const read = <Value>(key: (typeof RULES)[number], of: (each: Tree) => Value) => {
    const each = members.get(key);
    return each ? { [key]: of(each) } : {};
  };
  return {
    place: shape.place(tree.at),
    ...read("size", (each) => page(each, "size")),
    ...read("empty", (each) => shape.list(each, "empty").map((item) => page(item, "a page"))),
    ...read("loop", (each) => page(each, "loop")),
    ...read("emptyCursor", (each) => page(each, "emptyCursor")),
    ...read("expire", (each) => shape.duration(each, "expire")),
  };
}
