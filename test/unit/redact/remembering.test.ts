import { expect, test } from "vitest";
import { remembering } from "../../../src/redact/remembering.ts";
import { openRedactor } from "../../../src/run/redaction.ts";

test("what comes again is redacted the same, and asked for once", () => {
  const asked: string[] = [];
  const redactor = openRedactor();
  const again = remembering({
    ...redactor,
    header: (name, value) => {
      asked.push(`${name}: ${value}`);
      return redactor.header(name, value);
    },
    url: (url) => {
      asked.push(url);
      return redactor.url(url);
    },
  });
  const values = ["Bearer abcdefgh12345678", "Bearer abcdefgh12345678", "none", "Bearer abcdefgh12345678"];
  for (const value of values) {
    expect(again.header("authorization", value)).toBe(redactor.header("authorization", value));
    expect(again.header("x-trace", value)).toBe(redactor.header("x-trace", value));
  }
  for (const url of ["/mcp?api_key=abcdefgh12345678", "/mcp?api_key=abcdefgh12345678", "/mcp"])
    expect(again.url(url)).toBe(redactor.url(url));
  expect(asked).toHaveLength(3 + 3 + 2);
});

test("more names than are remembered", () => {
  const again = remembering(openRedactor());
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 600; n++) expect(again.header(`x-${n}`, `value ${n}`)).toBe(`value ${n}`);
});
