import type { Range } from "./placeholder.ts";

/** Finds known token shapes in a string; ranges in UTF-16 units. `rule` names the shape. */
export type ShapeFinder = (text: string) => readonly ShapeRange[];

export interface ShapeRange extends Range {
  readonly rule: string;
}

/** Shapes the maintained rule set does not have, or has more narrowly. Each begins with a trigger of `triggers.ts`. */
const COMMON_SHAPES: readonly { readonly rule: string; readonly pattern: RegExp }[] = [
  // https://datatracker.ietf.org/doc/html/rfc7519 (three parts), rfc7516 (five)
  { rule: "jwt", pattern: /(?<![A-Za-z0-9_-])eyJ[\w-]{8,8192}\.[\w-]{4,}(?:\.[\w-]*){1,3}/g },
  { rule: "secret-key", pattern: /(?<![A-Za-z0-9])sk-(?=[\w-]*\d)[\w-]{20,}/g },
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  {
    rule: "aws",
    pattern:
      /(?<![A-Za-z0-9_])(?:A3T[A-Z0-9]|(?:AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA))[A-Z0-9]{16}(?![A-Za-z0-9_])/g,
  },
  // https://docs.stripe.com/keys
  { rule: "stripe", pattern: /(?<![A-Za-z])[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  // https://cloud.google.com/docs/authentication/api-keys
  { rule: "google", pattern: /(?<![A-Za-z])(?:AIza[\w-]{30,}|ya29\.[\w-]{20,})/g },
  // Longer tokens of the same makers than the rule set's fixed lengths.
  { rule: "github", pattern: /(?<![A-Za-z])(?:gh[pousr]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{80,})/g },
  // https://huggingface.co/docs/hub/security-tokens
  { rule: "huggingface", pattern: /(?<![A-Za-z])hf_[A-Za-z0-9]{30,}/g },
  { rule: "gitlab", pattern: /(?<![A-Za-z])glpat-[\w-]{20,}(?:\.[\w-]+)*/g },
  {
    rule: "private-key",
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\w+/=\s\\:,.-])*-----END [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  // Cut off before its end line.
  {
    rule: "private-key",
    pattern:
      /-----BEGIN [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[nr])*[A-Za-z0-9+/=]{32,}[A-Za-z0-9+/=\s\\]*/g,
  },
];

export function findCommonShapes(text: string): ShapeRange[] {
  return COMMON_SHAPES.flatMap(({ rule, pattern }) =>
    Array.from(text.matchAll(pattern), (match) => ({
      rule,
      start: match.index,
      end: match.index + match[0].length,
    })),
  );
}
