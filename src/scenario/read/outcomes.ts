import type { Members } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type { Outcome, ReplyKind } from "../model.ts";
import { readBlob, readContent, readContents, readMessages } from "./content.ts";
import { readHandler } from "./read-handler.ts";
import { type Reading, templated, templatedObject, templatedText } from "./reading.ts";
import { type ReplyContext, WHAT } from "./reply-context.ts";

type Read = (tree: Tree, reading: Reading) => JsonObject;

/** Parts of a result, by the member of a reply that says them. */
const PARTS: Readonly<Record<ReplyKind, Readonly<Record<string, Read>>>> = {
  tool: {
    text: (tree, reading) => ({ content: [{ type: "text", text: templatedText(tree, "text", reading) }] }),
    content: (tree, reading) => ({ content: readContent(tree, reading) }),
    structuredContent: (tree, reading) => ({ structuredContent: templated(tree, reading) }),
    toolError: (tree, reading) => ({
      content:
        tree.kind === "list"
          ? readContent(tree, reading)
          : [{ type: "text", text: templatedText(tree, "toolError", reading) }],
      isError: true,
    }),
    _meta: (tree, reading) => ({ _meta: templatedObject(tree, "_meta", reading) }),
  },
  // What is still missing of the contents (URI, type) comes from the resource.
  resource: {
    text: (tree, reading) => ({ contents: [{ text: templatedText(tree, "text", reading) }] }),
    blob: (tree, reading) => ({ contents: [{ blob: readBlob(tree, reading) }] }),
    contents: (tree, reading) => ({ contents: readContents(tree, reading) }),
    _meta: (tree, reading) => ({ _meta: templatedObject(tree, "_meta", reading) }),
  },
  prompt: {
    text: (tree, reading) => ({
      messages: [{ role: "user", content: { type: "text", text: templatedText(tree, "text", reading) } }],
    }),
    messages: (tree, reading) => ({ messages: readMessages(tree, reading) }),
    description: (tree, reading) => ({ description: templatedText(tree, "description", reading) }),
    _meta: (tree, reading) => ({ _meta: templatedObject(tree, "_meta", reading) }),
  },
  method: {},
};

/** Parts that another one has to go with. */
const BESIDES = new Set(["description", "_meta"]);
/** Parts that say the same in two ways, or a failure and what is known of it. */
const PAIRS = new Set(["text structuredContent", "content structuredContent", "structuredContent toolError"]);

const ANY_KIND: Readonly<Record<string, (tree: Tree, context: ReplyContext) => Outcome>> = {
  error: (tree, { reading }) => ({ kind: "error", error: readError(tree, reading) }),
  hang: (tree, { reading: { shape } }) => {
    if (shape.yesOrNo(tree, "hang")) return { kind: "hang" };
    throw shape.fault(tree.at, "hang: false says nothing", "Leave it out, and say what is answered.");
  },
  result: (tree, { reading }) => ({
    kind: "result",
    result: templatedObject(tree, "result", reading),
    whole: true,
  }),
  handler: (tree, context) => ({ kind: "handler", answer: readHandler(tree, context) }),
};

const GENERATE: typeof ANY_KIND = {
  generate: (tree, { reading: { shape } }) => {
    if (shape.yesOrNo(tree, "generate")) return { kind: "generate" };
    throw shape.fault(tree.at, "generate: false says nothing", "Leave it out, and say what is answered.");
  },
};

function alone(kind: ReplyKind): typeof ANY_KIND {
  return kind === "tool" ? { ...ANY_KIND, ...GENERATE } : ANY_KIND;
}

/** The members of a reply that say what is answered. */
export function outcomeKeys(kind: ReplyKind): readonly string[] {
  return [...Object.keys(PARTS[kind]), ...Object.keys(alone(kind))];
}

export function readOutcome(tree: Tree, members: Members, context: ReplyContext): Outcome {
  const { kind, reading } = context;
  const { shape } = reading;
  const said = outcomeKeys(kind).filter((key) => members.has(key));
  const main = said.filter((key) => !BESIDES.has(key));
  const [first, second] = main;
  if (first === undefined) {
    const keys = outcomeKeys(kind).filter((key) => !BESIDES.has(key) && key !== "handler");
    throw shape.fault(tree.at, `${WHAT[kind]} must say what is answered`, `Add one of ${keys.join(", ")}.`);
  }
  if (second !== undefined && !(main.length === 2 && PAIRS.has(`${first} ${second}`))) {
    const at = members.get(second)?.at ?? tree.at;
    throw shape.fault(at, `${first}: and ${second}: both say what is answered`, "Leave one of them out.");
  }
  const read = alone(kind)[first];
  if (!read) return { kind: "result", result: resultOf(said, members, context), whole: false };
  const besides = said.find((key) => BESIDES.has(key));
  if (besides !== undefined) {
    throw shape.fault(members.get(besides)?.at ?? tree.at, `${besides}: does not go with ${first}:`);
  }
  return read(members.get(first) as Tree, context);
}

function resultOf(keys: readonly string[], members: Members, { kind, reading }: ReplyContext): JsonObject {
  const parts = keys.map((key) => (PARTS[kind][key] as Read)(members.get(key) as Tree, reading));
  return Object.assign({}, ...parts) as JsonObject;
}

/** JSON-RPC 2.0 section 5.1. */
function readError(tree: Tree, reading: Reading): JsonObject {
  const { shape } = reading;
  const members = shape.members(tree, {
    what: "error",
    allowed: ["code", "message", "data"],
    required: ["code", "message"],
  });
  const code = members.get("code") as Tree;
  if (code.kind !== "scalar" || !Number.isSafeInteger(code.value)) {
    throw shape.fault(
      code.at,
      "code must be a whole number",
      "JSON-RPC: -32603 is an internal error, -32602 invalid params.",
    );
  }
  templatedText(members.get("message") as Tree, "message", reading);
  return templatedObject(tree, "error", reading);
}
