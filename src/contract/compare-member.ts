import { pointerOf } from "../protocol/json-diff.ts";
import { memberAt, rowOf } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import type { Change } from "./change.ts";
import type { Both } from "./compare-lists.ts";
import { namesOf, sameJson, verb } from "./compare-server.ts";
import { isObject, MEMBERS } from "./contract.ts";
import { changeOf, type RuleId } from "./rules.ts";

/** Members of a member that are compared as wholes, by what they are for. */
const PLAIN: Readonly<Record<string, RuleId>> = {
  description: "description-changed",
  title: "title-changed",
  icons: "icons-changed",
  mimeType: "mime-type-changed",
  size: "resource-facts-changed",
  annotations: "resource-facts-changed",
};

/** Members that have comparisons of their own. */
const APART: Readonly<Record<string, ReadonlySet<string>>> = {
  tools: new Set(["name", "inputSchema", "outputSchema", "annotations", "execution"]),
  resources: new Set(["uri"]),
  templates: new Set(["uriTemplate"]),
  prompts: new Set(["name", "arguments"]),
};

/** Whether it is for people alone: the name of what a URI identifies. */
function ruleFor(list: string, member: string): RuleId {
  if (member === "name" && list !== "tools" && list !== "prompts") return "title-changed";
  return rowOf(PLAIN, member) ?? "meta-changed";
}

/** Everything of a listed member that needs no further knowledge. */
export function compareMember({ list, name, before, after }: Both): Change[] {
  const { noun, root } = MEMBERS[list];
  return namesOf(before.value, after.value).flatMap((member) => {
    if (APART[list]?.has(member)) return [];
    const [old, now] = [memberAt(before.value, member), memberAt(after.value, member)];
    if (sameJson(lasting(member, old), lasting(member, now))) return [];
    const subject = `${noun} ${name}`;
    const pointer = pointerOf([root, name, member]);
    const message = `${member} of the ${subject} ${verb(old, now).replace("were", "was")}.`;
    return [changeOf(ruleFor(list, member), { subject, pointer, message, before: old, after: now })];
  });
}

/** When a resource was last changed differs from run to run; whether the server tells it does not. */
function lasting(member: string, value: JsonValue | undefined): JsonValue | undefined {
  const isTimed = member === "annotations" && isObject(value) && typeof value.lastModified === "string";
  return isTimed ? { ...value, lastModified: "" } : value;
}

/** The arguments of a prompt, which are told apart by their names. */
export function comparePrompt({ name, before, after }: Both): Change[] {
  const [old, now] = [argumentsOf(before.value), argumentsOf(after.value)];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap((argument) => {
    const at = {
      subject: `prompt ${name}`,
      pointer: pointerOf([MEMBERS.prompts.root, name, "arguments", argument]),
      before: old.get(argument),
      after: now.get(argument),
    };
    const found = argumentRule(at.before, at.after);
    const changes = found
      ? [changeOf(found.rule, { ...at, message: `The argument ${argument} ${found.what}.` })]
      : [];
    const texts = [at.before, at.after].map((each) => memberAt(each, "description"));
    if (at.before && at.after && !sameJson(texts[0], texts[1])) {
      const message = `description of the argument ${argument} ${verb(texts[0], texts[1]).replace("were", "was")}.`;
      changes.push(
        changeOf("description-changed", {
          subject: at.subject,
          pointer: `${at.pointer}/description`,
          message,
          before: texts[0],
          after: texts[1],
        }),
      );
    }
    return changes;
  });
}

function argumentsOf(prompt: JsonObject): ReadonlyMap<string, JsonObject> {
  const list = Array.isArray(prompt.arguments) ? prompt.arguments : [];
  return new Map(
    list.filter(isObject).flatMap((each) => (typeof each.name === "string" ? [[each.name, each]] : [])),
  );
}

function argumentRule(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): { readonly rule: RuleId; readonly what: string } | undefined {
  const [was, is] = [before, after].map((each) => memberAt(each, "required") === true);
  if (after === undefined) return { rule: "prompt-argument-removed", what: "is gone" };
  if (before === undefined) {
    return is
      ? { rule: "prompt-argument-required-added", what: "is new and required" }
      : { rule: "prompt-argument-added", what: "is new and optional" };
  }
  if (was === is) return undefined;
  return is
    ? { rule: "prompt-argument-made-required", what: "is required now" }
    : { rule: "prompt-argument-made-optional", what: "is no longer required" };
}
