import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/contract/change.ts";
import { compareContracts } from "../../../src/contract/compare.ts";
import { type ContractText, contractFrom } from "../../../src/contract/contract-text.ts";
import type { JsonObject } from "../../../src/protocol/message.ts";

const compare = async (old: ContractText, now: ContractText): Promise<Change[]> =>
  compareContracts(contractFrom(old), contractFrom(now));

const rulesOf = (changes: readonly Change[]) => changes.map(({ rule, class: kind }) => `${rule} ${kind}`);

describe("renames", () => {
  const schema = (names: string[]) => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  });
  const gone = {
    name: "get_forecast",
    description: "Weather of a city",
    inputSchema: schema(["city", "day"]),
  };
  const heir = {
    name: "forecast_get",
    description: "Weather of a city",
    inputSchema: schema(["city", "day"]),
  };
  const other = {
    name: "delete_file",
    description: "Removes a file for good",
    inputSchema: schema(["path"]),
  };

  test("are proposed on both halves, for the most alike", async () => {
    const changes = await compare({ tools: [gone] }, { tools: [other, heir] });
    expect(rulesOf(changes)).toEqual([
      "tool-removed breaking",
      "tool-added compatible",
      "tool-added compatible",
    ]);
    expect(changes[0]?.message).toContain("renamed to forecast_get");
    expect(changes.find(({ subject }) => subject === "tool forecast_get")?.message).toContain("get_forecast");
    expect(changes.find(({ subject }) => subject === "tool delete_file")?.message).not.toContain("may be");
  });

  test("are not proposed for what is not alike", async () => {
    const [removed] = await compare({ tools: [gone] }, { tools: [other] });
    expect(removed?.message).not.toContain("renamed");
  });
});

test.each(["constructor", "__proto__", "toString"])("members may be called %s", async (name) => {
  const tool = (value: number) => ({
    name: "t",
    inputSchema: { type: "object", properties: { a: { type: "string", format: name } } },
    ...(JSON.parse(`{ ${JSON.stringify(name)}: ${value} }`) as JsonObject),
  });
  const changes = await compare({ tools: [tool(1)] }, { tools: [tool(2)] });
  expect(rulesOf(changes)).toEqual(["meta-changed info"]);
});

describe("annotations compare by their effect", () => {
  const withHints = (hints: Record<string, boolean> | undefined): ContractText => ({
    tools: [{ name: "t", inputSchema: { type: "object" }, ...(hints ? { annotations: hints } : {}) }],
  });

  test.each([
    ["defaults written out", undefined, { readOnlyHint: false, destructiveHint: true }, []],
    [
      "what a reader adds",
      { readOnlyHint: true },
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
      [],
    ],
    ["closed to open", { openWorldHint: false }, {}, ["annotation-riskier risky"]],
    ["destructive dropped", {}, { destructiveHint: false }, ["annotation-safer compatible"]],
    ["no longer idempotent", { idempotentHint: true }, {}, ["annotation-riskier risky"]],
    ["no longer a reader, and nothing else said", { readOnlyHint: true }, {}, ["annotation-riskier risky"]],
    [
      "no longer a reader, but it only adds",
      { readOnlyHint: true },
      { readOnlyHint: false, destructiveHint: false },
      ["annotation-riskier risky"],
    ],
    [
      "a reader now, with all that goes without saying",
      {},
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      ["annotation-safer compatible", "annotation-safer compatible"],
    ],
  ])("%s", async (_, old, now, rules) => {
    expect(rulesOf(await compare(withHints(old), withHints(now)))).toEqual(rules);
  });

  test.each([
    [{ readOnlyHint: false, destructiveHint: true }, "may change things and destroy"],
    [{ destructiveHint: false }, "may change things"],
  ])("%j, of a tool that only read, is told once", async (now, words) => {
    const changes = await compare(withHints({ readOnlyHint: true }), withHints(now));
    expect(changes.map(({ message }) => message)).toEqual([
      `The tool now says that it ${words}; it was: only reads.`,
    ]);
  });
});

describe("the arguments as a whole", () => {
  const withSchema = (inputSchema: JsonObject): ContractText => ({ tools: [{ name: "t", inputSchema }] });

  test("a schema that names no type is one of objects all the same", async () => {
    const typed = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    const { type: _, ...untyped } = typed;
    expect(rulesOf(await compare(withSchema(untyped), withSchema(typed)))).toEqual([]);
    const changes = await compare(
      withSchema({ $schema: "http://json-schema.org/draft-07/schema#" }),
      withSchema(typed),
    );
    expect(rulesOf(changes).filter((each) => each.endsWith("breaking"))).toEqual([
      "input-required-added breaking",
    ]);
  });
});

test("what neither side knows is not spoken of", async () => {
  expect(await compare({}, {})).toEqual([]);
});

test("a member that a partial list does not show is unknown, not removed", async () => {
  const t = (name: string) => ({ name, inputSchema: { type: "object" } });
  const changes = await compare({ tools: [t("a"), t("b")] }, { tools: [t("a")], partial: ["tools"] });
  expect(rulesOf(changes)).toEqual(["list-partial info", "pagination-introduced risky"]);
});

test("pointers name the list, the member by its own name, and the place in it", async () => {
  const t = (description: string) => ({ name: "a/b", description, inputSchema: { type: "object" } });
  const [change] = await compare({ tools: [t("x")] }, { tools: [t("y")] });
  expect(change).toMatchObject({
    subject: "tool a/b",
    pointer: "/tools/a~1b/description",
    before: "x",
    after: "y",
  });
});

test("a revision that was merely not asked for is not called dropped", async () => {
  expect(await compare({ spoken: ["2025-06-18"] }, { spoken: ["2025-11-25"] })).toEqual([]);
});

test("a server that answers with an earlier revision than before has dropped that one", async () => {
  const refused = ["2025-11-25"];
  const [old, now] = [["2025-06-18"], ["2024-11-05"]];
  expect(await compare({ spoken: old, refused }, { spoken: now, refused })).toMatchObject([
    {
      rule: "revision-dropped",
      class: "risky",
      subject: "2025-06-18",
      message: "Revision 2025-06-18 is no longer spoken; 2024-11-05 is answered instead.",
    },
  ]);
  expect(rulesOf(await compare({ spoken: now, refused }, { spoken: old, refused }))).toEqual([
    "revision-added compatible",
  ]);
});

test("a list that had twins, or no end, before is no news", async () => {
  const tools = [{ name: "a" }, { name: "a" }];
  const old = { tools, endless: ["tools"] } as const;
  expect(await compare(old, old)).toEqual([]);
  expect(rulesOf(await compare({ tools: [{ name: "a" }] }, old))).toEqual([
    "list-duplicate risky",
    "list-endless breaking",
  ]);
});

test("a revision dropped with others left is risky", async () => {
  const changes = await compare(
    { spoken: ["2026-07-28", "2026-12-01"], complete: ["modern"] },
    { spoken: ["2026-07-28"], complete: ["modern"] },
  );
  expect(rulesOf(changes)).toEqual(["revision-dropped risky"]);
});

test.each([
  ["in the legacy era, where another is answered instead", "legacy", "2025-11-25", "2025-06-18", "risky"],
  ["in the modern era, where all that is spoken is told", "modern", "2026-07-28", "2026-12-01", "breaking"],
] as const)("a revision dropped %s", async (_, era, old, now, verdict) => {
  const complete = era === "modern" ? [era] : [];
  const changes = await compare({ spoken: [old], complete }, { spoken: [now], refused: [old], complete });
  expect(changes.find(({ rule }) => rule === "revision-dropped")?.class).toBe(verdict);
});

test("capabilities that are switched off are as good as absent", async () => {
  const changes = await compare(
    { capabilities: { tools: { listChanged: false } } },
    { capabilities: { tools: {} } },
  );
  expect(changes).toEqual([]);
});
