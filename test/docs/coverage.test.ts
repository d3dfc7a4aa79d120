import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { METHODS } from "../../src/protocol/methods.ts";
import { REVISIONS } from "../../src/protocol/revisions.ts";
import { ALWAYS_KEPT, keptHeaders } from "../../src/wire/kept-headers.ts";
import { differences, faultsOf } from "./covered/faults.ts";
import { HEADERS, headers, STATUSES, statuses } from "./covered/http.ts";
import { messages, strayParticulars } from "./covered/messages.ts";
import { page } from "./covered/page.ts";
import { cite, type Row } from "./covered/row.ts";
import { EXTENSION_METHODS, SCHEMA_METHODS } from "./covered/specification.ts";

const SECTIONS = [messages(), statuses(), headers()];
const MESSAGES = messages().rows;
const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

test("every row has a test, and every test that a row cites is there", () => {
  expect(faultsOf(SECTIONS, read)).toEqual([]);
  expect(strayParticulars()).toEqual([]);
});

test("docs/coverage.md is what the data says", async () => {
  await expect(page(SECTIONS)).toMatchFileSnapshot(resolve("docs/coverage.md"));
});

describe("nothing is left out", () => {
  test.each(REVISIONS.map(({ version }) => version))("of the messages of %s", (version) => {
    const rows = MESSAGES.filter(({ revisions }) => revisions.includes(version)).map(({ name }) => name);
    const specified = [...(SCHEMA_METHODS[version] ?? []), ...(EXTENSION_METHODS[version] ?? [])];
    expect(differences(rows, specified)).toEqual([]);
  });

  test("of the methods this program knows", () => {
    expect(
      differences(
        METHODS.map(({ method }) => method),
        MESSAGES.map(({ name }) => name),
      ),
    ).toEqual([]);
  });

  test.each(["client", "server"] as const)("of the headers that are kept of a %s", (side) => {
    const named = HEADERS.filter(({ from }) => from === side).map(({ name }) => name.toLowerCase());
    expect([...ALWAYS_KEPT[side]].filter((name) => !named.includes(name))).toEqual([]);
  });

  test("of the statuses that the specification names", () => {
    const named = STATUSES.filter(({ revisions }) => revisions.length > 0).map(({ status }) => status);
    expect(named).toEqual([200, 202, 400, 401, 403, 404, 405]);
  });
});

test.each(HEADERS)("$name of a $from is kept as its row says", ({ name, from, keeping }) => {
  const header = name.toLowerCase().replace("*", "x");
  const kept = (value: string, foreign: boolean) => {
    const context = { foreignHost: foreign, foreignOrigin: foreign };
    return keptHeaders(from, [[name.replace("*", "X"), value]], context)?.[header];
  };
  if (keeping.kept === "unusual") {
    expect(kept(keeping.usual, false)).toBeUndefined();
    expect(kept(keeping.unusual, true)).toBe(keeping.unusual);
  } else {
    expect(kept(keeping.example, false)).toBe(keeping.kept === "always" ? keeping.example : undefined);
  }
});

describe("the check itself", () => {
  const row = (...tests: Row["tests"]): Row => ({
    name: "tools/list",
    from: "client",
    revisions: [],
    recorded: "yes",
    replayed: "yes",
    across: { is: "a miss" },
    tests,
  });
  const files: Readonly<Record<string, string>> = {
    "test/a.test.ts":
      'test("is (there)", run); describe.each(\n  X)(\n  "of each", run); test.skip("asleep", run); "loose"',
  };
  const faults = (...rows: Row[]) =>
    faultsOf([{ title: "", text: "", through: [], rows }], (file) => files[file]);

  test("is content with tests that are there, however they are called", () => {
    expect(faults(row(cite("a", "is (there)"), cite("a", "of each")))).toEqual([]);
  });

  test.each([
    ["a row without a test", [row()], "tools/list (client) has no test"],
    [
      "a file that is not there",
      [row(cite("b", "x"))],
      "tools/list (client) cites test/b.test.ts, which is not there",
    ],
    [
      "a title that is not there",
      [row(cite("a", "gone"))],
      'cites test/a.test.ts: "gone", which no test is called',
    ],
    ["a text that is no title", [row(cite("a", "loose"))], "which no test is called"],
    ["a test that is skipped", [row(cite("a", "asleep"))], "which is not run (.skip)"],
    [
      "a row that stands twice",
      [row(cite("a", "of each")), row(cite("a", "of each"))],
      "stands in the table twice",
    ],
  ])("finds %s", (_what, rows, fault) => {
    const found = faults(...rows);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(fault);
  });

  test("looks at what rows have in common, and at what is cited for the other era", () => {
    const across = { is: "a miss", test: cite("a", "gone") };
    const section = { title: "", text: "", through: [cite("b", "x")], rows: [{ ...row(), across }] };
    expect(faultsOf([section], (file) => files[file])).toHaveLength(2);
  });

  test("finds what either side lacks", () => {
    expect(differences(["a", "b"], ["b", "c"])).toEqual([
      "lacks c",
      "has a, which the specification has not",
    ]);
  });
});
