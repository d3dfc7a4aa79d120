import { pointerOf } from "../../protocol/json-diff.ts";
import { rowOf } from "../../protocol/member.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { isObject } from "../contract.ts";
import type { RuleId } from "../rules.ts";
import { type Direction, placeText } from "./aspects.ts";
import type { Remark } from "./declared.ts";
import { type Node, nodeOf } from "./document.ts";
import { type SchemaFinding, witnessOf } from "./finding.ts";
import type { Gap } from "./gap.ts";
import type { Proof } from "./witness.ts";

interface Context {
  readonly direction: Direction;
  /** What is known to have broken, or of it what concerns a member. */
  readonly broken: readonly Gap[];
  readonly prove: (gap: Gap) => Proof | undefined;
}

export interface Told {
  readonly findings: readonly SchemaFinding[];
  /** Whether a gap is told of here already. */
  readonly covered: (gap: Gap) => boolean;
  /** Whether that a place takes more is no news: the member that is new there is required, which is told. */
  readonly stale: (gap: Gap) => boolean;
}

/** What there is to say of members that came and went, and of words. */
export function remarkFindings(remarks: readonly Remark[], context: Context): Told {
  const findings: SchemaFinding[] = [];
  const covered = new Set<string>();
  const stale = new Set<string>();
  const hits = hitsOf(context.broken);
  let places = 0;
  // The last ones are told of without a proof.
  const prove = (gap: Gap) => (places < MOST_PROVEN ? context.prove(gap) : undefined);
  for (const remark of remarks) {
    if (remark.kind === "words") findings.push(...wordsFinding(remark, context.direction));
    else {
      const place = keyOf([...remark.path, remark.name]);
      const finding = memberFinding(remark, { ...context, prove, broken: hits.get(place) ?? [] });
      if (remark.kind === "added") stale.add(place);
      if (!finding) continue;
      if (remark.kind === "removed") places++;
      findings.push(finding);
      covered.add(place);
    }
  }
  const isAmong = (known: ReadonlySet<string>) => (gap: Gap) =>
    known.size > 0 && placesOf(gap).some((place) => known.has(place));
  return { findings, covered: isAmong(covered), stale: isAmong(stale) };
}

/** Members that are gone and looked into one by one. */
const MOST_PROVEN = 60;

/** What broke, by the members it is about or inside of. */
function hitsOf(broken: readonly Gap[]): ReadonlyMap<string, Gap[]> {
  const hits = new Map<string, Gap[]>();
  for (const gap of broken) {
    for (const place of placesOf(gap)) {
      const known = hits.get(place);
      if (known) known.push(gap);
      else hits.set(place, [gap]);
    }
  }
  return hits;
}

function keyOf(path: readonly (string | number)[]): string {
  return JSON.stringify(path);
}

/** The member a gap is about, and all members that it is inside of. */
function placesOf({ path, without, having, aspect }: Gap): string[] {
  const name = aspect === "required" ? without : aspect === "property" ? having : undefined;
  const whole = name === undefined ? path : [...path, name];
  return whole.map((_, index) => keyOf(whole.slice(0, index + 1)));
}

type MemberRemark = Exclude<Remark, { readonly kind: "words" }>;

function memberFinding(remark: MemberRemark, context: Context): SchemaFinding | undefined {
  const { direction, broken: hit } = context;
  const path = [...remark.path, remark.name];
  const member = placeText(path, direction);
  const pointer = pointerTo(remark.node);
  const schema = remark.node.places[0]?.schema;
  if (remark.kind === "added") {
    if (hit.length > 0) return undefined;
    if (direction === "input") {
      const message = `${member} is new and optional.`;
      return { rule: "input-property-added", class: "compatible", pointer, message, after: schema };
    }
    const message = `${member} is new.`;
    return { rule: "output-property-added", class: "risky", pointer, message, after: schema };
  }
  if (direction === "output") return removedFromResult(remark, context);
  if (hit.length > 0 || !remark.open) return undefined;
  const message = `${member} is gone; the schema is open, so it is taken and ignored.`;
  return { rule: "input-property-removed", class: "risky", pointer, message, before: schema };
}

function removedFromResult(remark: MemberRemark, { direction, broken, prove }: Context): SchemaFinding {
  const path = [...remark.path, remark.name];
  const anything: Gap = {
    aspect: "type",
    path,
    keywords: [],
    a: "anything",
    b: "",
    nodes: { a: nodeOf([]), b: remark.node },
    cases: {},
    values: [null, 0, "", true, [], {}, 0.5, "a"],
  };
  const gaps = [...broken, ...(remark.open ? [anything] : [])];
  const proof = firstOf(gaps, prove);
  const member = placeText(path, direction);
  return {
    rule: "output-property-removed",
    class: proof ? "breaking" : "risky",
    pointer: pointerTo(remark.node),
    message: `${member} is gone from the result${proof ? "" : "; it was optional, so no promise is broken"}.`,
    before: remark.node.places[0]?.schema,
    witness: proof && witnessOf(proof, direction),
  };
}

function firstOf(gaps: readonly Gap[], prove: Context["prove"]): Proof | undefined {
  for (const gap of gaps) {
    const proof = prove(gap);
    if (proof) return proof;
  }
  return undefined;
}

function pointerTo(node: Node): string {
  return node.places[0]?.pointer ?? "";
}

const WORD_RULES: Readonly<Record<string, RuleId>> = {
  description: "parameter-description-changed",
  examples: "parameter-description-changed",
  title: "parameter-description-changed",
  default: "input-default-changed",
};

function wordsFinding(remark: Exclude<Remark, MemberRemark>, direction: Direction): SchemaFinding[] {
  const { keyword, path, node, before, after } = remark;
  const rule =
    direction === "output" ? "output-words-changed" : (rowOf(WORD_RULES, keyword) ?? "input-widened");
  const usual = direction === "output" ? "info" : rule === "input-widened" ? "compatible" : "risky";
  const place = placeText(path, direction);
  const message = `${place}: ${keyword} ${became(before, after)}.`;
  const written = node.places.find(({ schema }) => isObject(schema) && Object.hasOwn(schema, keyword));
  const pointer = written ? written.pointer + pointerOf([keyword]) : pointerTo(node);
  return [{ rule, class: usual, pointer, message, before, after }];
}

function became(before: JsonValue | undefined, after: JsonValue | undefined): string {
  if (before === undefined) return "was added";
  return after === undefined ? "was removed" : "changed";
}
