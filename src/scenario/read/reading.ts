import { nearestWord } from "../../cassette/fault.ts";
import type { Shape } from "../../cassette/written/shape.ts";
import { plainValue, type Tree } from "../../cassette/written/tree.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { asText, ROOTS, referencesIn } from "../template.ts";

/** What the parts of a scenario are read with. */
export interface Reading {
  readonly shape: Shape;
  /** A name for a turn that no other turn has. */
  readonly newTurnId: () => string;
  /** Functions of a scenario that is a program, by the number that stands in their place. */
  readonly functions: readonly ((...args: unknown[]) => unknown)[];
}

/** The key of the mapping that stands for a function. No file can name it, since text has no such character there. */
export const FUNCTION_KEY = "\u0000function";

/** A value that may hold templates. */
export function templated(tree: Tree, reading: Reading): JsonValue {
  checkTemplates(tree, reading);
  return plainValue(tree);
}

export function templatedObject(tree: Tree, what: string, reading: Reading): JsonObject {
  checkTemplates(tree, reading);
  return reading.shape.object(tree, what);
}

/** What comes of it is text, also where it is nothing but a reference to something else. */
export function templatedText(tree: Tree, what: string, reading: Reading): string {
  checkTemplates(tree, reading);
  return asText(reading.shape.text(tree, what));
}

function checkTemplates(tree: Tree, reading: Reading): void {
  if (tree.kind === "list") for (const item of tree.items) checkTemplates(item, reading);
  if (tree.kind === "map") for (const { value } of tree.members) checkTemplates(value, reading);
  if (tree.kind !== "scalar" || typeof tree.value !== "string") return;
  for (const { text, path } of referencesIn(tree.value)) {
    const [root = ""] = path;
    if ((ROOTS as readonly string[]).includes(root) && !path.includes("")) continue;
    const meant = nearestWord(root, ROOTS);
    throw reading.shape.fault(
      tree.at,
      `\${${text}} refers to nothing${meant === undefined ? "" : ` (did you mean \${${[meant, ...path.slice(1)].join(".")}}?)`}`,
      `References begin with ${ROOTS.join(", ")}; $\${ stands for \${ itself.`,
    );
  }
}
