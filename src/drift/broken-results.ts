import type { Change } from "../contract/change.ts";
import type { Contract } from "../contract/contract.ts";
import { TooComplex } from "../contract/language/steps.ts";
import { type Judge, judgeOf, type Unreadable } from "../contract/schema/judge.ts";
import { answerOf, type Exchange } from "../exchange/exchange.ts";
import { canonicalJson } from "../protocol/canonical.ts";
import { memberAt } from "../protocol/member.ts";
import { type JsonObject, type JsonValue, jsonOf } from "../protocol/message.ts";
import { paramsOf } from "../replay/key.ts";
import type { Pair } from "./aligned.ts";
import { isObject, isSame } from "./content.ts";
import { driftOf } from "./rules.ts";
import { faultsIn, type SchemaFault } from "./schema-faults.ts";
import type { Side } from "./side.ts";
import type { Subjects } from "./subject.ts";
import { isUnchanged } from "./unchanged.ts";

interface Sides {
  readonly old: Side;
  readonly fresh: Side;
  /** What each promised. */
  readonly promised: Contract;
  readonly promises: Contract;
}

/** An answer that broke what it must keep to, and every place where it does. */
export interface Broken {
  readonly change: Change;
  readonly pointers: readonly string[];
}

/**
 * Results that break the `outputSchema` of their tool, where those in the old recording kept to theirs: clients that
 * validate results refuse them (2025-06-18 server/tools, output schema).
 */
export async function brokenResults(
  pairs: readonly Pair[],
  sides: Sides,
  subjects: Subjects,
): Promise<Broken[]> {
  if (![sides.promised, sides.promises].some(hasOutputSchema)) return [];
  const judges = new Judges();
  const broken: Broken[] = [];
  for (const pair of pairs) {
    if (pair.old.exchange.method !== "tools/call") continue;
    const found = await breakIn(pair, sides, judges);
    if (found) broken.push(changeOf(found, subjects.of(pair.old)));
  }
  return broken;
}

/** Changes without those that a schema tells better of. */
export function withoutBroken(changes: readonly Change[], broken: readonly Broken[]): readonly Change[] {
  if (broken.length === 0) return changes;
  const told = new Set(
    broken.flatMap(({ change, pointers }) => pointers.map((at) => `${change.subject}\n${at}`)),
  );
  return changes.filter(
    ({ rule, subject, pointer }) => !(OF_A_PLACE.has(rule) && told.has(`${subject}\n${pointer}`)),
  );
}

const OF_A_PLACE: ReadonlySet<string> = new Set([
  "answer-value-changed",
  "answer-type-changed",
  "answer-member-removed",
  "answer-member-added",
  "answer-text-changed",
  "error-code-changed",
  "error-message-changed",
]);

interface Break {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly faults: readonly [SchemaFault, ...SchemaFault[]];
}

async function breakIn(pair: Pair, sides: Sides, judges: Judges): Promise<Break | undefined> {
  const { old, fresh, promised, promises } = sides;
  const tool = memberAt(paramsOf(old.messageAt(pair.old.exchange)), "name");
  if (typeof tool !== "string") return undefined;
  const [was, is] = [schemaOf(tool, promised, promises), schemaOf(tool, promises, promised)];
  if (is === undefined || (isSame(was, is) && isUnchanged(pair, old, fresh))) return undefined;
  const [before, after] = [resultOf(old, pair.old.exchange), resultOf(fresh, pair.fresh.exchange)];
  if (!before || !after) return undefined;
  if (was !== undefined && (await judges.faults(was, before))?.length !== 0) return undefined;
  const faults = (await judges.faults(is, after))?.filter(({ pointer }) => !isRedacted(after, pointer)) ?? [];
  const [first, ...rest] = faults;
  if (!first) return undefined;
  return { before: before.structuredContent, after: after.structuredContent, faults: [first, ...rest] };
}

function hasOutputSchema({ lists }: Contract): boolean {
  return [...lists.tools.members.values()].some(({ value }) => isObject(value.outputSchema));
}

/** What a tool promised; where its list was never asked for, what it promises in the other recording. */
function schemaOf(tool: string, own: Contract, other: Contract): JsonValue | undefined {
  const member = own.lists.tools.members.get(tool) ?? other.lists.tools.members.get(tool);
  const schema = member?.value.outputSchema;
  return isObject(schema) ? schema : undefined;
}

/** The result of a call, as it was sent, where it must keep to the schema. */
function resultOf(side: Side, exchange: Exchange): JsonObject | undefined {
  const answer = answerOf(exchange);
  if (answer?.role !== "outcome") return undefined;
  const result = memberAt(jsonOf(side.messageAt(answer)), "result");
  if (!isObject(result) || result.isError === true || result.task !== undefined) return undefined;
  return result.resultType === undefined || result.resultType === "complete" ? result : undefined;
}

/** What stood there is not known. */
function isRedacted({ structuredContent }: JsonObject, pointer: string): boolean {
  const value = valueAt(structuredContent, pointer);
  return value !== undefined && /\[redacted:[0-9a-f]{8}\]/.test(JSON.stringify(value));
}

const ROOT = "/structuredContent";

function changeOf({ before, after, faults }: Break, subject: string): Broken {
  const pointers = faults.map(({ pointer }) => ROOT + pointer);
  const [{ pointer, reason }] = faults;
  const others = faults.length === 1 ? "" : `, and ${faults.length - 1} more of it`;
  const message = `${ROOT}${pointer} breaks the tool's outputSchema now: it ${reason}${others}.`;
  const change = driftOf("answer-breaks-schema", {
    subject,
    pointer: ROOT + pointer,
    message,
    before: valueAt(before, pointer),
    after: valueAt(after, pointer),
  });
  return { change, pointers };
}

function valueAt(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  let place = value;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(place)) place = place[Number(name)];
    else place = memberAt(place, name);
  }
  return place;
}

/** Schemas are compiled once, and only where a result is held against them. */
class Judges {
  readonly #known = new Map<string, Promise<Judge | Unreadable>>();

  /** Where a result breaks a schema; undefined where that cannot be told. */
  async faults(
    schema: JsonValue,
    { structuredContent: value }: JsonObject,
  ): Promise<SchemaFault[] | undefined> {
    if (value === undefined) return [{ pointer: "", reason: "is missing" }];
    const text = canonicalJson(schema);
    const known = this.#known.get(text) ?? judgeOf(schema);
    this.#known.set(text, known);
    const judge = await known;
    if ("reason" in judge) return undefined;
    try {
      return judge.accepts(value) ? [] : faultsIn(judge.errors);
    } catch (error) {
      // A schema that refers to itself without end keeps ajv busy until the stack is full, or more steps are taken than may be.
      if (error instanceof RangeError || error instanceof TooComplex) return undefined;
      throw error;
    }
  }
}
