import type { Shape } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";

/** Members of a capability; `flag` is true or false, `anything` an object of whatever there is. */
interface Names {
  readonly [name: string]: Names | "flag" | "anything";
}

const LISTS: Names = { listChanged: "flag" };
const OPEN: Names = { experimental: "anything", extensions: "anything" };

/** ClientCapabilities of all revisions. */
const CLIENT: Names = {
  roots: LISTS,
  sampling: { context: "anything", tools: "anything" },
  elicitation: { form: "anything", url: "anything" },
  tasks: {
    list: "anything",
    cancel: "anything",
    requests: { sampling: { createMessage: "anything" }, elicitation: { create: "anything" } },
  },
  ...OPEN,
};

/** ServerCapabilities of all revisions. */
const SERVER: Names = {
  tools: LISTS,
  prompts: LISTS,
  resources: { subscribe: "flag", ...LISTS },
  logging: "anything",
  completions: "anything",
  tasks: { list: "anything", cancel: "anything", requests: { tools: { call: "anything" } } },
  ...OPEN,
};

/** Refuses conditions on capabilities that no client has. */
export function checkClientNames(tree: Tree, shape: Shape): void {
  checkNames(tree, CLIENT, shape);
}

function checkNames(tree: Tree, names: Names, shape: Shape): void {
  if (tree.kind !== "map") return;
  for (const member of tree.members) {
    const { key, value } = member;
    const inner = Object.hasOwn(names, key) ? names[key] : undefined;
    if (typeof inner === "object") checkCondition(value, inner, shape);
    if (inner === undefined) throw shape.unknown(member, "what a client declares", Object.keys(names));
  }
}

/** Operators that say what the value itself is, of which nothing more is known here. */
const WHOLE = new Set(["any", "equals", "schema", "pattern", "min", "max", "above", "below"]);

function checkCondition(tree: Tree, names: Names, shape: Shape): void {
  if (tree.kind !== "map") return;
  const [first] = tree.members;
  if (first && WHOLE.has(first.key)) return;
  if (first?.key === "not" || first?.key === "members") return checkCondition(first.value, names, shape);
  if (first?.key === "oneOf") {
    for (const each of first.value.kind === "list" ? first.value.items : [])
      checkCondition(each, names, shape);
    return;
  }
  checkNames(tree, names, shape);
}

/** Refuses capabilities that no revision has, and those that are not what they have to be; null takes one away. */
export function checkServerCapabilities(tree: Tree, shape: Shape): void {
  checkCapability(tree, SERVER, { what: "capabilities", shape });
}

function checkCapability(
  tree: Tree,
  names: Names,
  { what, shape }: { readonly what: string; readonly shape: Shape },
): void {
  if (tree.kind === "scalar" && tree.value === null) return;
  for (const [key, value] of shape.members(tree, { what, allowed: Object.keys(names) })) {
    const inner = names[key];
    if (typeof inner === "object") checkCapability(value, inner, { what: key, shape });
    else if (value.kind === "scalar" && value.value === null) continue;
    else if (inner === "flag") shape.yesOrNo(value, key);
    else shape.object(value, key);
  }
}
