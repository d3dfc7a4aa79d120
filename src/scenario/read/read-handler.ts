import { Shape } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { Handler } from "../model.ts";
import { FUNCTION_KEY } from "./reading.ts";
import type { ReplyContext } from "./reply-context.ts";
import { valueSource } from "./value-tree.ts";

/** A function, which only a scenario that is a program can hold. */
export function readHandler(tree: Tree, context: ReplyContext): Handler {
  const { shape, functions } = context.reading;
  const index = tree.kind === "map" ? tree.members.find(({ key }) => key === FUNCTION_KEY)?.value : undefined;
  const call = index?.kind === "scalar" ? functions[Number(index.value)] : undefined;
  if (!call) {
    throw shape.fault(
      tree.at,
      "handler must be a function",
      "Only a scenario written in TypeScript or JavaScript has one.",
    );
  }
  const { file } = shape.place(tree.at);
  return {
    kind: context.kind,
    call: (request) => call(request),
    read: (answer) => {
      const { source, tree: returned, functions: own } = valueSource(answer, { file, what: "a scenario" });
      const reading = { ...context.reading, shape: new Shape(source), functions: own, verbatim: true };
      return context.readReturned(returned, { ...context, reading });
    },
  };
}
