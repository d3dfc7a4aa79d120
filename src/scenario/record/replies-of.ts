import { canonicalJson } from "../../protocol/canonical.ts";
import { memberAt, rowOf } from "../../protocol/member.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { isObject } from "../matcher.ts";
import type { ReplyKind } from "../model.ts";
import { asWritten } from "../template.ts";
import type { RecordedCall, RecordedStep } from "./recorded-call.ts";
import { resultMembers } from "./result-members.ts";

export interface Answered {
  readonly kind: ReplyKind;
  /** The arguments of a request, by which replies are told apart. */
  readonly argsOf: (call: RecordedCall) => JsonObject;
  /** Names of arguments that can be given; one that was not is asked not to be. */
  readonly names: readonly string[];
}

/** Replies that answer as recorded: one for each distinct request, a sequence where it was answered differently. */
export function repliesOf(calls: readonly RecordedCall[], answered: Answered): JsonObject[] {
  const first = calls.filter(({ params }) => params.inputResponses === undefined);
  const groups = new Map<string, RecordedCall[]>();
  for (const call of first) {
    const key = canonicalJson(answered.argsOf(call));
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups.values()].flatMap((group) => {
    const turns: JsonObject[] = group
      .map((call) => turnOf(call, calls, answered))
      .filter((turn) => turn !== undefined);
    const [turn] = turns;
    if (!turn) return [];
    const when = whenOf(answered.argsOf(group[0] as RecordedCall), answered.names);
    const same = turns.every((each) => canonicalJson(each) === canonicalJson(turn));
    return [
      { ...(Object.keys(when).length > 0 ? { when } : {}), ...(same ? turn : { sequence: [...turns] }) },
    ];
  });
}

function whenOf(args: JsonObject, names: readonly string[]): JsonObject {
  const given = Object.entries(args).map(
    ([key, value]) => [key, isObject(value) ? { equals: value } : value] as const,
  );
  const absent = names
    .filter((name) => !Object.hasOwn(args, name))
    .map((name) => [name, { any: false }] as const);
  return Object.fromEntries([...given, ...absent]);
}

/** Undefined for one that had no end, or none that a scenario has. */
function turnOf(
  call: RecordedCall,
  all: readonly RecordedCall[],
  answered: Answered,
): JsonObject | undefined {
  const { result, error, cancelled, steps } = call;
  if (result?.resultType === "input_required") return roundOf(call, all, answered);
  const outcome = result
    ? resultMembers(answered.kind, result)
    : error
      ? { error }
      : cancelled
        ? { hang: true }
        : undefined;
  if (!outcome) return undefined;
  const written = steps.flatMap((step, index) => stepOf(step, index));
  const escaped = asWritten(outcome) as JsonObject;
  if (written.length === 0) return escaped;
  const when = Object.fromEntries(steps.flatMap((step, index) => answerWanted(step, nameOf(index))));
  if (Object.keys(when).length === 0) return { steps: written, ...escaped };
  return { steps: written, replies: [{ when, ...escaped }] };
}

function nameOf(index: number): string {
  return `q${index + 1}`;
}

const KINDS: Readonly<Record<string, string>> = {
  "elicitation/create": "elicit",
  "sampling/createMessage": "sample",
  "roots/list": "roots",
};

function stepOf({ method, params }: RecordedStep, index: number): JsonObject[] {
  const { _meta: _, progressToken: __, ...plain } = params;
  if (method === "notifications/progress") return [{ progress: asWritten(plain as JsonObject) }];
  if (method === "notifications/message") return [{ log: asWritten(plain as JsonObject) }];
  if (method === "notifications/resources/updated") return [{ update: asWritten(params.uri ?? "") }];
  const kind = rowOf(KINDS, method);
  return kind === undefined ? [] : [{ ask: { [nameOf(index)]: questionOf(kind, params) } }];
}

function questionOf(kind: string, { _meta: _, ...params }: JsonObject): JsonObject {
  if (kind === "roots") return { roots: {} };
  const { mode, elicitationId: __, ...rest } = params;
  const kept = mode === "url" ? { mode, ...rest } : rest;
  return { [kind]: asWritten(kept as JsonObject) };
}

/** What a person answered decides what follows; what a model says, and where roots are, does not. */
function answerWanted({ method, answer }: RecordedStep, name: string): [string, JsonValue][] {
  if (method !== "elicitation/create" || !isObject(answer)) return [];
  const { action, content } = answer;
  return [
    [
      name,
      {
        ...(action === undefined ? {} : { action }),
        ...(content === undefined ? {} : { content: { equals: content } }),
      },
    ],
  ];
}

/** A round of questions in the modern era: what follows stands in the requests that answered them. */
function roundOf(
  call: RecordedCall,
  all: readonly RecordedCall[],
  answered: Answered,
): JsonObject | undefined {
  const { inputRequests, requestState } = call.result ?? {};
  if (!isObject(inputRequests)) return undefined;
  const asks = Object.entries(inputRequests).flatMap(([name, request]) => {
    const kind = KINDS[String(memberAt(request, "method"))];
    const params = memberAt(request, "params");
    return kind === undefined ? [] : [[name, questionOf(kind, isObject(params) ? params : {})] as const];
  });
  const key = canonicalJson(answered.argsOf(call));
  const followed = all.filter(
    ({ params, session }) =>
      session === call.session &&
      params.inputResponses !== undefined &&
      canonicalJson(params.requestState ?? null) === canonicalJson(requestState ?? null) &&
      Object.keys(params.inputResponses as JsonObject).every((name) => Object.hasOwn(inputRequests, name)) &&
      canonicalJson(answered.argsOf({ ...call, params })) === key,
  );
  const replies = followed.flatMap((each) => {
    const turn = turnOf(each, all, answered);
    const responses = each.params.inputResponses as JsonObject;
    const when = Object.fromEntries(
      asks.flatMap(([name]) =>
        answerWanted(
          { method: String(memberAt(inputRequests, name, "method")), params: {}, answer: responses[name] },
          name,
        ),
      ),
    );
    return turn ? [{ ...(Object.keys(when).length > 0 ? { when } : {}), ...turn }] : [];
  });
  return replies.length > 0 ? { ask: Object.fromEntries(asks), replies } : undefined;
}
