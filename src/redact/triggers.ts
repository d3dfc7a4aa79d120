/**
 * What a line must contain for the rules to find anything in it. The prefilter looks for these on the bytes; a rule
 * without a trigger here would be skipped silently, so the tests hold the two together.
 */
export interface Trigger {
  readonly word: string;
  /** Where in the word its three rarest neighbours begin; the prefilter looks for these. */
  readonly anchor: number;
  readonly kind: TriggerKind;
  /** `shape`: how many characters of a token must follow. */
  readonly tail?: number;
}

/**
 * `name`: part of a credential's name, in any case. `shape`: start of a known token, in this case.
 * `scheme`: of an Authorization header. `query`: a short parameter, with its `=`. `url`: user information may follow.
 * `escape`: an ASCII character spelt `\u00..`.
 */
export type TriggerKind = "name" | "shape" | "scheme" | "query" | "url" | "escape";

/** Words of which at least one is in every name that `isCredentialRun` accepts; `^` stands before the anchor. */
const NAME_WORDS =
  "pa^ssw pa^ssp pa^ssc p^ass s^ecret t^oken cred^ential c^ookie b^earer a^uth ^pwd ^jwt ^otp ^dsn ^key " +
  "c^onn ver^ifier a^ssertion c^ode";

/** Parameters that hold a credential in the query of a URL or a form. */
export const QUERY_WORDS = ["code", "sig", "signature", "key"];

/** Starts of the tokens that the rule set and `common-shapes.ts` know, and the shortest rest of each. */
const SHAPES: Readonly<Record<string, number>> = {
  "^A3T": 17,
  "A^KIA": 16,
  "A^GPA": 16,
  "A^IDA": 16,
  "A^ROA": 16,
  "A^IPA": 16,
  "A^NPA": 16,
  "A^NVA": 16,
  "A^SIA": 16,
  "A^Iza": 30,
  "y^a29.": 20,
  "PRIVAT^E KEY": 0,
  "hoo^ks.slack.com/services/": 5,
  "^ghp_": 36,
  "^gho_": 36,
  "^ghu_": 36,
  "^ghs_": 36,
  "^ghr_": 36,
  "gith^ub_pat_": 80,
  "gl^pat-": 20,
  "g^lc_": 32,
  "gl^sa_": 41,
  "^gsk_": 52,
  "n^pm_": 36,
  "n^tn_": 46,
  "^hf_": 34,
  "^hvs.": 90,
  "^hvb.": 138,
  "^hvr.": 90,
  "^xox": 6,
  "x^app-": 4,
  "^sk-": 20,
  "sk^_live_": 16,
  "sk^_test_": 16,
  "rk^_live_": 16,
  "rk^_test_": 16,
  "lin_a^pi_": 32,
  "^SG.": 20,
  "s^hppa_": 32,
  "s^hpca_": 32,
  "s^hpat_": 32,
  "s^hpss_": 32,
  "op^s_ey": 100,
  "^vcp_": 20,
  "^vci_": 20,
  "^vca_": 20,
  "^vcr_": 20,
  "^vck_": 20,
  "d^api": 32,
  "dck^r_pat_": 27,
  "fi^gd_": 40,
  "^eyJ": 20,
};

export const TRIGGERS: readonly Trigger[] = [
  ...NAME_WORDS.split(" ").map((word) => trigger(word, "name")),
  ...QUERY_WORDS.map((word) => trigger(`${word.slice(0, -2)}^${word.slice(-2)}=`, "query")),
  ...Object.entries(SHAPES).map(([word, tail]) => ({ ...trigger(word, "shape"), tail })),
  trigger("b^earer", "scheme"),
  trigger("ba^sic", "scheme"),
  // In JSON a slash may be escaped, in JSON inside of JSON the backslash too.
  ...["^://", "^:/\\", "^:\\/", "^:\\\\"].map((word) => trigger(word, "url")),
  trigger("^\\u0", "escape"),
];

function trigger(marked: string, kind: TriggerKind): Trigger {
  const anchor = marked.indexOf("^");
  const word = marked.slice(0, anchor) + marked.slice(anchor + 1);
  if (anchor < 0 || word.length < anchor + 3)
    throw new RangeError(`no three characters after the anchor of ${word}`);
  return { word, anchor, kind };
}
