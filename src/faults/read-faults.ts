import { Shape } from "../cassette/written/shape.ts";
import { readTree, type Tree } from "../cassette/written/tree.ts";
import type { Deed, FaultKind } from "./kind.ts";
import type { Fault, FaultPlan, On, PlacedDeed } from "./plan.ts";
import { readOn } from "./read-on.ts";
import { FAULT_NAMES, faultsNamed } from "./table.ts";

export interface FaultText {
  readonly file: string;
  readonly text: string;
}

/**
 * Reads a faults file: a mapping with the list of faults, and what chance goes by.
 * @throws VcrError `faults-invalid`, with file, line and column
 */
export function readFaults({ file, text }: FaultText): FaultPlan {
  const source = { file, text, what: "a faults file", code: "faults-invalid" } as const;
  const shape = new Shape(source);
  const tree = readTree(source);
  if (tree.kind !== "map") throw shape.fault(tree.at, "a faults file must have its list as faults:", HINT);
  const members = shape.members(tree, {
    what: "a faults file",
    allowed: ["seed", "faults"],
    required: ["faults"],
  });
  return {
    seed: readSeed(members.get("seed"), shape),
    faults: readFaultList(members.get("faults") as Tree, shape),
  };
}

const HINT = "For instance:\nfaults:\n  - { on: { method: tools/call, nth: 3 }, do: { delay: 5s } }";
const SEED = 1;

function readSeed(tree: Tree | undefined, shape: Shape): number {
  return tree === undefined ? SEED : shape.whole(tree, "seed", 0);
}

/** The list alone, as a scenario carries it too. */
export function readFaultList(tree: Tree, shape: Shape): readonly Fault[] {
  const items = shape.list(tree, "faults");
  if (items.length === 0) throw shape.fault(tree.at, "there is no fault", HINT);
  return items.map((item) => readFault(item, shape));
}

function readFault(tree: Tree, shape: Shape): Fault {
  const members = shape.members(tree, { what: "a fault", allowed: ["on", "do"], required: ["do"] });
  const on = readOn(members.get("on"), shape);
  return { on, deeds: readDeeds(members.get("do") as Tree, on, shape) };
}

function readDeeds(tree: Tree, on: On, shape: Shape): readonly PlacedDeed[] {
  shape.members(tree, { what: "do", allowed: FAULT_NAMES });
  const members = tree.kind === "map" ? tree.members : [];
  if (members.length === 0)
    throw shape.fault(tree.at, "do says nothing", `It may be ${FAULT_NAMES.join(", ")}.`);
  let instead: string | undefined;
  return members.map(({ key, at, value }) => {
    const deed = readDeed(key, value, shape);
    const reason = mismatch(deed, on);
    if (reason) throw shape.fault(at, ...reason);
    if (deed.kind.instead && instead !== undefined) {
      const message = `${instead}: and ${key}: both stand in the place of the answer`;
      throw shape.fault(at, message, "Leave one of them out, or give each a fault with its own on:.");
    }
    if (deed.kind.instead) instead = key;
    return { ...deed, place: shape.place(at) };
  });
}

function readDeed(name: string, tree: Tree, shape: Shape): Deed {
  const kinds = faultsNamed(name);
  const values = kinds.map(({ value }) => value ?? "");
  if (kinds.length === 1) return (kinds[0] as FaultKind).read(tree, shape);
  const value = shape.oneOf(tree, values, name);
  return (kinds[values.indexOf(value)] as FaultKind).read(tree, shape);
}

/** Why a fault cannot strike what it is laid on, and the mend. */
function mismatch({ kind }: Deed, on: On): [message: string, hint: string] | undefined {
  const { name, only } = kind;
  if (only !== undefined && on.method !== only) {
    return [`${name} goes with method: ${only}`, `Write on: { method: ${only} }.`];
  }
  if (kind.atStart && on.afterEvents > 0) {
    return [`${name} comes before anything else, so not after events`, "Leave afterEvents out."];
  }
  return undefined;
}
