import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type { Ask } from "../model.ts";
import { checkForm } from "./read-form.ts";
import { type Reading, templatedObject } from "./reading.ts";

type Read = (tree: Tree, reading: Reading) => Omit<Ask, "validate">;

const READERS: Readonly<Record<string, Read>> = {
  elicit: readElicitation,
  sample: readSampling,
  roots: (tree, { shape }) => {
    shape.members(tree, { what: "roots", allowed: [] });
    return { method: "roots/list", params: {}, completes: undefined };
  },
};

/** What the client is asked for, each under a name that answers are found by. */
export function readAsks(tree: Tree, reading: Reading): ReadonlyMap<string, Ask> {
  const { shape } = reading;
  const kinds = Object.keys(READERS);
  if (tree.kind !== "map" || tree.members.length === 0) {
    throw shape.fault(
      tree.at,
      "ask must be a mapping of names to questions",
      "For instance: ask: { name: { elicit: … } }",
    );
  }
  return new Map(
    tree.members.map(({ key, value }) => {
      const [only, second] = [...shape.members(value, { what: `the question ${key}`, allowed: kinds })];
      if (!only || second) {
        throw shape.fault(value.at, `the question ${key} must have one of ${kinds.join(", ")}`);
      }
      return [key, { ...(READERS[only[0]] as Read)(only[1], reading), validate: reading.validates }];
    }),
  );
}

const FORM = ["mode", "message", "requestedSchema", "_meta"];
const URL = ["mode", "message", "url", "elicitationId", "completes", "_meta"];

/** By a form, or by a page to be opened (2025-11-25 client/elicitation). */
function readElicitation(tree: Tree, reading: Reading): ReturnType<Read> {
  const { shape } = reading;
  const mode = tree.kind === "map" ? tree.members.find(({ key }) => key === "mode")?.value : undefined;
  const byUrl = mode !== undefined && shape.oneOf(mode, ["form", "url"], "mode") === "url";
  const members = shape.members(tree, {
    what: byUrl ? "an elicitation by URL" : "an elicitation",
    allowed: byUrl ? URL : FORM,
    required: byUrl ? ["message", "url"] : ["message", "requestedSchema"],
  });
  const completes = members.get("completes");
  const params = templatedObject(tree, "elicit", reading);
  delete params.completes;
  const form = members.get("requestedSchema");
  if (form && reading.validates) checkForm(form, shape);
  return {
    method: "elicitation/create",
    params: byUrl ? params : withoutMode(params),
    completes: completes && shape.duration(completes, "completes"),
  };
}

/** A form is what every revision with elicitation knows, the word for it only the later ones. */
function withoutMode({ mode: _, ...params }: JsonObject): JsonObject {
  return params as JsonObject;
}

const SAMPLING = [
  "messages",
  "modelPreferences",
  "systemPrompt",
  "includeContext",
  "temperature",
  "maxTokens",
  "stopSequences",
  "metadata",
  "tools",
  "toolChoice",
  "_meta",
];

function readSampling(tree: Tree, reading: Reading): ReturnType<Read> {
  const { shape } = reading;
  const members = shape.members(tree, {
    what: "sample",
    allowed: SAMPLING,
    required: ["messages", "maxTokens"],
  });
  shape.list(members.get("messages") as Tree, "messages");
  shape.whole(members.get("maxTokens") as Tree, "maxTokens", 1);
  return {
    method: "sampling/createMessage",
    params: templatedObject(tree, "sample", reading),
    completes: undefined,
  };
}
