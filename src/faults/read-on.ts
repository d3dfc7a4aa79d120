import { nearestWord } from "../cassette/fault.ts";
import type { Members, Shape } from "../cassette/written/shape.ts";
import type { Tree } from "../cassette/written/tree.ts";
import { METHODS, methodRow } from "../protocol/methods.ts";
import type { On, When } from "./plan.ts";

const KEYS = ["method", "name", "nth", "every", "probability", "connect", "afterEvents", "across"] as const;
const WHENS = ["nth", "every", "probability", "connect"] as const;
const ALL: On = {
  method: undefined,
  name: undefined,
  when: { kind: "always" },
  afterEvents: 0,
  across: "client",
};

const ASKED = METHODS.filter(({ kind, from }) => kind === "request" && from !== "server");

export function readOn(tree: Tree | undefined, shape: Shape): On {
  if (tree === undefined) return ALL;
  const members = shape.members(tree, { what: "on", allowed: KEYS });
  const method = members.get("method");
  const afterEvents = members.get("afterEvents");
  const across = members.get("across");
  const on: On = {
    method: method && readMethod(method, shape),
    name: readName(members, shape),
    when: readWhen(members, tree, shape),
    afterEvents: afterEvents ? shape.whole(afterEvents, "afterEvents", 1) : 0,
    across: across ? shape.oneOf(across, ["client", "all"], "across") : "client",
  };
  const other = method ?? across;
  if (on.when.kind === "connect" && other) {
    throw shape.fault(other.at, "connect is each client's first request, whatever it is", "Leave this out.");
  }
  if (on.when.kind === "always" && across) {
    throw shape.fault(across.at, "across is for what counts requests", "Add nth, every or probability.");
  }
  return on;
}

/** A method that no revision knows may be an extension's, but not one that is nearly a known one. */
function readMethod(tree: Tree, shape: Shape): string {
  const method = shape.text(tree, "method");
  if (ASKED.some((row) => row.method === method)) return method;
  if (methodRow(method)) {
    throw shape.fault(
      tree.at,
      `${method} is nothing that a client asks`,
      "Faults strike requests of clients.",
    );
  }
  const meant = nearestWord(
    method,
    ASKED.map((row) => row.method),
  );
  if (meant === undefined) return method;
  throw shape.fault(tree.at, `there is no method ${JSON.stringify(method)} (did you mean ${meant}?)`);
}

function readName(members: Members, shape: Shape): string | undefined {
  const tree = members.get("name");
  if (!tree) return undefined;
  const name = shape.text(tree, "name");
  const method = members.get("method");
  const row = method?.kind === "scalar" ? methodRow(String(method.value)) : undefined;
  if (row?.nameParam !== undefined) return name;
  const named = ASKED.filter(({ nameParam }) => nameParam !== undefined).map((each) => each.method);
  throw shape.fault(
    tree.at,
    "name goes with a method whose requests have one",
    `Such as ${named.join(", ")}.`,
  );
}

function readWhen(members: Members, tree: Tree, shape: Shape): When {
  const [kind, second] = WHENS.filter((each) => members.has(each));
  if (kind === undefined) return { kind: "always" };
  if (second !== undefined) throw shape.fault(tree.at, `on has either ${kind} or ${second}, not both`);
  const value = members.get(kind) as Tree;
  if (kind === "connect") {
    if (value.kind === "scalar" && value.value === true) return { kind };
    throw shape.fault(value.at, "connect must be true");
  }
  if (kind !== "probability") return { kind, value: shape.whole(value, kind, 1) };
  const chance = shape.number(value, kind);
  if (chance > 0 && chance <= 1) return { kind, value: chance };
  throw shape.fault(value.at, "probability must be above 0, and 1 at most");
}
