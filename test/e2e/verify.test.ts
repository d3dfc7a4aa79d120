import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { later, recordedFolder, ruled } from "./support/verify.ts";
import type { Era } from "./support/walk.ts";

/** `verify` at later versions of the server that was recorded: each difference is told, and nothing else. */

const { path, verify } = recordedFolder();

describe("a server that is another", () => {
  const CHANGES: readonly { change: string; rules: string[]; code?: number; era?: Era }[] = [
    { change: "text", rules: ["risky answer-text-changed"] },
    { change: "schema", rules: ["breaking input-required-added"], code: 1 },
    { change: "gone", rules: ["breaking tool-removed", "breaking result-became-error"], code: 1 },
    { change: "error", rules: ["breaking result-became-error"], code: 1 },
    { change: "tool-error", rules: ["breaking result-became-tool-error"], code: 1 },
    { change: "extra", rules: ["compatible notification-extra"] },
    { change: "question", rules: ["risky server-request-changed"] },
    { change: "question", rules: ["risky server-request-changed"], era: "modern" },
    { change: "unasked", rules: ["risky answer-text-changed", "risky server-request-removed"] },
  ];

  test.each(CHANGES)("$change: $rules", async ({ change, rules, code = 0, era = "legacy" }) => {
    const verified = await verify(`${era}.yaml`, later(era, change), "--yes");
    expect({ code: verified.code, rules: ruled(verified) }).toEqual({ code, rules });
  });

  test("slower: told where it is far slower, or by the factor that is asked for", async () => {
    // It takes the server 700 ms now, and the recording says that it took 10.
    const text = readFileSync(path("legacy.yaml"), "utf8");
    const times = text.split(/^at: \d+$/m).length;
    let at = 0;
    writeFileSync(
      path("quick.yaml"),
      text.replace(/^at: \d+$/gm, () => `at: ${at++ * 10}`),
    );
    expect(times).toBeGreaterThan(10);
    const usual = await verify("quick.yaml", later("legacy", "slower"), "--yes");
    expect({ code: usual.code, rules: ruled(usual) }).toEqual({ code: 0, rules: [] });
    const asked = await verify("quick.yaml", later("legacy", "slower"), "--yes", "--slower", "30x");
    expect(ruled(asked)).toEqual(["risky answer-slower"]);
    expect(asked.changes[0]?.subject).toBe('tools/call echo {"text":"Good morning"}');
  });
});
