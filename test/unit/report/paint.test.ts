import { describe, expect, test } from "vitest";
import { showable } from "../../../src/report/paint.ts";

describe("what nobody sees is shown", () => {
  test.each([
    ["a space of no width", "a\u200bb", "a\\u{200b}b"],
    ["a joiner within a word", "a\u200db\u200c", "a\\u{200d}b\\u{200c}"],
    ["tags", "ok\u{e0001}\u{e0041}", "ok\\u{e0001}\\u{e0041}"],
    ["turns of the reading direction", "\u202ea\u2066b\u200e", "\\u{202e}a\\u{2066}b\\u{200e}"],
    ["separators of lines", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
    ["selectors of variants", "a\ufe0fb\ufe01\u{e0100}", "a\\u{fe0f}b\\u{fe01}\\u{e0100}"],
    ["a soft hyphen, a filler, a byte order mark", "\u00ad\u3164\ufeff", "\\u{ad}\\u{3164}\\u{feff}"],
    ["half of a pair", "a\ud83d", "a\\u{d83d}"],
    ["control characters", "\u001b[2J\r", "\\u001b[2J\\u000d"],
  ])("%s", (_, text, shown) => {
    expect(showable(text)).toBe(shown);
  });

  test.each(["⚠️ 1️⃣", "👨‍👩‍👧 👩🏽‍💻 🏳️‍🌈", "naïve e\u0301 日本語", "a\nb"])("%s is seen", (text) => {
    expect(showable(text)).toBe(text);
  });
});
