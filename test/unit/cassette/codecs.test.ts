import { expect, test } from "vitest";
import { codecFor, codecNameOf } from "../../../src/cassette/codecs.ts";
import { VcrError } from "../../../src/errors.ts";

test.each([
  ["a.yaml", "yaml"],
  ["dir.jsonl/b.yml", "yaml"],
  ["B.YAML", "yaml"],
  ["a.b.jsonl", "jsonl"],
])("%s is %s", async (file, name) => {
  expect(codecNameOf(file)).toBe(name);
  expect((await codecFor(file)).name).toBe(name);
});

test.each(["a.json", "a", ".yaml/a", "a.yaml.gz", "a.", ""])("%s is no cassette name", (file) => {
  const attempt = () => codecNameOf(file);
  expect(attempt).toThrow(VcrError);
  expect(attempt).toThrow(
    expect.objectContaining({ code: "usage", message: expect.stringContaining(".yaml, .yml or .jsonl") }),
  );
});
