import { nearestWord } from "../../cassette/fault.ts";
import type { Shape } from "../../cassette/written/shape.ts";
import { plainValue, type Tree } from "../../cassette/written/tree.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { asText, asWritten, problemOfReferences, ROOTS, referencesIn } from "../template.ts";

/** What the parts of a scenario are read with. */
export interface Reading {
  readonly shape: Shape;
  /** A name for a turn that no other turn has. */
  readonly newTurnId: () => string;
  /** Functions of a scenario that is a program, by the number that stands in their place. */
  readonly functions: readonly ((...args: unknown[]) => unknown)[];
  /** Texts hold no references: what stands in them is what is sent. */
  readonly verbatim: boolean;
  /** What breaks every revision is refused. */
  readonly validates: boolean;
}

/** The key of the mapping that stands for a function. No file can name it, since text has no such character there. */
export const FUNCTION_KEY = "\u0000function";

/** A value that may hold templates. */
export function templated(tree: Tree, reading: Reading): JsonValue {
  checkTemplates(tree, reading);
  return reading.verbatim ? asWritten(plainValue(tree)) : plainValue(tree);
}

export function templatedObject(tree: Tree, what: string, reading: Reading): JsonObject {
  reading.shape.object(tree, what);
  return templated(tree, reading) as JsonObject;
}

/** What comes of it is text, also where it is nothing but a reference to something else. */
export function templatedText(tree: Tree, what: string, reading: Reading): string {
  reading.shape.text(tree, what);
  return asText(templated(tree, reading) as string);
}

function checkTemplates(tree: Tree, reading: Reading): void {
  if (reading.verbatim) return;
  if (tree.kind === "list") for (const item of tree.items) checkTemplates(item, reading);
  if (tree.kind === "map") {
    for (const { key, at, value } of tree.members) {
      checkTemplate(key, at, reading);
      checkTemplates(value, reading);
    }
  }
  if (tree.kind === "scalar" && typeof tree.value === "string") checkTemplate(tree.value, tree.at, reading);
}

function checkTemplate(template: string, at: number, reading: Reading): void {
  const problem = problemOfReferences(template);
  if (problem !== undefined) throw reading.shape.fault(at, problem, "$${ stands for ${ itself.");
  for (const { text, path } of referencesIn(template)) {
    const [root = ""] = path;
    if ((ROOTS as readonly string[]).includes(root) && !path.includes("")) continue;
    const meant = nearestWord(root, ROOTS);
    throw reading.shape.fault(
      at,
      `\${${text}} refers to nothing${meant === undefined ? "" : ` (did you mean \${${[meant, ...path.slice(1)].join(".")}}?)`}`,
      `References begin with ${ROOTS.join(", ")}; $\${ stands for \${ itself.`,
    );
  }
}
