import type { ShapeFinder, ShapeRange } from "../redact/common-shapes.ts";

/**
 * Loads secretlint's recommended rules (https://github.com/secretlint/secretlint, MIT) as a finder of token shapes.
 * All rules used answer synchronously. Loading takes some 10 ms and most sessions never need it, so it is done at once
 * when a text first does: `require` of an ES module, which Node 20.19 and later can.
 */
export function loadShapes(): ShapeFinder {
  const { createRequire } = process.getBuiltinModule("node:module");
  const require = createRequire(import.meta.url);
  const { rules } = require("@secretlint/secretlint-rule-preset-recommend") as Preset;
  const used = rules.filter((rule) => !Object.hasOwn(UNUSED_RULES, rule.meta.id)).map(prepare);
  return (text) => used.flatMap((find) => find(text));
}

/** Rules left out, and why. */
export const UNUSED_RULES: Readonly<Record<string, string>> = {
  "@secretlint/secretlint-rule-aws":
    "its ranges begin before the secret; the name and the key's shape are rules of their own",
  "@secretlint/secretlint-rule-basicauth":
    "strikes the host too; user information of URLs is redacted by rule, whatever the scheme",
  "@secretlint/secretlint-rule-database-connection-string": "strikes host and database too; as above",
  "@secretlint/secretlint-rule-gcp":
    "judges files by their ending (.p12 asynchronously); private keys are found without it",
  "@secretlint/secretlint-rule-filter-comments": "lets a text switch the other rules off",
};

interface Preset {
  readonly rules: readonly Rule[];
}

interface Rule {
  readonly meta: { readonly id: string };
  create(context: Context, options: object): { file(source: Source): unknown };
}

interface Context {
  createTranslator(messages: object): () => object;
  report(finding: { readonly range: readonly [number, number] }): void;
}

interface Source {
  readonly content: string;
  readonly ext: string;
  readonly contentType: "text";
}

/** A rule with a context of its own, whose reports become ranges. */
function prepare(rule: Rule): ShapeFinder {
  let found: ShapeRange[] = [];
  const name = rule.meta.id.replace("@secretlint/secretlint-rule-", "");
  const context: Context = {
    createTranslator: () => () => ({}),
    report: ({ range: [start, end] }) => found.push({ rule: name, start, end }),
  };
  const { file } = rule.create(context, {});
  return (content) => {
    found = [];
    file({ content, ext: "", contentType: "text" });
    return found;
  };
}
