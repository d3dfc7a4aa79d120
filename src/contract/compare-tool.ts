import { pointerOf } from "../protocol/json-diff.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { eraOf } from "../protocol/revisions.ts";
import { paramHeaders } from "../wire/param-headers.ts";
import type { Change } from "./change.ts";
import type { Both } from "./compare-lists.ts";
import { sameJson } from "./compare-server.ts";
import { isObject, MEMBERS, type Revisions } from "./contract.ts";
import type { Found } from "./rules/rule.ts";
import { changeOf, type RuleId } from "./rules.ts";

/** Everything of a tool but what its schemas accept. `revisions` are the new side's. */
export function compareTool({ name, before, after }: Both, revisions: Revisions): Change[] {
  const changes: Change[] = [];
  const [old, now] = [before.value, after.value];
  const say: Say = (rule, path, found) =>
    changes.push(
      changeOf(rule, {
        subject: `tool ${name}`,
        pointer: pointerOf([MEMBERS.tools.root, name, ...path]),
        before: memberAt(old, ...path),
        after: memberAt(now, ...path),
        ...found,
      }),
    );
  compareHints(old.annotations, now.annotations, say);
  compareTaskSupport(old, now, say);
  compareHeaders(old.inputSchema, now.inputSchema, say);
  compareRoots({ old, now, revisions }, say);
  return changes;
}

type Say = (
  rule: RuleId,
  path: readonly string[],
  found: Pick<Found, "message" | "class" | "before" | "after">,
) => void;

interface Hint {
  readonly name: string;
  /** What counts where it is left out (ToolAnnotations in the schema of every revision since 2025-03-26). */
  readonly default: boolean;
  /** The value with which a tool may do more harm. */
  readonly risky: boolean;
  readonly true: string;
  readonly false: string;
}

const DESTRUCTIVE: Hint = {
  name: "destructiveHint",
  default: true,
  risky: true,
  true: "may destroy",
  false: "only adds",
};

const HINTS: readonly Hint[] = [
  { name: "readOnlyHint", default: false, risky: false, true: "only reads", false: "may change things" },
  DESTRUCTIVE,
  {
    name: "idempotentHint",
    default: false,
    risky: false,
    true: "does no more when called again",
    false: "may do more when called again",
  },
  {
    name: "openWorldHint",
    default: true,
    risky: true,
    true: "reaches the outside world",
    false: "stays in a closed world",
  },
];

function compareHints(before: JsonValue | undefined, after: JsonValue | undefined, say: Say): void {
  const reads = [before, after].map((each) => memberAt(each, "readOnlyHint") === true);
  for (const hint of HINTS) {
    if (!counts(hint, reads)) continue;
    const [was, is] = [effective(hint, before), effective(hint, after)];
    if (was === is) continue;
    const [then, now] = [wordsOf(hint, was, before), wordsOf(hint, is, after)];
    const rule = is === hint.risky ? "annotation-riskier" : "annotation-safer";
    const message = `The tool now says that it ${now}; it was: ${then}.`;
    say(rule, ["annotations", hint.name], { message, before: was, after: is });
  }
  const titles = [before, after].map((each) => memberAt(each, "title"));
  if (!sameJson(titles[0], titles[1])) {
    say("title-changed", ["annotations", "title"], {
      message: "The title in the tool's annotations changed.",
    });
  }
}

/** What is said besides of a tool that only reads means nothing (2025-11-25 schema, ToolAnnotations). */
function counts({ name }: Hint, [read, reads]: readonly (boolean | undefined)[]): boolean {
  return name === "destructiveHint" || name === "idempotentHint" ? !read && !reads : true;
}

/** Whether it destroys is told with that it changes things: of a tool that only reads it is not said apart. */
function wordsOf(hint: Hint, value: boolean, annotations: JsonValue | undefined): string {
  const words = value ? hint.true : hint.false;
  const destroys = hint.name === "readOnlyHint" && !value && effective(DESTRUCTIVE, annotations);
  return destroys ? `${words} and destroy` : words;
}

function effective(hint: Hint, annotations: JsonValue | undefined): boolean {
  const value = memberAt(annotations, hint.name);
  return typeof value === "boolean" ? value : hint.default;
}

function compareTaskSupport(old: JsonObject, now: JsonObject, say: Say): void {
  const path = ["execution", "taskSupport"];
  // 2025-11-25, Tool.execution: forbidden where nothing is said.
  const [was, is] = [old, now].map((tool) => memberAt(tool, ...path) ?? "forbidden");
  if (was === is) return;
  if (is === "required") say("task-support-required", path, { message: "The tool runs as a task only." });
  else if (is === "forbidden") {
    say("task-support-dropped", path, { message: `The tool no longer runs as a task; that was ${was}.` });
  } else say("task-support-added", path, { message: "The tool runs with and without a task." });
}

function compareHeaders(before: JsonValue | undefined, after: JsonValue | undefined, say: Say): void {
  const [old, now] = [before, after].map((schema) => (schema === undefined ? [] : paramHeaders(schema)));
  if (!now) {
    if (old) {
      const message =
        "An x-mcp-header in the input schema breaks the rules, so clients over HTTP drop the tool.";
      say("header-mirror-invalid", ["inputSchema"], { message });
    }
    return;
  }
  const [was, is] = [headersText(old ?? []), headersText(now)];
  if (was === is) return;
  const message = `Arguments mirrored in HTTP headers: ${is || "none"}; before: ${was || "none"}.`;
  say("header-mirror-changed", ["inputSchema"], { message, before: was, after: is });
}

function headersText(headers: NonNullable<ReturnType<typeof paramHeaders>>): string {
  return headers
    .map(({ header, path }) => `${path.join(".")} as ${header}`)
    .sort()
    .join(", ");
}

interface Roots {
  readonly old: JsonObject;
  readonly now: JsonObject;
  readonly revisions: Revisions;
}

function compareRoots({ old, now, revisions }: Roots, say: Say): void {
  if (isObjectRoot(old.inputSchema) && !isObjectRoot(now.inputSchema)) {
    say("input-root-not-object", ["inputSchema"], {
      message: 'The input schema no longer has `type: "object"`.',
    });
  }
  const [before, after] = [old.outputSchema, now.outputSchema];
  if (before === undefined && after !== undefined) {
    say("output-schema-added", ["outputSchema"], { message: "Results now have an output schema." });
  }
  if (before !== undefined && after === undefined) {
    say("output-schema-removed", ["outputSchema"], { message: "Results no longer have an output schema." });
  }
  if ((before === undefined || isObjectRoot(before)) && after !== undefined && !isObjectRoot(after)) {
    const spoken = revisions.spoken;
    const modern = spoken.length > 0 && spoken.every((version) => eraOf(version) === "modern");
    const message = 'The output schema has no `type: "object"`.';
    say("output-root-not-object", ["outputSchema"], { message, class: modern ? "risky" : "breaking" });
  }
}

function isObjectRoot(schema: JsonValue | undefined): boolean {
  return isObject(schema) && schema.type === "object";
}
