import { inspect } from "node:util";
import { expect, test } from "vitest";
import { VcrError } from "../../src/errors.ts";

test("an error that is printed says each thing once", () => {
  const place = { file: "a.yaml", line: 3 };
  const error = new VcrError("test-failed", "a miss", { place, data: { sentences: ["a miss"] } });
  expect([error.place, error.data, error.hint]).toEqual([place, { sentences: ["a miss"] }, undefined]);
  const text = inspect(error);
  expect(text.match(/a miss|a\.yaml/g)).toEqual(["a.yaml", "a miss"]);
  expect(text).toContain("code: 'test-failed'");
  expect(text).not.toMatch(/hint|cause|undefined/);
  const hinted = new VcrError("usage", "wrong", { hint: "Do this.", cause: new Error("why") });
  expect(inspect(hinted)).toMatch(/hint: 'Do this\.'[\s\S]*\[cause\]: Error: why/);
});
