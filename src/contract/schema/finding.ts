import { pointerOf } from "../../protocol/json-diff.ts";
import type { JsonValue } from "../../protocol/message.ts";
import type { Change, ChangeClass, Witness } from "../change.ts";
import { isObject } from "../contract.ts";
import { RULES, type RuleId } from "../rules.ts";
import { BROKEN, type Direction, KEPT, placeText } from "./aspects.ts";
import { memberOf } from "./case.ts";
import { spoken } from "./declared.ts";
import type { Place } from "./document.ts";
import type { Gap } from "./gap.ts";
import type { Proof } from "./witness.ts";

/** One difference between two schemas. */
export interface SchemaFinding extends Pick<Change, "class" | "message" | "before" | "after" | "witness"> {
  readonly rule: RuleId;
  /** RFC 6901, into the new schema where the place is there, else into the old one. */
  readonly pointer: string;
}

const UNPROVEN = ". Not proven: no value was found that shows it, nor that there is none.";
const FILLED_IN = ", but has a default, which most servers fill in.";

/** What speaks against calling it breaking; goes on where the message ends. */
function doubtOf(gap: Gap, direction: Direction, unproven: boolean): string | undefined {
  if (unproven) return UNPROVEN;
  return isFilledIn(gap, direction) ? FILLED_IN : undefined;
}

/** What the side that must keep up does not accept any more, or promise any more. */
export function brokenFinding(gap: Gap, direction: Direction, proof: Proof | undefined): SchemaFinding {
  const { rule, text } = BROKEN[direction][gap.aspect];
  const usual: ChangeClass = RULES[rule].classes[0];
  const message = text(saidOf(gap, direction));
  const doubt = doubtOf(gap, direction, usual === "breaking" && !proof);
  return {
    rule,
    class: doubt ? "risky" : usual === "risky" && isRecordedCall(direction, proof) ? "breaking" : usual,
    message: doubt ? `${message.slice(0, -1)}${doubt}` : message,
    witness: proof && witnessOf(proof, direction),
    ...placed(gap, direction === "input" ? "a" : "b"),
  };
}

/**
 * Whether a member that is required has a default. A schema that says so describes values with their defaults filled in
 * (zod 4's `toJSONSchema` unless told `io: "input"`), so that a call without it most likely goes on working.
 */
function isFilledIn({ aspect, without, cases }: Gap, direction: Direction): boolean {
  if (direction === "output" || aspect !== "required" || without === undefined || !cases.b) return false;
  return spoken(memberOf(cases.b, without).node, "default") !== undefined;
}

/** A call that was made and now fails needs no further argument. */
function isRecordedCall(direction: Direction, proof: Proof | undefined): boolean {
  return direction === "input" && proof?.from === "recorded";
}

export function witnessOf({ value, reason, from }: Proof, direction: Direction): Witness {
  return { value, acceptedBy: direction === "input" ? "old" : "new", reason, from };
}

/** What goes further than it must. */
export function keptFinding(gap: Gap, direction: Direction): SchemaFinding {
  const { rule, text } = KEPT[direction](gap.aspect);
  return {
    rule,
    class: "compatible",
    message: text(saidOf(gap, direction)),
    ...placed(gap, direction === "input" ? "b" : "a"),
  };
}

function saidOf({ path, a, b, without, having }: Gap, direction: Direction) {
  const name = without ?? having;
  const member = name === undefined ? "" : placeText([...path, name], direction);
  return { place: placeText(path, direction), a, b, member };
}

/** Where it is and what is written there, `old` being the side of the gap that is the old schema. */
function placed(gap: Gap, old: "a" | "b"): Pick<SchemaFinding, "pointer" | "before" | "after"> {
  const [before, after] = [writtenAt(gap, old), writtenAt(gap, old === "a" ? "b" : "a")];
  const fallback = gap.nodes[old === "a" ? "b" : "a"].places[0] ?? gap.nodes[old].places[0];
  return {
    pointer: after?.pointer ?? before?.pointer ?? fallback?.pointer ?? "",
    before: before?.value,
    after: after?.value,
  };
}

interface Written {
  readonly pointer: string;
  readonly value: JsonValue;
}

function writtenAt({ nodes, cases, keywords, having, aspect }: Gap, side: "a" | "b"): Written | undefined {
  const places: readonly Place[] = [...(cases[side]?.origins ?? []), ...nodes[side].places];
  for (const keyword of keywords) {
    for (const { schema, pointer } of places) {
      if (!isObject(schema) || !Object.hasOwn(schema, keyword)) continue;
      const value = schema[keyword] as JsonValue;
      if (keyword !== "properties") return { pointer: pointer + pointerOf([keyword]), value };
      if (aspect === "property" && having !== undefined && isObject(value) && Object.hasOwn(value, having)) {
        return { pointer: pointer + pointerOf([keyword, having]), value: value[having] as JsonValue };
      }
    }
  }
  return undefined;
}
