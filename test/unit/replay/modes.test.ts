import { describe, expect, test } from "vitest";
import { type ModeFlags, policyOf } from "../../../src/replay/modes.ts";

const REPLAY = { mode: "replay", records: false, keeps: false };
const ONCE = { mode: "once", records: true, keeps: false };
const APPEND = { mode: "append", records: true, keeps: true, forwards: true };

describe("--mode and --on-miss", () => {
  test.each<[Omit<ModeFlags, "hasServer">, object]>([
    [{}, { ...REPLAY, forwards: false }],
    [{ mode: "replay" }, { ...REPLAY, forwards: false }],
    [
      { mode: "replay", onMiss: "error" },
      { ...REPLAY, forwards: false },
    ],
    [
      { mode: "replay", onMiss: "forward" },
      { ...REPLAY, forwards: true },
    ],
    [{ mode: "once" }, { ...ONCE, forwards: false }],
    [
      { mode: "once", onMiss: "forward" },
      { ...ONCE, forwards: true },
    ],
    [{ mode: "append" }, APPEND],
    [{ mode: "append", onMiss: "forward" }, APPEND],
    // Each implies the other.
    [{ onMiss: "forward" }, APPEND],
    [{ onMiss: "error" }, { ...REPLAY, forwards: false }],
  ])("%j", (flags, policy) => {
    expect(policyOf({ ...flags, hasServer: true })).toEqual(policy);
  });

  test("append without forwarding is refused", () => {
    expect(() => policyOf({ mode: "append", onMiss: "error", hasServer: true })).toThrow(
      /--mode append appends what it forwards/,
    );
  });

  test.each<[Omit<ModeFlags, "hasServer">, string]>([
    [{ mode: "append" }, "--mode append asks the real server, and none was named"],
    [{ onMiss: "forward" }, "--on-miss forward asks the real server, and none was named"],
    [{ mode: "replay", onMiss: "forward" }, "--on-miss forward asks the real server, and none was named"],
  ])("%j needs a server", (flags, message) => {
    expect(() => policyOf({ ...flags, hasServer: false })).toThrow(message);
  });

  test.each<Omit<ModeFlags, "hasServer">>([{}, { mode: "replay" }, { mode: "once" }])(
    "%j needs none as long as there is a cassette",
    (flags) => {
      expect(policyOf({ ...flags, hasServer: false })).toMatchObject({ forwards: false });
    },
  );
});
