import { pointerOf } from "../../protocol/json-diff.ts";
import type { JsonValue } from "../../protocol/message.ts";
import type { Change, ChangeClass, Witness } from "../change.ts";
import { isObject } from "../contract.ts";
import { unlessTooComplex } from "../language/steps.ts";
import { RULES, type RuleId } from "../rules.ts";
import { BROKEN, type Direction, KEPT, placeText } from "./aspects.ts";
import { memberOf } from "./case.ts";
import type { Place } from "./document.ts";
import type { Gap } from "./gap.ts";
import type { Proof } from "./witness.ts";
import { spoken } from "./words.ts";

/** One difference between two schemas. */
export interface SchemaFinding extends Pick<Change, "class" | "message" | "before" | "after" | "witness"> {
  readonly rule: RuleId;
  /** RFC 6901, into the new schema where the place is there, else into the old one. */
  readonly pointer: string;
}

const UNPROVEN = ". Not proven: no value was found that shows it, nor that there is none.";
const GAVE_UP = ". What breaks there, if anything, is not known.";
const FILLED_IN = ", but has a default, which most servers fill in.";

/** What speaks against calling it breaking; goes on where the message ends. */
function doubtOf(gap: Gap, direction: Direction, unproven: boolean): string | undefined {
  if (unproven) return gap.gaveUp === undefined ? UNPROVEN : GAVE_UP;
  return isFilledIn(gap, direction) ? FILLED_IN : undefined;
}

/** What the side that must keep up does not accept any more, or promise any more. */
export function brokenFinding(found: Gap, direction: Direction, proof: Proof | undefined): SchemaFinding {
  const gap = proof?.loose ? withAlternatives(found) : found;
  const { rule, text } = BROKEN[direction][gap.aspect];
  const usual: ChangeClass = RULES[rule].classes[0];
  const message =
    gap.gaveUp === undefined ? text(saidOf(gap, direction)) : gaveUpText(gap.path, gap.gaveUp, direction);
  const doubt = doubtOf(gap, direction, usual === "breaking" && !proof);
  return {
    rule,
    class: doubt ? "risky" : usual === "risky" && isGrave(gap, direction, proof) ? "breaking" : usual,
    message: doubt ? `${message.slice(0, -1)}${doubt}` : message,
    witness: proof && witnessOf(proof, direction),
    ...placed(gap, direction === "input" ? "a" : "b"),
  };
}

/** The place where the alternatives stand, in place of what keeps from one of them. */
function withAlternatives(gap: Gap): Gap {
  const [around] = gap.besides ?? [];
  const path = gap.path.slice(0, gap.path.length - (around?.steps ?? 0));
  const nodes = around?.gaps[0]?.nodes ?? gap.nodes;
  const said = { a: "fewer conditions", b: "conditions that depend on each other" };
  return {
    aspect: "composition",
    path,
    keywords: ["if", "anyOf", "oneOf", "not"],
    cases: {},
    nodes,
    ...said,
  };
}

function gaveUpText(path: Gap["path"], why: string, direction: Direction): string {
  return `${placeText(path, direction)}: comparing was given up there (${why}).`;
}

/** Of members and words that were not walked to their end. */
export function gaveUpFinding(why: string, direction: Direction): SchemaFinding {
  const rule = direction === "input" ? "input-composition-narrowed" : "output-composition-widened";
  const message = `${gaveUpText([], why, direction).slice(0, -1)}${GAVE_UP}`;
  return { rule, class: "risky", pointer: "", message };
}

/**
 * Whether a member that is required has a default. A schema that says so describes values with their defaults filled in
 * (zod 4's `toJSONSchema` unless told `io: "input"`), so that a call without it most likely goes on working.
 */
function isFilledIn({ aspect, without, cases }: Gap, direction: Direction): boolean {
  if (direction === "output" || aspect !== "required" || without === undefined || !cases.b) return false;
  const { b } = cases;
  const member = unlessTooComplex(() => memberOf(b, without).node, undefined);
  return member !== undefined && spoken(member, "default") !== undefined;
}

/** Whether what mostly does no harm does some here. */
function isGrave(gap: Gap, direction: Direction, proof: Proof | undefined): boolean {
  if (!proof) return false;
  // A call that was made and now fails needs no further argument.
  if (direction === "input" && proof.from === "recorded") return true;
  // Nobody is told any more what they wait for.
  if (gap.apart && direction === "output") return true;
  return gap.map !== undefined && !isWithoutArguments(gap, direction);
}

/** A tool whose schema says nothing at all takes no arguments; any other object of that kind is there for what comes. */
function isWithoutArguments({ map, path }: Gap, direction: Direction): boolean {
  return direction === "input" && map === "unsaid" && path.length === 0;
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
