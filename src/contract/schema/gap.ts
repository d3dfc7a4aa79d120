import type { JsonValue } from "../../protocol/message.ts";
import type { Found, TextRules } from "../language/texts.ts";
import type { Case } from "./case.ts";
import type { Node, Place } from "./document.ts";
import type { Verdict } from "./holds.ts";

/** In what respect one schema accepts more than another. */
export type Aspect =
  | "required" // a member that may be left out, and must be there
  | "type"
  | "enum" // also const
  | "range"
  | "length"
  | "pattern"
  | "format"
  | "items" // how many, whether unique, what must be among them
  | "members" // how many, and how they are named
  | "closed" // members of which nothing is said
  | "property" // a member that is named, and refused on the other side
  | "typed" // a member that was among the deliberately open others, and is now held to something
  | "dependency"
  | "composition"; // what is not understood, or too much

/**
 * A place where a value that one side (a) accepts may not be accepted by the other (b). None between two schemas is
 * proof that b accepts all that a accepts, if members that an open schema does not name are taken not to be there.
 */
export interface Gap {
  readonly aspect: Aspect;
  /** Members and indexes that lead to a value of the instance where it shows. */
  readonly path: readonly (string | number)[];
  /** What a and b say there, for people. */
  readonly a: string;
  readonly b: string;
  /** Keywords that say it. */
  readonly keywords: readonly string[];
  readonly nodes: { readonly a: Node; readonly b: Node };
  readonly cases: { readonly a?: Case | undefined; readonly b?: Case | undefined };
  /** Values of a that show it, as far as they are plain to see. */
  readonly values?: readonly JsonValue[] | undefined;
  /** The member that must be left out, or be there, to show it. */
  readonly without?: string | undefined;
  readonly having?: string | undefined;
  /** Schemas that b refuses: what fits a as well shows it. */
  readonly near?: readonly Node[] | undefined;
  /** What keeps a from other alternatives of b, which a value that shows it must slip through as well. */
  readonly besides?: readonly Besides[] | undefined;
  /** It is about any member of an object that names none: "said" where it is said what a takes, else "unsaid". */
  readonly map?: "said" | "unsaid" | undefined;
  /** No value of a is one of b. */
  readonly apart?: boolean | undefined;
  /** Why it was not found out whether there is one. */
  readonly gaveUp?: string | undefined;
}

export interface Besides {
  /** Their paths begin where the alternatives stand. */
  readonly gaps: readonly Gap[];
  /** From there, so many steps lead to the gap that they stand beside. */
  readonly steps: number;
}

/** The part of a gap that the place itself knows; where it stands comes on the way up. */
export type Local = Omit<Gap, "path" | "nodes"> & Partial<Pick<Gap, "path" | "nodes">>;

/** What comparing two cases asks of the comparison of whole schemas. */
export interface Within {
  gaps(a: Node, b: Node): readonly Gap[];
  /** Gaps of what is inside, seen from outside. */
  below(step: string | number, a: Node, b: Node): Gap[];
  /** b accepts all that a accepts. */
  covers(a: Place, b: Place): boolean;
  /**
   * Gaps of what stands beside other schemas (in a `not`, an `if`, a dependency), where a member that it does not
   * name may well be named by those.
   */
  strictly(a: Node, b: Node): readonly Gap[];
  /** Whether that is what is asked for. */
  readonly strict: boolean;
  accepts(node: Node, value: JsonValue): Verdict;
  isNothing(node: Node): boolean;
  isAnything(place: Place): boolean;
  /** Takes every text, and so every name. */
  isAnyText(place: Place): boolean;
  /** Whether plainly no value of the case is accepted by the schema. */
  isApart(a: Case, node: Node): boolean;
  /** A text that is held to the one and not to the other. */
  textOutside(held: TextRules, except: TextRules | undefined): Found;
  /** Texts that may be held to the ones and not to the other. */
  textsOutside(held: readonly Place[], except: Place): string[];
  /** Counts what is compared. */
  take(count: number): void;
  /** Values that a schema lists. */
  valuesOf(node: Node): JsonValue[];
}
