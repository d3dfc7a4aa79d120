import { describe, expect, test } from "vitest";
import { RECORD_SETTINGS, SERVE_SETTINGS, settle } from "../../../src/config/settings.ts";

describe("settle", () => {
  test.each([
    [{ mode: "all" }, "append", { mode: "once" }, { mode: "all" }],
    [{}, "append", { mode: "once" }, { mode: "append" }],
    [{}, "", { mode: "once" }, { mode: "once" }],
    [{}, undefined, undefined, {}],
  ] as const)("flags %j, environment %s, file %j", (flags, MCP_VCR_MODE, file, settled) => {
    expect(settle(RECORD_SETTINGS, { flags, environment: { MCP_VCR_MODE }, file })).toEqual(settled);
  });

  test.each([
    ["1", true],
    ["true", true],
    ["0", false],
    ["false", false],
  ])("MCP_VCR_STRICT=%s", (MCP_VCR_STRICT, strict) => {
    const file = { strict: !strict };
    expect(settle(SERVE_SETTINGS, { flags: {}, environment: { MCP_VCR_STRICT }, file })).toEqual({ strict });
  });

  test("a flag that says no wins over a file that says yes", () => {
    const sources = { flags: { strict: false }, environment: {}, file: { strict: true } };
    expect(settle(SERVE_SETTINGS, sources)).toEqual({ strict: false });
  });

  test("a variable that holds something else is refused", () => {
    const environment = { MCP_VCR_MODE: "al", MCP_VCR_STRICT: "yes" };
    expect(() => settle(SERVE_SETTINGS, { flags: {}, environment: { MCP_VCR_PACE: "2" }, file: {} })).toThrow(
      "MCP_VCR_PACE=2, which must be instant or recorded or a factor such as 2x",
    );
    expect(() => settle(RECORD_SETTINGS, { flags: {}, environment, file: {} })).toThrow(
      "the environment has MCP_VCR_MODE=al, which must be once or all or append",
    );
    expect(() => settle(SERVE_SETTINGS, { flags: {}, environment, file: {} })).toThrow(
      "MCP_VCR_STRICT=yes, which must be 1 or true or 0 or false",
    );
  });
});
