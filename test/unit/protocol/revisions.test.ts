import { expect, test } from "vitest";
import {
  eraOf,
  eraOfRequest,
  META,
  type Opening,
  REVISIONS,
  revisionOf,
  versionsOf,
} from "../../../src/protocol/revisions.ts";

test("revisions are in order, and their era is what their date says", () => {
  const versions = REVISIONS.map(({ version }) => version);
  expect(versions).toEqual([...versions].sort());
  for (const { version, era } of REVISIONS) expect(eraOf(version)).toBe(era);
  expect(versionsOf("legacy")).toEqual(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);
  expect(versionsOf("modern")).toEqual(["2026-07-28"]);
});

test.each([
  ["2024-10-07", "legacy"],
  ["2027-01-01", "modern"],
  ["v999.0.0", undefined],
  ["", undefined],
])("the era of %j is %s", (version, era) => {
  expect(eraOf(version)).toBe(era);
});

test("an unknown version has no row", () => {
  expect(revisionOf("2025-06-18")?.batches).toBe("removed");
  expect(revisionOf("2024-10-07")).toBeUndefined();
});

const claim = (version: string): Opening["params"] => ({ _meta: { [META.protocolVersion]: version } });

test.each<[string, Opening, string]>([
  ["a claim in _meta", { method: "tools/list", params: claim("2026-07-28") }, "modern"],
  ["a claim of nonsense", { method: "tools/list", params: claim("v999.0.0") }, "modern"],
  [
    "a claim against the header",
    { method: "x", params: claim("2026-07-28"), versionHeader: "2025-11-25" },
    "modern",
  ],
  ["the header alone", { method: "tools/list", versionHeader: " 2026-07-28 " }, "modern"],
  ["neither", { method: "tools/list", params: {} }, "legacy"],
  ["a legacy header", { method: "tools/list", versionHeader: "2025-11-25" }, "legacy"],
  ["initialize", { method: "initialize", params: { protocolVersion: "2025-11-25" } }, "legacy"],
  ["initialize with a modern header", { method: "initialize", versionHeader: "2026-07-28" }, "legacy"],
  ["initialize with a modern claim", { method: "initialize", params: claim("2026-07-28") }, "modern"],
  ["initialize with a legacy claim", { method: "initialize", params: claim("2025-11-25") }, "legacy"],
  ["no message at all", { method: undefined }, "legacy"],
])("%s: %s", (_name, opening, era) => {
  expect(eraOfRequest(opening)).toBe(era);
});
