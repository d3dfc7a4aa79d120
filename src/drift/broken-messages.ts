import { answerOf, type Step } from "../exchange/exchange.ts";
import { envelopeFault, resultFault } from "../protocol/conformity/messages.ts";
import type { ShapeFault } from "../protocol/conformity/shape.ts";
import { pointerOf } from "../protocol/json-diff.ts";
import { memberAt } from "../protocol/member.ts";
import { type JsonValue, jsonOf } from "../protocol/message.ts";
import { claimedVersion } from "../protocol/revisions.ts";
import { paramsOf } from "../replay/key.ts";
import type { Outlined } from "../rerecord/outline.ts";
import type { Pair } from "./aligned.ts";
import type { Broken } from "./broken-results.ts";
import { driftOf } from "./rules.ts";
import type { Side } from "./side.ts";
import type { Subjects } from "./subject.ts";

/**
 * Answers that are none that the revision of their session knows, where those in the old recording were: parsers of
 * clients refuse them.
 */
export class BrokenMessages {
  readonly #before: Spoken;
  readonly #after: Spoken;
  readonly #subjects: Subjects;

  constructor({ old, fresh }: { readonly old: Side; readonly fresh: Side }, subjects: Subjects) {
    this.#before = new Spoken(old);
    this.#after = new Spoken(fresh);
    this.#subjects = subjects;
  }

  /** Of a request that was answered otherwise. */
  in(pair: Pair): Broken | undefined {
    const is = this.#after.answer(pair.fresh);
    if (!is?.fault) return undefined;
    const was = this.#before.answer(pair.old);
    if (!was || was.fault) return undefined;
    return changeOf(is.fault, [was.message, is.message], this.#subjects.of(pair.old));
  }
}

/** What clients cope with: they keep the answer for no time (2026-07-28 server/utilities/caching). */
const COPED_WITH: ReadonlySet<string> = new Set(["/ttlMs", "/cacheScope"]);

function changeOf(
  { path, message: words }: ShapeFault,
  [before, after]: readonly [JsonValue, JsonValue],
  subject: string,
): Broken {
  const inside = path[0] === "result" || path[0] === "error" ? path.slice(1) : path;
  const pointer = pointerOf(inside);
  const place = inside.length > 0 ? pointer : path.length > 0 ? `The ${path[0]}` : "The answer";
  const change = driftOf("answer-breaks-protocol", {
    subject,
    pointer,
    message: `${place} ${words}, and the answer kept to that before.`,
    before: valueAt(before, path),
    after: valueAt(after, path),
    ...(COPED_WITH.has(pointer) && { class: "risky" as const }),
  });
  return { change, pointers: [pointer] };
}

function valueAt(value: JsonValue, path: ShapeFault["path"]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (place, step) => (Array.isArray(place) ? place[Number(step)] : memberAt(place, String(step))),
    value,
  );
}

interface Said {
  readonly message: JsonValue;
  readonly fault: ShapeFault | undefined;
}

/** The answers of a recording, held against the revisions in which they were said. */
class Spoken {
  readonly #side: Side;
  #versions: ReadonlyMap<number, string> | undefined;

  constructor(side: Side) {
    this.#side = side;
  }

  answer(outlined: Outlined): Said | undefined {
    const { exchange } = outlined;
    const answer = answerOf(exchange);
    if (answer?.role !== "outcome") return undefined;
    const message = this.#side.readAt(answer).value;
    const { method = "" } = exchange;
    const fault =
      envelopeFault(message) ??
      (memberAt(message, "result") === undefined
        ? undefined
        : resultFault(message, method, this.#versionOf(outlined)));
    return { message, fault };
  }

  #versionOf({ exchange, era }: Outlined): string {
    this.#versions ??= versionsIn(this.#side);
    const [first = ""] = this.#versions.values();
    // A request of the legacy era claims none, but for the first, and need not be looked at.
    const silent = era === "legacy" && exchange.method !== "initialize";
    const claimed = silent ? undefined : claimedVersion(this.#side.paramsAt(exchange));
    return claimed ?? this.#versions.get(exchange.session) ?? first;
  }
}

/** The revision that each connection settled on, or asked for in vain. */
function versionsIn(side: Side): ReadonlyMap<number, string> {
  const versions = new Map<number, string>();
  for (const { exchange } of side.outline.exchanges) {
    if (exchange.method !== "initialize" || exchange.kind !== "request") continue;
    const answer = answerOf(exchange);
    const settled = answer?.role === "outcome" ? resultVersion(side, answer) : undefined;
    const asked = memberAt(paramsOf(side.messageAt(exchange)), "protocolVersion");
    const version = settled ?? asked;
    if (typeof version === "string") versions.set(exchange.session, version);
  }
  return versions;
}

function resultVersion(side: Side, answer: Step): JsonValue | undefined {
  return memberAt(jsonOf(side.messageAt(answer)), "result", "protocolVersion");
}
