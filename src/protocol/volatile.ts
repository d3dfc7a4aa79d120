import { OPEN_ARRAY, OPEN_OBJECT } from "./json-tokens.ts";
import { type Message, textOf } from "./message.ts";
import { META } from "./revisions.ts";
import { memberSpans, type Span, scanJson } from "./scan-json.ts";

/**
 * What becomes of a member that differs from run to run.
 * `value`         a time, a duration, trace context: means nothing to anybody else
 * `progressToken` given with a request; `progress` is where it is echoed
 * `requestId`     names a request that is taken back
 * `subscription`  names the `subscriptions/listen` by its id
 * the others      minted by the server, echoed by the client; `elicitationUrl` has the elicitation's id in it
 */
export type VolatileKind =
  | "value"
  | "progressToken"
  | "progress"
  | "requestId"
  | "subscription"
  | "cursor"
  | "requestState"
  | "taskId"
  | "elicitationId"
  | "elicitationUrl";

interface Row {
  /** Of the message, or of the request it answers; absent: all. */
  readonly methods?: readonly string[];
  readonly part: "params" | "result" | "error";
  /** Member names; `*` stands for each element of an array. */
  readonly path: string;
  readonly kind: VolatileKind;
}

const LISTS = ["tools/list", "resources/list", "resources/templates/list", "prompts/list"];
const ROUNDS = ["tools/call", "prompts/get", "resources/read"];
const TASK_STATES = ["tools/call", "tasks/get", "tasks/cancel", "tasks/update"];
const TASK_NOTICES = ["notifications/tasks/status", "notifications/tasks"];
const RELATED_TASK = "io.modelcontextprotocol/related-task";

/**
 * Every volatile member of every revision's messages, from
 * https://github.com/modelcontextprotocol/modelcontextprotocol/tree/main/schema. Ids are apart, in each message.
 */
const ROWS: readonly Row[] = [
  { part: "params", path: "_meta progressToken", kind: "progressToken" },
  ...["traceparent", "tracestate", "baggage"].map(
    (name): Row => ({ part: "params", path: `_meta ${name}`, kind: "value" }),
  ),
  ...(["params", "result"] as const).flatMap((part): Row[] => [
    { part, path: `_meta ${META.subscriptionId}`, kind: "subscription" },
    { part, path: `_meta ${RELATED_TASK} taskId`, kind: "taskId" },
  ]),
  { methods: ["notifications/progress"], part: "params", path: "progressToken", kind: "progress" },
  { methods: ["notifications/cancelled"], part: "params", path: "requestId", kind: "requestId" },

  { methods: [...LISTS, "tasks/list"], part: "params", path: "cursor", kind: "cursor" },
  { methods: [...LISTS, "tasks/list"], part: "result", path: "nextCursor", kind: "cursor" },
  { methods: [...LISTS, "server/discover", "resources/read"], part: "result", path: "ttlMs", kind: "value" },
  { methods: ROUNDS, part: "params", path: "requestState", kind: "requestState" },
  { methods: ROUNDS, part: "result", path: "requestState", kind: "requestState" },

  { part: "params", path: "task ttl", kind: "value" },
  ...taskState("result", "task"),
  ...taskState("result", "", TASK_STATES),
  ...taskState("result", "tasks *", ["tasks/list"]),
  ...taskState("params", "", TASK_NOTICES),
  {
    methods: ["tasks/get", "tasks/result", "tasks/update", "tasks/cancel"],
    part: "params",
    path: "taskId",
    kind: "taskId",
  },
  {
    methods: ["subscriptions/listen", "notifications/subscriptions/acknowledged"],
    part: "params",
    path: "notifications taskIds *",
    kind: "taskId",
  },

  {
    methods: ["elicitation/create", "notifications/elicitation/complete"],
    part: "params",
    path: "elicitationId",
    kind: "elicitationId",
  },
  { methods: ["elicitation/create"], part: "params", path: "url", kind: "elicitationUrl" },
  { part: "error", path: "data elicitations * elicitationId", kind: "elicitationId" },
  { part: "error", path: "data elicitations * url", kind: "elicitationUrl" },

  ...[
    { methods: ["resources/list"], path: "resources *" },
    { methods: ["resources/templates/list"], path: "resourceTemplates *" },
    { methods: ["tools/call", "tasks/result"], path: "content *" },
    { methods: ["prompts/get"], path: "messages * content" },
  ].map(
    ({ methods, path }): Row => ({
      methods,
      part: "result",
      path: `${path} annotations lastModified`,
      kind: "value",
    }),
  ),
];

function taskState(part: Row["part"], at: string, methods?: readonly string[]): Row[] {
  const of = methods ? { methods } : {};
  const path = (name: string) => `${at} ${name}`.trim();
  const values = ["createdAt", "lastUpdatedAt", "ttl", "ttlMs", "pollInterval", "pollIntervalMs"];
  return [
    { ...of, part, path: path("taskId"), kind: "taskId" },
    ...values.map((name): Row => ({ ...of, part, path: path(name), kind: "value" })),
  ];
}

/** A volatile member of one message, and the place of its value in the message's bytes. */
export interface Volatile {
  readonly kind: VolatileKind;
  /** Its place as a path that is the same wherever the member stands among others. */
  readonly path: string;
  readonly span: Span;
}

const PARTS = ["params", "result", "error"] as const;

/**
 * The volatile members of a message, its id apart.
 * @param method of the message, or of the request it answers
 */
export function volatilesOf({ bytes, scan }: Message, method: string | undefined): Volatile[] {
  const found: Volatile[] = [];
  for (const part of PARTS) {
    const span = scan.members[part];
    if (!span) continue;
    const root = branchOf(part, method);
    if (mayHold(bytes.subarray(span.start, span.end), root))
      collect({ bytes, found }, root, { span, path: part });
  }
  return found;
}

interface Branch {
  kind?: VolatileKind;
  readonly children: Map<string, Branch>;
}

interface Root extends Branch {
  /** Finds itself in every text that holds what the branches lead to, and in few others. */
  readonly sign: RegExp;
}

const branches = new Map<string, Root>();
const NAMED = new Set(ROWS.flatMap(({ methods }) => methods ?? []));

function branchOf(part: Row["part"], method: string | undefined): Root {
  // Methods of nobody's protocol share one, so that their number has no end to fear.
  const name = method !== undefined && NAMED.has(method) ? method : "";
  const key = `${part} ${name}`;
  const known = branches.get(key);
  if (known) return known;
  const rows = ROWS.filter((row) => row.part === part && (row.methods?.includes(name) ?? true));
  const root: Root = { children: new Map(), sign: signOf(rows) };
  for (const row of rows) grow(root, row);
  branches.set(key, root);
  return root;
}

/** The last named steps as keys; a key may also be written with escapes. */
function signOf(rows: readonly Row[]): RegExp {
  const names = rows.map(({ path }) => path.split(" ").findLast((step) => step !== "*") as string);
  const escaped = [...new Set(names)].map((name) => name.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  return new RegExp(`"(?:${escaped.join("|")})"|\\\\u`);
}

/** Most messages hold nothing volatile, which a look at their text tells sooner than a walk through it. */
function mayHold(text: Uint8Array, { sign }: Root): boolean {
  return sign.test(textOf(text));
}

function grow(root: Branch, { path, kind }: Row): void {
  let branch = root;
  for (const step of path.split(" ")) {
    const next: Branch = branch.children.get(step) ?? { children: new Map() };
    branch.children.set(step, next);
    branch = next;
  }
  branch.kind = kind;
}

interface Collecting {
  readonly bytes: Uint8Array;
  readonly found: Volatile[];
}

function collect(all: Collecting, branch: Branch, { span, path }: Pick<Volatile, "span" | "path">): void {
  if (branch.kind !== undefined) all.found.push({ kind: branch.kind, path, span });
  if (branch.children.size === 0) return;
  const own = all.bytes.subarray(span.start, span.end);
  const at = ({ start, end }: Span) => ({ start: span.start + start, end: span.start + end });
  if (own[0] === OPEN_OBJECT) {
    for (const { key, value } of memberSpans(own) ?? []) {
      const next = branch.children.get(key);
      if (next) collect(all, next, { span: at(value), path: `${path}/${key}` });
    }
  } else if (own[0] === OPEN_ARRAY) {
    const each = branch.children.get("*");
    if (!each) return;
    for (const [index, item] of scanJson(own).items.entries()) {
      collect(all, each, { span: at(item), path: `${path}/${index}` });
    }
  }
}
