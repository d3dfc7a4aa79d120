import { describe, expect, test } from "vitest";
import { Bench, type Json, modern } from "./support.ts";

const NAMES = ["a", "b", "c", "d", "e"];

function listed(rules: string, names: readonly string[] = NAMES): string {
  return `scenario: 1
server: { name: s, version: "1" }
${rules}
tools: [${names.map((name) => `{ name: ${name} }`).join(", ")}]
`;
}

interface Walked {
  readonly pages: readonly (readonly string[])[];
  readonly cursors: readonly unknown[];
}

function walk(bench: Bench, most = 20): Walked {
  const pages: string[][] = [];
  const cursors: unknown[] = [];
  for (let params: Json | undefined; pages.length < most; ) {
    const result = bench.ask("tools/list", params).result as Json;
    pages.push((result.tools as { name: string }[]).map(({ name }) => name));
    if (result.nextCursor === undefined) break;
    cursors.push(result.nextCursor);
    params = { cursor: result.nextCursor };
  }
  return { pages, cursors };
}

async function begun(text: string): Promise<Bench> {
  const bench = await Bench.of(text);
  bench.initialize();
  return bench;
}

describe("lists", () => {
  test.each<[string, string, readonly (readonly string[])[]]>([
    ["on one page", "", [NAMES]],
    ["cut", "pageSize: 2", [["a", "b"], ["c", "d"], ["e"]]],
    [
      "cut, each list as it wants",
      "pageSize: 2\npages: { tools: { size: 4 } }",
      [["a", "b", "c", "d"], ["e"]],
    ],
    [
      "with an empty page",
      "pageSize: 3\npages: { tools: { empty: [2] } }",
      [["a", "b", "c"], [], ["d", "e"]],
    ],
    [
      "with an empty first and last page",
      "pageSize: 5\npages: { tools: { empty: [1, 3] } }",
      [[], NAMES, []],
    ],
    [
      "with an empty cursor",
      "pageSize: 3\npages: { tools: { emptyCursor: 1 } }",
      [
        ["a", "b", "c"],
        ["d", "e"],
      ],
    ],
  ])("%s", async (_, rules, pages) => {
    expect(walk(await begun(listed(rules))).pages).toEqual(pages);
  });

  test("an empty cursor is one like any other", async () => {
    expect(walk(await begun(listed("pageSize: 3\npages: { tools: { emptyCursor: 1 } }"))).cursors).toEqual([
      "",
    ]);
  });

  test("that loop never end", async () => {
    const { pages, cursors } = walk(await begun(listed("pageSize: 3\npages: { tools: { loop: 2 } }")), 6);
    expect(pages.slice(0, 4)).toEqual([
      ["a", "b", "c"],
      ["d", "e"],
      ["d", "e"],
      ["d", "e"],
    ]);
    expect(new Set(cursors).size).toBe(1);
  });

  test("of 40 tools over 20 pages are whole, and it is known how far a client went", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
    const bench = await begun(listed("pageSize: 2", names));
    const { pages, cursors } = walk(bench, 30);
    expect(pages.flat()).toEqual(names);
    expect(new Set(cursors).size).toBe(19);
    expect(bench.uses.filter(({ kind }) => kind === "page")).toHaveLength(20);
    expect(bench.uses.at(-1)).toEqual({ kind: "page", list: "tools", page: 20, of: 20 });
  });
});

describe("a cursor", () => {
  const error = (bench: Bench, cursor: unknown) => bench.ask("tools/list", { cursor }).error;

  test.each([
    ["that was never given out", "pageSize: 2", "nonsense"],
    ["where there are no pages", "", "nonsense"],
    ["of another list", "pageSize: 1", "other"],
    ["that is empty", "pageSize: 2", ""],
  ])("%s is refused", async (_, rules, cursor) => {
    const bench = await begun(`${listed(rules)}prompts: [{ name: p }, { name: q }]\n`);
    const prompts = bench.ask("prompts/list").result as Json;
    const asked = cursor === "other" ? prompts.nextCursor : cursor;
    expect(error(bench, asked)).toMatchObject({
      code: -32602,
      message: expect.stringContaining("not given out"),
    });
  });

  test("that is no text is refused", async () => {
    expect(error(await begun(listed("pageSize: 2")), 7)).toMatchObject({ code: -32602 });
  });

  test("expires when it may, and not before", async () => {
    const bench = await begun(listed("pageSize: 2\npages: { tools: { expire: 5s } }"));
    const { nextCursor } = bench.ask("tools/list").result as Json;
    bench.time.pass(3000);
    expect(error(bench, nextCursor)).toBeUndefined();
    bench.time.pass(1100);
    expect(error(bench, nextCursor)).toMatchObject({
      code: -32602,
      message: expect.stringContaining("expired"),
    });
  });

  test("expires when the list changes", async () => {
    const bench = await begun(`${listed("pageSize: 2")}timeline: [{ at: 1500ms, hide: { tools: [a] } }]\n`);
    const { nextCursor } = bench.ask("tools/list").result as Json;
    expect(error(bench, nextCursor)).toMatchObject({ message: expect.stringContaining("expired") });
    expect(walk(bench).pages).toEqual([
      ["b", "c"],
      ["d", "e"],
    ]);
  });

  test("holds for another client too", async () => {
    const text = listed("pageSize: 2");
    const { nextCursor } = (await begun(text)).ask("tools/list").result as Json;
    const result = (await begun(text)).ask("tools/list", { cursor: nextCursor }).result as Json;
    expect(result.tools).toMatchObject([{ name: "c" }, { name: "d" }]);
  });
});

test("pages of the modern era say how long they may be kept", async () => {
  const bench = await Bench.of(`${listed("pageSize: 3")}caching: { ttl: 1m, scope: public }\n`);
  expect(bench.ask("tools/list", modern()).result).toMatchObject({
    resultType: "complete",
    ttlMs: 60_000,
    cacheScope: "public",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } },
  });
});
