import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { hmacSha256, sha256 } from "../../../src/redact/sha256.ts";

/** Lengths around the ends of blocks, where padding is easily wrong. */
const LENGTHS = [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 128, 1000];

test.each(LENGTHS)("the digest of %i bytes is Node's", (length) => {
  const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
  expect(Buffer.from(sha256(bytes)).toString("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
});

test.each(["", "mcp-vcr", "k".repeat(64), "k".repeat(65), "ключ"])(
  "the keyed hash under %j is Node's",
  (key) => {
    for (const text of ["", "sk-1234", "é".repeat(100)]) {
      expect(hmacSha256(key, text)).toBe(createHmac("sha256", key).update(text).digest("hex"));
    }
  },
);
