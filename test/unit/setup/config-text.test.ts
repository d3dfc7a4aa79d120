import { load } from "js-yaml";
import { expect, test } from "vitest";
import { checkConfig } from "../../../src/config/check-config.ts";
import { configText } from "../../../src/setup/config-text.ts";

/** With the comments that hold settings taken for what they hold. */
const uncommented = (text: string) => text.replaceAll(/^# (?=[a-z]+:$| )/gm, "");

test("what stands in its comments is right", () => {
  const text = uncommented(configText(true, ["WEATHER_TOKEN", "KEY"]));
  const config = checkConfig({ value: load(text), file: "mcp-vcr.config.yaml", text, inside: [] });
  expect(Object.keys(config)).toEqual(["match", "redact", "serve"]);
  expect(config.redact?.env).toEqual(["WEATHER_TOKEN", "KEY"]);
});

test("it names the schema where the package is installed", () => {
  expect(configText(true, [])).toMatch(
    /^# yaml-language-server: \$schema=\.\/node_modules\/mcp-vcr\/dist\/schema\//,
  );
  expect(configText(false, [])).not.toContain("node_modules");
});
