import { Shape } from "../../cassette/written/shape.ts";
import { readTree, type Tree, type WrittenSource } from "../../cassette/written/tree.ts";
import { AUTO, DEFAULT_TIMEOUT, type Plan } from "../step.ts";
import { answerSet, rawAnswers } from "./answers.ts";
import { readSteps } from "./read-steps.ts";

const TOP = ["client", "timeout", "steps"] as const;
const CLIENT = ["name", "version", "capabilities", "roots", "elicitation", "sampling"] as const;

/**
 * Reads a drive file: a list of steps, or a mapping that says more about the client.
 * @throws VcrError `usage`, with file, line and column
 */
export function readPlan(text: Pick<WrittenSource, "file" | "text">): Plan {
  const source: WrittenSource = { ...text, what: "a drive file", code: "usage" };
  const shape = new Shape(source);
  const tree = readTree(source);
  if (tree.kind === "list") return { ...AUTO, steps: readSteps(tree, shape) };
  if (tree.kind === "scalar") {
    throw shape.fault(
      tree.at,
      "a drive file must be a list of steps, or a mapping of client, timeout, steps",
      HINT,
    );
  }
  const members = shape.members(tree, { what: "a drive file", allowed: TOP, required: ["steps"] });
  const timeout = members.get("timeout");
  return {
    ...readClient(members.get("client"), shape),
    timeout: timeout === undefined ? DEFAULT_TIMEOUT : shape.duration(timeout, "timeout"),
    steps: readSteps(members.get("steps") as Tree, shape),
  };
}

const HINT = "For instance:\n- list: tools\n- call: forecast\n  arguments: { city: Oslo }";

function readClient(tree: Tree | undefined, shape: Shape): Pick<Plan, "client" | "answers"> {
  if (tree === undefined) return { client: {}, answers: {} };
  const members = shape.members(tree, { what: "client", allowed: CLIENT });
  const [name, version, capabilities] = ["name", "version", "capabilities"].map((key) => members.get(key));
  return {
    client: {
      name: name && shape.text(name, "name"),
      version: version && shape.text(version, "version"),
      capabilities: capabilities && shape.object(capabilities, "capabilities"),
    },
    answers: answerSet(rawAnswers(members), shape),
  };
}
