import { expect, test } from "vitest";
import { numberSecret } from "../../../src/redact/number-secret.ts";

test.each([
  ["1234", "1234"],
  ["12340.00", "12340"],
  ["1.234e3", "1234"],
  ["1E4", "10000"],
  ["-1234", "-1234"],
  ["9007199254740993", "9007199254740993"],
  ["0.12345", "12345e-5"],
  ["12.3450", "12345e-3"],
  ["1e999", "1e999"],
  ["123", undefined],
  ["0", undefined],
  ["0.5", undefined],
  ["0e9", undefined],
])("%s", (token, secret) => {
  expect(numberSecret(token)).toBe(secret);
});
