import { expect, test } from "vitest";
import { RecentMap } from "../../../src/run/http-recent.ts";

test("the entry that was not used for longest makes room", () => {
  const map = new RecentMap<string, number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  map.set("a", 4);
  map.set("d", 5);
  expect(["a", "c", "d"].map((key) => map.get(key))).toEqual([4, undefined, 5]);
});
