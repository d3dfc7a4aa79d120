import type { Members, Shape } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonObject } from "../../protocol/message.ts";
import { type Answer, type AnswerKind, type AnswerSet, ASKED } from "../answers.ts";

export const ANSWER_KINDS = Object.keys(ASKED) as AnswerKind[];

type Raw = Readonly<Partial<Record<AnswerKind, Tree>>>;

/** The members that are answers. */
export function rawAnswers(members: Members): Raw {
  return Object.fromEntries(ANSWER_KINDS.flatMap((kind) => pair(kind, members.get(kind))));
}

function pair(kind: AnswerKind, tree: Tree | undefined): [AnswerKind, Tree][] {
  return tree === undefined ? [] : [[kind, tree]];
}

export function answerSet(raw: Raw, shape: Shape): AnswerSet {
  return Object.fromEntries(
    ANSWER_KINDS.flatMap((kind) =>
      raw[kind] === undefined ? [] : [[kind, READERS[kind](raw[kind], shape)]],
    ),
  );
}

const READERS: Readonly<Record<AnswerKind, (tree: Tree, shape: Shape) => readonly Answer[]>> = {
  elicitation: (tree, shape) => oneOrMore(tree, shape, elicitation),
  sampling: (tree, shape) => oneOrMore(tree, shape, sampling),
  roots: (tree, shape) => [roots(tree, shape)],
};

/** One answer, or a list of them: the first for the first question, and so on. */
function oneOrMore(tree: Tree, shape: Shape, read: (tree: Tree, shape: Shape) => Answer): readonly Answer[] {
  if (tree.kind !== "list") return [read(tree, shape)];
  if (tree.items.length === 0) throw shape.fault(tree.at, "a list of answers must hold one at least");
  return tree.items.map((item) => read(item, shape));
}

const ACTIONS = ["accept", "decline", "cancel"] as const;

function elicitation(tree: Tree, shape: Shape): Answer {
  const refusal = refused(tree, shape);
  if (refusal) return refusal;
  const allowed = ["action", "content", "error"];
  const members = shape.members(tree, { what: "elicitation", allowed, required: ["action"] });
  const action = shape.oneOf(members.get("action") as Tree, ACTIONS, "action");
  const content = members.get("content");
  if (content !== undefined && action !== "accept") {
    throw shape.fault(content.at, `content goes with action: accept, not with ${action}`);
  }
  return { result: { action, ...(content && { content: shape.object(content, "content") }) } };
}

const SAMPLING = ["role", "model", "content", "stopReason", "error"] as const;

/** A result of sampling/createMessage; who speaks and which model are filled in where they are left out. */
function sampling(tree: Tree, shape: Shape): Answer {
  const refusal = refused(tree, shape);
  if (refusal) return refusal;
  const members = shape.members(tree, { what: "sampling", allowed: SAMPLING, required: ["content"] });
  const content = members.get("content") as Tree;
  const spoken = content.kind === "list" ? shape.value(content) : shape.object(content, "content");
  const given = shape.object(tree, "sampling");
  return { result: { role: "assistant", model: "mcp-vcr", ...given, content: spoken } };
}

function roots(tree: Tree, shape: Shape): Answer {
  const refusal = tree.kind === "map" ? refused(tree, shape) : undefined;
  if (refusal) return refusal;
  const items = shape.list(tree, "roots").map((item): JsonObject => {
    const members = shape.members(item, { what: "a root", allowed: ["uri", "name"], required: ["uri"] });
    shape.text(members.get("uri") as Tree, "uri");
    return shape.object(item, "a root");
  });
  return { result: { roots: items } };
}

/** `error: { code, message }` in the place of any answer. */
function refused(tree: Tree, shape: Shape): Answer | undefined {
  if (tree.kind !== "map" || !tree.members.some(({ key }) => key === "error")) return undefined;
  const only = shape.members(tree, { what: "an answer with error", allowed: ["error"] });
  const error = only.get("error") as Tree;
  const allowed = ["code", "message", "data"];
  const members = shape.members(error, { what: "error", allowed, required: ["code", "message"] });
  const code = shape.value(members.get("code") as Tree);
  if (!Number.isSafeInteger(code))
    throw shape.fault((members.get("code") as Tree).at, "code must be a whole number");
  const message = shape.text(members.get("message") as Tree, "message");
  const data = members.get("data");
  return { error: { code: code as number, message, ...(data && { data: shape.value(data) }) } };
}
