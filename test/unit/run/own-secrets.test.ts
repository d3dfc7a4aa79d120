import { describe, expect, test } from "vitest";
import { requireSameRules, secretsToRecord, secretsToServe } from "../../../src/run/own-secrets.ts";
import { STDIO } from "../../cases/tape.ts";

const hash = (text: string) => `#${text.length}`;
const env = { TOKEN: "opensesame", SHORT: "abc", EMPTY: "" };
const around = { env, hash };

describe("recording", () => {
  test("a header names variables and keys, and only the hash of patterns", () => {
    const own = secretsToRecord({ env: ["TOKEN"], keys: ["pin"], patterns: ["hunter2"] }, around);
    expect(own).toMatchObject({ names: ["env:TOKEN", "key:pin", "pattern:#7"], notices: [] });
    expect(own.rules?.strikes("an opensesame")).toEqual([{ start: 3, end: 13, secret: "opensesame" }]);
  });

  test("nothing to redact is no rules", () => {
    expect(secretsToRecord({}, around)).toEqual({ names: [], notices: [], rules: undefined });
    const unset = secretsToRecord({ env: ["NONE", "EMPTY"] }, around);
    expect(unset.rules).toBeUndefined();
    expect(unset.notices).toHaveLength(2);
  });

  test("a value that is too short is refused, and not told", () => {
    expect(() => secretsToRecord({ env: ["SHORT"] }, around)).toThrow(
      /^redact\.env: the value of SHORT has fewer than 4/,
    );
  });
});

describe("serving", () => {
  const header = {
    ...STDIO,
    redacted: ["keys", "env:TOKEN", "env:SHORT", "env:NONE", "key:pin", "pattern:#7"],
  };

  test("does what the header says, with the patterns of the configuration", () => {
    const { rules, notices } = secretsToServe(
      header,
      { patterns: ["hunter2", "other"], keys: ["not this"] },
      around,
    );
    expect(notices).toEqual([]);
    expect(rules?.isKey("PIN")).toBe(true);
    expect(rules?.isKey("not this")).toBe(false);
    expect(rules?.strikes("opensesame, hunter2, other, abc")).toHaveLength(2);
  });

  test("tells of patterns that are not there any more", () => {
    expect(secretsToServe(header, {}, around).notices).toEqual([
      expect.stringContaining(
        "redacted by a pattern that redact.patterns of the configuration does not hold",
      ),
    ]);
  });

  test("a cassette without own rules has none", () => {
    expect(secretsToServe(STDIO, { patterns: ["hunter2"] }, around)).toMatchObject({
      rules: undefined,
      notices: [],
    });
  });
});

describe("going on", () => {
  const with_ = (...redacted: string[]) => ({ ...STDIO, redacted });

  test("needs the same own rules, in any order", () => {
    expect(() =>
      requireSameRules("a.yaml", with_("keys", "key:a", "key:b"), with_("key:b", "key:a", "new")),
    ).not.toThrow();
    expect(() => requireSameRules("a.yaml", STDIO, with_("keys"))).not.toThrow();
    expect(() => requireSameRules("a.yaml", with_("key:a"), with_("key:b"))).toThrow("(+key:b, -key:a)");
  });
});
