import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { RECORD_SETTINGS, SERVE_SETTINGS, SERVER_BEHIND_SETTINGS } from "../../../src/config/settings.ts";
import { type Config, defineConfig, type MatchRules } from "../../../src/index.ts";

const schema = JSON.parse(
  readFileSync(new URL("../../../src/config/schema/config.schema.json", import.meta.url), "utf8"),
);

test("defineConfig gives back what it is given, and knows every key", () => {
  const match: MatchRules = {
    "tools/call forecast": (asked, recorded) => asked === recorded,
    "tools/call": {
      ignore: ["/arguments/at"],
      match: {
        "/arguments/a": "any",
        "/arguments/b": { pattern: "^a" },
        "/arguments/c": { tolerance: 0.01 },
        "/arguments/d": { unordered: true },
        "/arguments/e": (asked, recorded) => String(asked) === String(recorded),
      },
    },
  };
  const config = {
    $schema: "x",
    match,
    redact: { env: ["A"], patterns: ["x"], keys: ["pin"] },
    drift: {
      match,
      accept: [
        {
          rule: "tool-removed",
          cassette: "cassettes/*",
          subject: "tool forecast",
          pointer: "/tools/forecast",
          reason: "nobody calls it",
          expires: "2027-01-31",
        },
      ],
    },
    record: { mode: "once" },
    serve: { strict: true, pace: "recorded" },
  } satisfies Config;
  expect(defineConfig(config)).toBe(config);
  expect(Object.keys(schema.properties)).toEqual(Object.keys(config));
  expect(Object.keys(schema.properties.redact.properties)).toEqual(Object.keys(config.redact));
  expect(Object.keys(schema.properties.drift.properties)).toEqual(Object.keys(config.drift));
  expect(Object.keys(schema.$defs.accepted.properties)).toEqual(Object.keys(config.drift.accept[0] ?? {}));
});

test("what is wrong does not compile", () => {
  // @ts-expect-error a misspelt key
  defineConfig({ mach: {} });
  // @ts-expect-error no mode
  defineConfig({ record: { mode: "replay" } });
  // @ts-expect-error no operator
  defineConfig({ match: { "tools/call": { match: { "/a": "all" } } } });
  // @ts-expect-error true is the only value
  defineConfig({ match: { "tools/call": { match: { "/a": { unordered: false } } } } });
  // @ts-expect-error nobody said why
  defineConfig({ drift: { accept: [{ rule: "tool-removed" }] } });
  // @ts-expect-error a promise is no answer
  defineConfig({ match: { "tools/call": async () => true } });
});

test("every setting of the schema can be set by the environment", () => {
  expect(Object.keys(schema.properties.record.properties)).toEqual(Object.keys(RECORD_SETTINGS));
  expect(Object.keys(schema.properties.serve.properties)).toEqual(
    Object.keys({ ...SERVER_BEHIND_SETTINGS, ...SERVE_SETTINGS }),
  );
});
