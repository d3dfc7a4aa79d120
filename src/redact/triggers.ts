/**
 * What a line must contain for the rules to find anything in it. The prefilter looks for these on the bytes; a rule
 * without a trigger here would be skipped silently, so the tests hold the two together.
 */
export interface Trigger {
  readonly word: string;
  /** Where the three bytes begin that the prefilter looks for: rare ones, or such as other words have too. */
  readonly anchor: number;
  readonly kind: TriggerKind;
  /** `shape`: how many characters of a token must follow. */
  readonly tail?: number;
  /** What those characters and the rest of the token must be like, where the count says too little. */
  readonly rest?: RegExp;
  /** `name`: a credential only together with what stands before it, as `key` in `api_key`. */
  readonly second?: boolean;
}

/**
 * `name`: part of a credential's name, in any case. `shape`: start of a known token, in this case.
 * `scheme`: of an Authorization header. `query`: a short parameter, with its `=`. `url`: user information may follow.
 * `command`: arguments may follow. `escape`: an ASCII character spelt `\u00..`.
 */
export type TriggerKind = "name" | "shape" | "scheme" | "query" | "url" | "command" | "escape";

/** Words of which at least one is in every name that `isCredentialRun` accepts; `^` stands before the anchor. */
const NAME_WORDS = "passw passp passc pass se^cret t^oken credential cookie bearer auth pwd jwt otp dsn conn";
const SECOND_WORDS = "key ver^ifier assertion code";

/** Parameters that hold a credential in the query of a URL or a form. */
export const QUERY_WORDS = ["code", "sig", "signature", "key"];

/** Starts of the tokens that the rule set and `common-shapes.ts` know, and the shortest rest of each. */
const shapes = (): Readonly<Record<string, number>> => ({
  A3T: 17,
  "A^KIA": 16,
  "A^GPA": 16,
  AIDA: 16,
  AROA: 16,
  AIPA: 16,
  ANPA: 16,
  ANVA: 16,
  ASIA: 16,
  AIza: 30,
  "ya^29.": 20,
  "PRIVATE ^KEY": 0,
  "h^ooks.slack.com/services/": 5,
  ghp_: 36,
  gho_: 36,
  ghu_: 36,
  ghs_: 36,
  ghr_: 36,
  "github^_pat_": 80,
  "glpat-": 20,
  glc_: 32,
  glsa_: 41,
  "g^sk_": 52,
  "n^pm_": 36,
  "n^tn_": 46,
  hf_: 30,
  "hvs.": 90,
  "hvb.": 138,
  "hvr.": 90,
  xox: 6,
  "xapp-": 4,
  "sk-": 20,
  sk_live_: 16,
  sk_test_: 16,
  rk_live_: 16,
  rk_test_: 16,
  "lin_^api_": 32,
  "SG.": 20,
  shppa_: 32,
  shpca_: 32,
  shpat_: 32,
  shpss_: 32,
  "ops^_ey": 100,
  vcp_: 20,
  vci_: 20,
  vca_: 20,
  vcr_: 20,
  vck_: 20,
  "d^api": 32,
  "dckr^_pat_": 27,
  figd_: 40,
  eyJ: 20,
});

export function triggers(): readonly Trigger[] {
  return [
    ...NAME_WORDS.split(" ").map((word) => trigger(word, "name")),
    ...SECOND_WORDS.split(" ").map((word) => ({ ...trigger(word, "name"), second: true })),
    ...QUERY_WORDS.map((word) => trigger(`${word}=`, "query")),
    ...Object.entries(shapes()).map(([word, tail]) => ({ ...trigger(word, "shape"), tail, ...restOf(word) })),
    trigger("bearer", "scheme"),
    trigger("b^asic", "scheme"),
    // In JSON a slash may be escaped, in JSON inside of JSON the backslash too.
    ...["://", ":/\\", ":\\/", ":\\\\"].map((word) => trigger(word, "url")),
    trigger("curl", "command"),
    trigger("\\u0", "escape"),
  ];
}

function trigger(marked: string, kind: TriggerKind): Trigger {
  const anchor = Math.max(0, marked.indexOf("^"));
  const word = marked.replace("^", "");
  if (word.length < anchor + 3) throw new RangeError(`no three characters after the anchor of ${word}`);
  return { word, anchor, kind };
}

function restOf(word: string): Pick<Trigger, "rest"> {
  if (word === "xox") return { rest: /^[a-z]-/ };
  if (word === "eyJ") return { rest: /^[\w-]+[.\\]/ };
  return /^A\^?(?:3T|[A-Z]{3})$/.test(word) ? { rest: /^[A-Z0-9\\]{16}/ } : {};
}
