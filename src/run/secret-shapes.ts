import type { ShapeFinder, ShapeRange } from "../redact/common-shapes.ts";

/**
 * Loads secretlint's recommended rules (https://github.com/secretlint/secretlint, MIT) as a finder of token shapes.
 * All rules used answer synchronously. Load once, while the server starts: the import takes some 10 ms.
 */
export async function loadShapes(): Promise<ShapeFinder> {
  const { rules } = (await import("@secretlint/secretlint-rule-preset-recommend")) as unknown as Preset;
  const used = rules.filter((rule) => !Object.hasOwn(UNUSED_RULES, rule.meta.id));
  return (text) => used.flatMap((rule) => rangesOf(rule, text));
}

/** Rules left out, and why. */
export const UNUSED_RULES: Readonly<Record<string, string>> = {
  "@secretlint/secretlint-rule-basicauth":
    "strikes the host too; user information of URLs is redacted by rule, whatever the scheme",
  "@secretlint/secretlint-rule-database-connection-string": "strikes host and database too; as above",
  "@secretlint/secretlint-rule-gcp":
    "judges files by their ending (.p12 asynchronously); private keys are found without it",
  "@secretlint/secretlint-rule-filter-comments": "lets a text switch the other rules off",
};

/** Findings left out: their ranges begin before the secret, or they are none. Their names and URLs are redacted by rule. */
const UNUSED_FINDINGS = new Set(["AWSAccountID", "AWSSecretAccessKey", "PackageJSON_xOauthToken"]);

interface Preset {
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly meta: { readonly id: string };
  create(context: Context, options: object): { file(source: Source): unknown };
}

interface Context {
  createTranslator(messages: object): (id: string) => { readonly messageId: string };
  report(finding: {
    readonly message: { readonly messageId: string };
    readonly range: readonly [number, number];
  }): void;
}

interface Source {
  readonly content: string;
  readonly ext: string;
  readonly contentType: "text";
}

function rangesOf(rule: Rule, content: string): ShapeRange[] {
  const ranges: ShapeRange[] = [];
  const name = rule.meta.id.replace("@secretlint/secretlint-rule-", "");
  const context: Context = {
    createTranslator: () => (messageId) => ({ messageId }),
    report: ({ message, range: [start, end] }) => {
      if (!UNUSED_FINDINGS.has(message.messageId)) ranges.push({ rule: name, start, end });
    },
  };
  rule.create(context, { enableIDScanRule: true }).file({ content, ext: "", contentType: "text" });
  return ranges;
}
