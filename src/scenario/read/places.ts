import type { Shape } from "../../cassette/written/shape.ts";
import type { Member, Tree } from "../../cassette/written/tree.ts";
import type { FilePlace } from "../../errors.ts";

/** Where something that was read stands, looked for when there is something to say of it. */
export interface Whereabouts {
  /** A member, by the keys that lead to it; as far as they do. */
  placeOf(...path: readonly string[]): FilePlace;
  /** The first text, or key, that is such a one; of all that stands in it, when there is none, the beginning. */
  find(is: (text: string) => boolean): FilePlace;
}

export function whereabouts(tree: Tree, shape: Shape): Whereabouts {
  return {
    placeOf: (...path) => shape.place(memberAt(tree, path)?.at ?? tree.at),
    find: (is) => shape.place(found(tree, is) ?? tree.at),
  };
}

function memberAt(tree: Tree, path: readonly string[]): Member | undefined {
  let here: Tree = tree;
  let last: Member | undefined;
  for (const key of path) {
    const member = here.kind === "map" ? here.members.find((each) => each.key === key) : undefined;
    if (!member) break;
    last = member;
    here = member.value;
  }
  return last;
}

function found(tree: Tree, is: (text: string) => boolean): number | undefined {
  if (tree.kind === "scalar") return typeof tree.value === "string" && is(tree.value) ? tree.at : undefined;
  const inner =
    tree.kind === "list"
      ? tree.items.map((item) => () => found(item, is))
      : tree.members.map(
          ({ key, at, value }) =>
            () =>
              is(key) ? at : found(value, is),
        );
  for (const look of inner) {
    const at = look();
    if (at !== undefined) return at;
  }
  return undefined;
}
