import { type Expression, Expressions, kindsOf } from "./expression.ts";
import { readPattern } from "./read-pattern.ts";
import type { Steps } from "./steps.ts";

/** What texts are held to. */
export interface TextRules {
  readonly patterns: readonly string[];
  /** Characters, as JSON Schema counts them: code points. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** `none`: there is no such text. `unsaid`: a pattern asks for what cannot be told. */
export type Found = { readonly text: string } | "none" | "unsaid";

/**
 * The shortest text that holds to these rules, and not to those of `except`. A pattern of `held` that cannot be told is
 * passed over, so that a text is likely, not sure, to hold to it; that there is none is sure.
 * @throws TooComplex
 */
export function shortestText(held: TextRules, except: TextRules | undefined, steps: Steps): Found {
  const make = new Expressions();
  const patterns = held.patterns.flatMap((pattern) => readPattern(make, pattern) ?? []);
  const others = (except?.patterns ?? []).map((pattern) => readPattern(make, pattern));
  if (others.includes(undefined)) return "unsaid";
  const refused = except ? make.not(make.and(...(others as Expression[]), lengths(make, except))) : make.all;
  // Long lengths make long ways, and mostly it does not come to them.
  const short = make.and(...patterns, refused);
  const found = search(make, short, steps);
  if (found === undefined) return "none";
  if (isWithin([...found].length, held)) return { text: found };
  const whole = search(make, make.and(short, lengths(make, held)), steps);
  return whole === undefined ? "none" : { text: whole };
}

function isWithin(length: number, { least = 0, most = Number.POSITIVE_INFINITY }: TextRules): boolean {
  return length >= least && length <= most;
}

function lengths(make: Expressions, { least = 0, most = Number.POSITIVE_INFINITY }: TextRules): Expression {
  const low = Math.max(Math.ceil(least), 0);
  const high = Math.floor(most);
  return high < low ? make.none : make.repeat(make.anyCharacter, low, high);
}

interface Way {
  readonly at: Expression;
  readonly from: Way | undefined;
  readonly code: number;
}

function search(make: Expressions, root: Expression, steps: Steps): string | undefined {
  const kinds = kindsOf(root);
  const seen = new Set<Expression>([root]);
  let ways: Way[] = [{ at: root, from: undefined, code: 0 }];
  while (ways.length > 0) {
    const next: Way[] = [];
    for (const way of ways) {
      if (way.at.empty) return spelled(way);
      for (const code of kinds) {
        const at = make.after(way.at, code, steps);
        if (at === make.none || seen.has(at)) continue;
        seen.add(at);
        next.push({ at, from: way, code });
      }
    }
    ways = next;
  }
  return undefined;
}

function spelled(last: Way): string {
  const codes: number[] = [];
  for (let way: Way | undefined = last; way?.from; way = way.from) codes.push(way.code);
  return codes
    .reverse()
    .map((code) => String.fromCodePoint(code))
    .join("");
}
