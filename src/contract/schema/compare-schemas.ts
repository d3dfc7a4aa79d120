import { canonicalJson } from "../../protocol/canonical.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { Steps } from "../language/steps.ts";
import type { Direction } from "./aspects.ts";
import { Comparer } from "./comparer.ts";
import { Declared } from "./declared.ts";
import { type Node, nodeOf, SchemaDocument } from "./document.ts";
import { Expander } from "./expand.ts";
import { brokenFinding, gaveUpFinding, keptFinding, type SchemaFinding, witnessOf } from "./finding.ts";
import type { Gap } from "./gap.ts";
import { faultsIn, type Judge, judgeOf, type Unreadable } from "./judge.ts";
import { withoutFaults } from "./neutral.ts";
import {
  deepFinding,
  dialectFindings,
  foreignFinding,
  outsideFindings,
  unreadableFinding,
} from "./readable.ts";
import { remarkFindings } from "./remarks.ts";
import { Sampler } from "./sample.ts";
import { Prover } from "./witness.ts";

export interface SchemaPair {
  readonly old: JsonValue;
  readonly new: JsonValue;
  readonly direction: Direction;
  /** Values that crossed the wire, which are looked through before any are made. */
  readonly recorded?: readonly JsonValue[] | undefined;
  /** Of the values that are made by chance. */
  readonly seed?: number | undefined;
}

/**
 * What differs between two schemas, decided by direction: inputs must accept what they accepted, results keep what they
 * promised. Nothing where both say the same in other words. Every `breaking` finding has a witness that ajv confirmed.
 * A member that an open schema does not name is taken not to be there, unless a recorded value has it.
 */
export async function compareSchemas(pair: SchemaPair): Promise<SchemaFinding[]> {
  if (canonicalJson(pair.old) === canonicalJson(pair.new)) return [];
  const foreign = foreignFinding(pair.old, pair.new);
  if (foreign) return [foreign];
  const deep = deepFinding(pair.old, pair.new);
  if (deep) return [deep];
  const outside = outsideFindings(pair.old, pair.new);
  const found = await new Comparison(pair).findings();
  // Nobody can follow it, which is said already.
  const same = (finding: SchemaFinding) =>
    finding.rule === "schema-unreadable" || outside.some(({ pointer }) => pointer === finding.pointer);
  return [
    ...dialectFindings(pair.old, pair.new),
    ...outside,
    ...(outside.length === 0 ? found : found.filter((finding) => !same(finding))),
  ];
}

class Comparison {
  readonly #pair: SchemaPair;
  readonly #comparer: Comparer;
  readonly #expander = new Expander();
  readonly #old: Node;
  readonly #new: Node;

  constructor(pair: SchemaPair) {
    this.#pair = pair;
    this.#comparer = new Comparer(this.#expander);
    this.#old = nodeOf([new SchemaDocument(pair.old, "old").root]);
    this.#new = nodeOf([new SchemaDocument(pair.new, "new").root]);
  }

  async findings(): Promise<SchemaFinding[]> {
    const { direction } = this.#pair;
    const [a, b] = direction === "input" ? [this.#old, this.#new] : [this.#new, this.#old];
    const [broken, kept] = [
      this.#comparer.all(a, b),
      this.#comparer.all(b, a).filter(({ gaveUp }) => !gaveUp),
    ];
    const declared = new Declared(this.#expander);
    const remarks = declared.all(this.#old, this.#new);
    const judges = broken.length + kept.length + remarks.length > 0 ? await this.#judges() : undefined;
    const prover = judges && this.#prover(await this.#readable(judges));
    const told = remarkFindings(remarks, { direction, broken, prove: (gap) => prover?.prove(gap) });
    const left = oneGivenUp(broken.filter((gap) => !told.covered(gap)));
    const findings = eachOnce(
      left.slice(0, MOST_PLACES).map((gap) => brokenFinding(gap, direction, prover?.prove(gap))),
    );
    const isNews = newsBeside(broken);
    const news = kept.filter((gap) => isNews(gap) && !told.covered(gap) && !told.stale(gap));
    return [
      ...this.#unreadable(judges),
      ...findings,
      ...this.#unexplained(prover, [...findings, ...told.findings]),
      ...manyMore(left.length, direction),
      ...(declared.gaveUp === undefined ? [] : [gaveUpFinding(declared.gaveUp, direction)]),
      ...news.slice(0, MOST_PLACES).map((gap) => keptFinding(gap, direction)),
      ...told.findings,
    ];
  }

  async #judges(): Promise<Judges> {
    const steps = new Steps(MOST_JUDGED, "more values than are tried");
    return { old: await judgeOf(this.#pair.old, steps), new: await judgeOf(this.#pair.new, steps) };
  }

  /** What neither side can be read in, and both say alike, is left aside. */
  async #readable(judges: Judges): Promise<Judges> {
    const { old, new: now } = this.#pair;
    if (isJudge(judges.old) || isJudge(judges.new) || judges.old.skipped || judges.new.skipped) return judges;
    const [before, after] = [await faultsIn(old), await faultsIn(now)];
    const both = withoutFaults({ schema: old, errors: before }, { schema: now, errors: after });
    if (!both) return judges;
    const steps = new Steps(MOST_JUDGED, "more values than are tried");
    return { old: await judgeOf(both.old, steps), new: await judgeOf(both.new, steps) };
  }

  #prover(judges: Judges): Prover | undefined {
    const { direction, recorded = [], seed = 1 } = this.#pair;
    if (!isJudge(judges.old) || !isJudge(judges.new)) return undefined;
    const old = { node: this.#old, judge: judges.old };
    const now = { node: this.#new, judge: judges.new };
    const sides = direction === "input" ? { a: old, b: now } : { a: now, b: old };
    return new Prover(sides, { sampler: new Sampler(this.#expander), recorded, seed });
  }

  #unreadable(judges: Judges | undefined): SchemaFinding[] {
    if (!judges || !isJudge(judges.old) || isJudge(judges.new) || judges.new.skipped) return [];
    return [unreadableFinding(judges.new.reason)];
  }

  /** Recorded values that are refused now for a reason that was not found. */
  #unexplained(prover: Prover | undefined, findings: readonly SchemaFinding[]): SchemaFinding[] {
    const [first] = prover?.refused ?? [];
    if (!first || findings.some(({ witness }) => witness?.from === "recorded")) return [];
    const { direction } = this.#pair;
    const [error] = first.errors;
    const reason = `${error?.instancePath ?? ""} ${error?.message ?? "is not accepted"}`.trim();
    const proof = { value: first.value, reason, from: "recorded" } as const;
    const message =
      direction === "input"
        ? "A recorded call is no longer accepted."
        : "A recorded result does not keep what the old schema promised.";
    const rule = direction === "input" ? "input-composition-narrowed" : "output-composition-widened";
    return [{ rule, class: "breaking", pointer: "", message, witness: witnessOf(proof, direction) }];
  }
}

/** What the validator is asked in one comparison. */
const MOST_JUDGED = 200_000;
/** Places of one schema that are looked into one by one. */
const MOST_PLACES = 60;

function manyMore(places: number, direction: Direction): SchemaFinding[] {
  if (places <= MOST_PLACES) return [];
  const rule = direction === "input" ? "input-composition-narrowed" : "output-composition-widened";
  const message = `${places - MOST_PLACES} more places differ, and were not looked into one by one.`;
  return [{ rule, class: "risky", pointer: "", message }];
}

interface Judges {
  readonly old: Judge | Unreadable;
  readonly new: Judge | Unreadable;
}

function isJudge(judge: Judge | Unreadable): judge is Judge {
  return "accepts" in judge;
}

/** Where something broke, what it takes besides is no news. */
function newsBeside(broken: readonly Gap[]): (gap: Gap) => boolean {
  const places = broken.filter(({ aspect }) => aspect !== "required").map(({ path }) => JSON.stringify(path));
  const known = new Set(places);
  return ({ path }) => !known.has(JSON.stringify(path));
}

/** What the alternatives of one place come to is told once. */
function eachOnce(findings: readonly SchemaFinding[]): SchemaFinding[] {
  const told = new Map<string, SchemaFinding>();
  for (const each of findings) {
    const id = JSON.stringify([each.rule, each.class, each.pointer, each.message]);
    if (!told.has(id)) told.set(id, each);
  }
  return [...told.values()];
}

/** Places that were given up for the same reason are told of once, by the first. */
function oneGivenUp(gaps: readonly Gap[]): Gap[] {
  const told = new Set<string>();
  return gaps.filter(({ gaveUp }) => {
    if (gaveUp === undefined) return true;
    if (told.has(gaveUp)) return false;
    told.add(gaveUp);
    return true;
  });
}
