import { isObject } from "../contract.ts";
import { type Case, type MemberLayer, memberNames, memberOf, saysNothing } from "./case.ts";
import { nodeOf, type Place } from "./document.ts";
import type { Gap, Local, Within } from "./gap.ts";
import { requiredOf, withNeeded } from "./implied.ts";
import { sampleOfPattern } from "./pattern.ts";

/** Where objects of a may not be objects of b. */
export function memberGaps(comparer: Within, a: Case, b: Case): (Local | Gap)[] {
  return [
    ...requiredGaps(comparer, a, b),
    ...namedGaps(comparer, a, b),
    ...otherGaps(comparer, a, b),
    ...patternGaps(comparer, a, b),
    ...nameGaps(comparer, a, b),
    ...dependencyGaps(comparer, a, b),
  ];
}

function requiredGaps(comparer: Within, a: Case, b: Case): Local[] {
  comparer.take(b.required.length);
  const own = requiredOf(a);
  return b.required
    .filter((name) => !own.has(name))
    .map((name) => ({
      aspect: "required",
      keywords: ["required"],
      a: `objects without ${name}`,
      b: `objects with ${name}`,
      cases: {},
      without: name,
    }));
}

/** Nothing is said of members that are not named: an open schema that does not mean it. */
function isSilent({ members }: Case): boolean {
  return members.every(({ additional }) => additional === undefined);
}

function namedGaps(comparer: Within, a: Case, b: Case): (Local | Gap)[] {
  const required = requiredOf(a);
  const names = new Set([...memberNames([a, b]), ...[...required].sort()]);
  return [...names].flatMap((name): (Local | Gap)[] => {
    comparer.take(1 + a.members.length + b.members.length);
    const [here, there] = [memberOf(a, name), memberOf(b, name)];
    if (!maySend(comparer, a, name) || comparer.isNothing(here.node)) return [];
    if (comparer.isNothing(there.node)) return [refused(name, a, b)];
    const gaps = comparer.below(name, here.node, there.node);
    if (here.declared || required.has(name) || !here.node.places.every(saysNothing)) return gaps;
    return gaps.map((gap) => ({ ...gap, aspect: "typed" }));
  });
}

/** Whether a member is reckoned with: a speaks of it in some way, or of all members. */
function maySend(comparer: Within, a: Case, name: string): boolean {
  const { declared, others } = memberOf(a, name);
  return comparer.strict || declared || others || requiredOf(a).has(name);
}

/** Of an object that names no members, and so is there for any: whether a says what they are. */
function mapOf(a: Case, b: Case): Gap["map"] {
  const isNaming = ({ schema }: Place) => isObject(schema) && schema.properties !== undefined;
  if ([...a.required, ...b.required].length > 0 || [...a.origins, ...b.origins].some(isNaming))
    return undefined;
  const isSaid = a.members.some(({ additional, patterns }) => additional || patterns.length > 0);
  return isSaid ? "said" : "unsaid";
}

function refused(name: string, a: Case, b: Case): Local {
  return {
    aspect: "property",
    keywords: ["properties", "additionalProperties"],
    a: `objects with ${name}`,
    b: `objects without ${name}`,
    cases: { a, b },
    having: name,
  };
}

const STRANGER = "extra";
/** Patterns for names tend to ask for a case, digits, a length or a letter at the beginning. */
const STRANGERS = [STRANGER, "extra_", "Extra", "EXTRA", "0", "_", "-", "x", "x".repeat(100), "é", "a b", ""];

/** A name that neither side speaks of; where none is found, what is said of it stays unproven. */
export function stranger(a: Case, b: Case): string {
  const isStrange = (name: string) => !memberOf(a, name).declared && !memberOf(b, name).declared;
  return STRANGERS.find(isStrange) ?? STRANGER;
}

/** Patterns that match whatever name there is, as generators write them for records; a line feed in a name is not one. */
const EVERY_NAME = /^\^?(?:\.\*|\(\.\*\))?\$?$/;

function takesEveryName({ patterns }: MemberLayer): boolean {
  return patterns.some(([pattern]) => EVERY_NAME.test(pattern));
}

function otherGaps(comparer: Within, a: Case, b: Case): (Local | Gap)[] {
  const gaps: (Local | Gap)[] = [];
  for (const layer of b.members) {
    const { additional } = layer;
    if (!additional || comparer.isAnything(additional)) continue;
    // No name is left for what is said of others; what a's patterns say is compared with it by pattern.
    if (takesEveryName(layer) || a.members.some(takesEveryName)) continue;
    const name = stranger(a, b);
    const others = a.members.filter((own) => own.additional);
    const closed = others.some(({ additional: own }) => comparer.isNothing(nodeOf([own as Place])));
    if (closed || others.some(({ additional: own }) => comparer.covers(own as Place, additional))) continue;
    if (isSilent(a) || others.every(({ additional: own }) => saysNothing(own))) {
      if (comparer.strictly(nodeOf([]), nodeOf([additional])).length === 0) continue;
      gaps.push({
        aspect: "closed",
        keywords: ["additionalProperties", "unevaluatedProperties"],
        a: "any other members",
        b: comparer.isNothing(nodeOf([additional])) ? "no other members" : "other members of a kind",
        cases: {},
        having: name,
        map: mapOf(a, b),
      });
    } else {
      const own = nodeOf(others.map(({ additional: each }) => each as Place));
      gaps.push(
        ...(comparer.isNothing(nodeOf([additional]))
          ? [refused(name, a, b)]
          : comparer.below(name, own, nodeOf([additional]))),
      );
    }
  }
  return gaps;
}

/** Names that a pattern of either side matches. */
function patternGaps(comparer: Within, a: Case, b: Case): (Local | Gap)[] {
  const patterns = [a, b].flatMap(({ members }) =>
    members.flatMap((layer) => layer.patterns.map(([text]) => text)),
  );
  return [...new Set(patterns)].sort().flatMap((pattern): (Local | Gap)[] => {
    comparer.take(patterns.length);
    const own = nodeOf(placesFor(comparer, a, pattern));
    if (comparer.isNothing(own)) return [];
    const [name = STRANGER] = sampleOfPattern(pattern);
    const gaps = placesOf(comparer, b, pattern).flatMap((place): (Local | Gap)[] =>
      comparer.isNothing(nodeOf([place]))
        ? [refused(name, a, b)]
        : comparer.below(name, own, nodeOf([place])),
    );
    if (own.places.length > 0) return gaps;
    // Of names that a says nothing of.
    const map = mapOf(a, b);
    return gaps.map((gap) =>
      gap.aspect === "property" && gap.path === undefined
        ? { ...gap, aspect: "closed", a: "any other members", b: `none that match ${pattern}`, map }
        : { ...gap, aspect: "typed", map },
    );
  });
}

/** What applies to the names that match, and match no other pattern that stands beside it. */
function placesFor(comparer: Within, { members }: Case, pattern: string): Place[] {
  return members.flatMap(({ patterns, additional }) => {
    const same = patterns.filter(([text]) => isWithin(comparer, pattern, text)).map(([, place]) => place);
    return same.length > 0 || !additional ? same : [additional];
  });
}

/** What may apply to some that match: the pattern itself, or else any other pattern, and what is said of others. */
function placesOf(comparer: Within, { members }: Case, pattern: string): Place[] {
  return members.flatMap(({ patterns, additional }) => {
    const same = patterns.filter(([text]) => isWithin(comparer, pattern, text)).map(([, place]) => place);
    const others = patterns
      .filter(([text]) => !isWithin(comparer, pattern, text) && mayMeet(comparer, pattern, text))
      .map(([, place]) => place);
    return [...same, ...others, ...(same.length > 0 || !additional ? [] : [additional])];
  });
}

/** Whether all names that one pattern matches are matched by another. */
function isWithin(comparer: Within, pattern: string, other: string): boolean {
  return pattern === other || comparer.textOutside({ patterns: [pattern] }, { patterns: [other] }) === "none";
}

/** Whether there may be a name that both match. */
function mayMeet(comparer: Within, pattern: string, other: string): boolean {
  return comparer.textOutside({ patterns: [pattern, other].sort() }, undefined) !== "none";
}

function nameGaps(comparer: Within, a: Case, b: Case): (Local | Gap)[] {
  return b.names.flatMap((place): Local[] => {
    if (comparer.isAnyText(place) || a.names.some((own) => comparer.covers(own, place))) return [];
    const names = memberNames([a]).filter((name) => !comparer.isNothing(memberOf(a, name).node));
    const wrong = names.find((name) => comparer.accepts(nodeOf([place]), name) !== true);
    const closed = a.members.some(
      ({ additional, patterns }) => patterns.length === 0 && additional?.schema === false,
    );
    if (wrong === undefined && closed) return [];
    const named = { keywords: ["propertyNames"], a: "any names", b: "certain names", cases: {} };
    if (wrong !== undefined) return [{ aspect: "members", ...named, having: wrong }];
    const refusedName = [...comparer.textsOutside(a.names, place), ...NAMES].find(
      (name) =>
        comparer.accepts(nodeOf([place]), name) === false &&
        a.names.every((own) => comparer.accepts(nodeOf([own]), name) !== false),
    );
    const aspect = isSilent(a) && names.length > 0 ? "closed" : "members";
    return [{ aspect, ...named, having: refusedName ?? STRANGER }];
  });
}

/** Names of all sorts, of which a rule for names refuses one or the other. */
const NAMES = ["extra", "A", "a-b", "a b", "0", "", "_", "é", "x".repeat(300)];

function dependencyGaps(comparer: Within, a: Case, b: Case): (Local | Gap)[] {
  return b.dependencies.flatMap(({ member, required, place }): Local[] => {
    if (comparer.isNothing(memberOf(a, member).node)) return [];
    // One that is new may come with what it needs.
    const isNews = !maySend(comparer, a, member);
    if (isNews && memberOf(b, member).declared) return [];
    const alike = a.dependencies.filter((each) => each.member === member);
    const known = withNeeded(a, [...a.required, member]);
    const missing = required.find((name) => name !== member && !known.has(name));
    const covered =
      !place ||
      alike.some(
        (each) => each.place && comparer.strictly(nodeOf([each.place]), nodeOf([place])).length === 0,
      );
    if (missing === undefined && covered) return [];
    return [
      {
        aspect: isNews ? "closed" : "dependency",
        keywords: ["dependentRequired", "dependentSchemas", "dependencies"],
        a: isNews ? "any other members" : `${member} alone`,
        b: missing === undefined ? `${member} with a certain rest` : `${member} together with ${missing}`,
        cases: {},
        having: member,
        without: missing,
      },
    ];
  });
}
