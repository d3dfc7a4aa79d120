import type { JsonValue } from "../../protocol/message.ts";
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
  accepts(node: Node, value: JsonValue): Verdict;
  isNothing(node: Node): boolean;
  isAnything(place: Place): boolean;
  /** Whether plainly no value of the case is accepted by the schema. */
  isApart(a: Case, node: Node): boolean;
  /** Values that a schema lists. */
  valuesOf(node: Node): JsonValue[];
}
