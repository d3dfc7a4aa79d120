import type { RuleId } from "../rules.ts";
import type { Aspect } from "./gap.ts";

/** Who is bound by a schema: callers, who must go on being accepted, or results, which must go on keeping their promise. */
export type Direction = "input" | "output";

/** What to say of a gap: in which rule's name, and in which words. `then` is what the old side says, `now` the new. */
interface Saying {
  readonly rule: RuleId;
  readonly text: (said: Said) => string;
}

export interface Said {
  readonly place: string;
  readonly a: string;
  readonly b: string;
  /** The member that it is about. */
  readonly member: string;
}

type Sayings = Readonly<Record<Aspect, Saying>>;

/** Of what the side that must keep up does not keep up with: for inputs a is the old side, for outputs the new one. */
export const BROKEN: Readonly<Record<Direction, Sayings>> = {
  input: {
    required: { rule: "input-required-added", text: ({ member }) => `${member} is required now.` },
    type: {
      rule: "input-type-narrowed",
      text: ({ place, a, b }) => `${place} took ${a}, and now takes ${b} only.`,
    },
    enum: {
      rule: "input-enum-narrowed",
      text: ({ place, a, b }) => `${place} took ${a}, and now takes only ${b}.`,
    },
    range: narrowed("input-range-narrowed"),
    length: narrowed("input-length-narrowed"),
    pattern: narrowed("input-pattern-narrowed"),
    format: narrowed("input-format-narrowed"),
    items: narrowed("input-items-narrowed"),
    members: narrowed("input-members-narrowed"),
    closed: {
      rule: "input-closed",
      text: ({ place, b }) => `${place} took any other members, and now takes ${b}.`,
    },
    typed: {
      rule: "input-closed",
      text: ({ place, b }) => `${place} was one of the members of any kind, and is now held to ${b}.`,
    },
    property: {
      rule: "input-property-removed",
      text: ({ member }) => `${member} was taken, and is refused now.`,
    },
    dependency: narrowed("input-dependency-added"),
    composition: narrowed("input-composition-narrowed"),
  },
  output: {
    required: { rule: "output-required-dropped", text: ({ member }) => `${member} may be missing now.` },
    type: {
      rule: "output-type-widened",
      text: ({ place, a, b }) => `${place} was ${b}, and may now be ${a}.`,
    },
    enum: {
      rule: "output-enum-added",
      text: ({ place, a, b }) => `${place} was one of ${b}, and may now be ${a}.`,
    },
    range: widened("output-range-widened"),
    length: widened("output-length-widened"),
    pattern: widened("output-pattern-widened"),
    format: widened("output-format-widened"),
    items: widened("output-items-widened"),
    members: widened("output-members-widened"),
    closed: { rule: "output-opened", text: ({ place, b }) => `${place} had ${b}, and may now have any.` },
    typed: {
      rule: "output-opened",
      text: ({ place, b }) => `${place} was held to ${b}, and may now be anything.`,
    },
    property: {
      rule: "output-property-added",
      text: ({ member }) => `${member} may be there now, and the old schema refuses it.`,
    },
    dependency: widened("output-dependency-dropped"),
    composition: widened("output-composition-widened"),
  },
};

function narrowed(rule: RuleId): Saying {
  return { rule, text: ({ place, a, b }) => `${place} was held to ${a}, and is now held to ${b}.` };
}

function widened(rule: RuleId): Saying {
  return { rule, text: ({ place, a, b }) => `${place} was held to ${b}, and is now held to ${a}.` };
}

/** Of what goes further than it must: here a is the new side of an input, and the old one of an output. */
export const KEPT: Readonly<Record<Direction, (aspect: Aspect) => Saying>> = {
  input: (aspect) =>
    aspect === "required"
      ? { rule: "input-required-dropped", text: ({ member }) => `${member} is no longer required.` }
      : { rule: "input-widened", text: ({ place, a, b }) => `${place} took ${b}, and now takes ${a} too.` },
  output: (aspect) =>
    aspect === "required"
      ? { rule: "output-narrowed", text: ({ member }) => `${member} is always there now.` }
      : {
          rule: "output-narrowed",
          text: ({ place, a, b }) => `${place} could be ${a}, and is now held to ${b}.`,
        },
};

/** `filter.city`, `cities[]`; the root is named for what it is. */
export function placeText(path: readonly (string | number)[], direction: Direction): string {
  if (path.length === 0) return direction === "input" ? "The arguments object" : "The result";
  const text = path.map((step) => (typeof step === "number" ? "[]" : `.${step}`)).join("");
  return text.replace(/^\./, "");
}
