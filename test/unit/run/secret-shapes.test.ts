import { createHmac } from "node:crypto";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { beforeAll, describe, expect, test } from "vitest";
import type { ShapeFinder } from "../../../src/redact/common-shapes.ts";
import { createRedactor } from "../../../src/redact/redactor.ts";
import { isSuspect } from "../../../src/redact/suspect.ts";
import { loadShapes, UNUSED_RULES } from "../../../src/run/secret-shapes.ts";

/** As many characters as asked for of a kind, none of them a word. */
const some = (length: number, of = "aB3dE5gH7jK9"): string => of.repeat(length).slice(0, length);

/** Of every rule in use, one token of each kind it knows. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  "1password": [`ops_${opsToken()}`],
  anthropic: [`sk-ant-api03-${some(93)}AA`],
  databricks: [`dapi${some(32, "0a1b2c")}`, `dapi${some(32, "0a1b2c")}-2`],
  docker: [`dckr_pat_${some(27)}`],
  figma: [`figd_${some(40)}`],
  github: [..."pousr"].map((kind) => `gh${kind}_${some(36)}`).concat(`github_pat_${some(82)}`),
  gitlab: [`glpat-${some(20)}`],
  grafana: [`glc_${some(40)}`, `glsa_${some(32)}_${some(8, "0a")}`],
  groq: [`gsk_${some(52)}`],
  "hashicorp-vault": [`hvs.${some(90)}`, `hvb.${some(138)}`, `hvr.${some(90)}`],
  huggingface: [`hf_${some(34, "aBcD")}`],
  linear: [`lin_api_${some(40)}`],
  notion: [`ntn_${some(11, "123")}${some(35)}`],
  npm: [`npm_${some(36)}`],
  openai: [`sk-${some(20)}T3BlbkFJ${some(20)}`, `sk-proj-${some(74)}T3BlbkFJ${some(74)}`],
  privatekey: [`-----BEGIN PRIVATE KEY-----\nMI${some(200)}\n-----END PRIVATE KEY-----`],
  sendgrid: [`SG.${some(22)}.${some(43)}`],
  shopify: ["shppa", "shpca", "shpat", "shpss"].map((kind) => `${kind}_${some(32)}`),
  slack: [
    ...["xoxb", "xoxp", "xapp", "xoxa", "xoxo", "xoxr"].map((kind) => `${kind}-1-${some(11)}-${some(20)}`),
    `https://hooks.slack.com/services/T${some(8)}/B${some(8)}/${some(24)}`,
  ],
  vercel: ["vcp", "vci", "vca", "vcr", "vck"].map((kind) => `${kind}_${some(24)}`),
};

function opsToken(): string {
  for (let pad = 0; ; pad += 1) {
    const token = Buffer.from(JSON.stringify({ email: "x".repeat(80 + pad) })).toString("base64");
    if (/fQ={0,2}$/.test(token)) return token;
  }
}

let shapes: ShapeFinder;

beforeAll(async () => {
  shapes = await loadShapes();
});

const cases = Object.entries(SAMPLES).flatMap(([rule, tokens]) =>
  tokens.map((token) => [rule, token] as const),
);

describe("the maintained rule set", () => {
  test("has no rule that is neither tried here nor left out for a reason", () => {
    const short = (id: string): string => id.replace("@secretlint/secretlint-rule-", "");
    const known = [...Object.keys(SAMPLES), ...Object.keys(UNUSED_RULES).map(short)].sort();
    expect(rules.map((rule: { meta: { id: string } }) => short(rule.meta.id)).sort()).toEqual(known);
  });

  test.each(cases)("%s finds %s, and the prefilter lets it through", (rule, token) => {
    const line = `see ${token} there`;
    expect(shapes(line)).toContainEqual({ rule, start: 4, end: 4 + token.length });
    for (const around of [
      line,
      JSON.stringify({ a: token }),
      JSON.stringify(`\n${token}`),
      JSON.stringify([JSON.stringify(`\n${token}`)]),
    ]) {
      expect(isSuspect(new TextEncoder().encode(around))).toBe(true);
    }
  });

  test("clean text has no shapes", () => {
    expect(shapes("Oslo, Monday: 3 °C, npm_config_cache, sk-learn")).toEqual([]);
  });

  test("a text cannot switch the rules off", () => {
    const token = `ghp_${some(36)}`;
    expect(shapes(`<!-- secretlint-disable -->\n${token}`)).toHaveLength(1);
  });

  test.each(cases)("%s: %s is redacted as one", (_, token) => {
    const hash = (text: string): string => createHmac("sha256", "key").update(text).digest("hex");
    const redactor = createRedactor({ hash, shapes: () => shapes });
    const clean = redactor.json(new TextEncoder().encode(JSON.stringify({ a: `x ${token} y`, b: [token] })));
    const sealed = `[redacted:${hash(token).slice(0, 8)}]`;
    expect(JSON.parse(new TextDecoder().decode(clean))).toEqual({ a: `x ${sealed} y`, b: [sealed] });
  });
});
