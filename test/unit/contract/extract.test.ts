import { describe, expect, test } from "vitest";
import type { Contract } from "../../../src/contract/contract.ts";
import { extractContract } from "../../../src/contract/extract.ts";
import type { Entry } from "../../../src/exchange/entry.ts";
import { client, error, httpTape, request, result, server, tape } from "../../cases/tape.ts";

const contractOf = (entries: readonly Entry[]): Contract => extractContract(tape(entries).recording);

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

function asked(id: number, method: string, answer: object, params: object = {}): Entry[] {
  const message = "code" in answer ? { jsonrpc: "2.0", id, error: answer } : result(id, answer);
  return [client(request(id, method, params)), server(message)];
}

const initialize = (protocolVersion: string, answered = protocolVersion): Entry[] =>
  asked(
    0,
    "initialize",
    {
      protocolVersion: answered,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "weather", version: "1.0.0" },
      instructions: "Be brief.",
    },
    { protocolVersion, capabilities: {}, clientInfo: { name: "t", version: "1" } },
  );

const names = (contract: Contract) => [...contract.lists.tools.members.keys()];

describe("what a server says of itself", () => {
  test("the answer to initialize, and where it stands", () => {
    const { server: facts, revisions } = contractOf(initialize("2025-11-25"));
    expect(facts).toEqual({
      capabilities: { tools: { listChanged: true } },
      instructions: "Be brief.",
      serverInfo: { name: "weather", version: "1.0.0" },
      seenAt: 1,
    });
    expect(revisions).toEqual({ spoken: ["2025-11-25"], refused: [], complete: [], refusedEras: [] });
  });

  test("a revision that was asked for and not given is refused", () => {
    const { revisions } = contractOf(initialize("2025-11-25", "2025-06-18"));
    expect(revisions).toMatchObject({ spoken: ["2025-06-18"], refused: ["2025-11-25"] });
  });

  test("server/discover tells every modern revision, and who the server is", () => {
    const info = { name: "weather", version: "2.0.0" };
    const contract = contractOf(
      asked(
        1,
        "server/discover",
        {
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
          _meta: { "io.modelcontextprotocol/serverInfo": info },
        },
        { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } },
      ),
    );
    expect(contract.revisions).toEqual({
      spoken: ["2026-07-28"],
      refused: [],
      complete: ["modern"],
      refusedEras: [],
    });
    expect(contract.server?.serverInfo).toEqual(info);
  });

  test("a legacy server turns the probe away", () => {
    const { revisions } = contractOf([
      ...asked(7, "server/discover", { code: -32601, message: "no" }),
      ...initialize("2025-11-25"),
    ]);
    expect(revisions).toMatchObject({ spoken: ["2025-11-25"], refusedEras: ["modern"] });
  });

  test("a modern server turns initialize away, and names what it speaks", () => {
    const supported = { code: -32022, message: "no", data: { supported: ["2026-07-28"] } };
    const { revisions } = contractOf(asked(0, "initialize", supported, { protocolVersion: "2025-11-25" }));
    expect(revisions).toMatchObject({ spoken: ["2026-07-28"], refused: ["2025-11-25"] });
    const { revisions: others } = contractOf(
      asked(0, "initialize", { code: -32601, message: "no" }, { protocolVersion: "2025-11-25" }),
    );
    expect(others).toMatchObject({ refused: ["2025-11-25"], refusedEras: ["legacy"] });
  });

  test("a server that failed for another reason shows nothing", () => {
    const { revisions } = contractOf(asked(0, "initialize", { code: -32603, message: "busy" }));
    expect(revisions.refusedEras).toEqual([]);
  });
});

describe("lists", () => {
  const page = (id: number, items: string[], { cursor, next }: { cursor?: string; next?: string } = {}) =>
    asked(
      id,
      "tools/list",
      { tools: items.map(tool), ...(next === undefined ? {} : { nextCursor: next }) },
      cursor === undefined ? {} : { cursor },
    );

  test("never asked for is unknown; asked and empty is empty", () => {
    const { lists } = contractOf(page(1, []));
    expect(lists.tools).toMatchObject({ state: "complete", pages: 1 });
    expect(lists.prompts.state).toBe("unknown");
  });

  test("no answer, and an error, leave a list unknown", () => {
    expect(contractOf([client(request(1, "tools/list"))]).lists.tools.state).toBe("unknown");
    const failed = contractOf(asked(1, "tools/list", { code: -32603, message: "busy" }));
    expect(failed.lists.tools.state).toBe("unknown");
  });

  test("a server that does not know the method has no such list", () => {
    const { lists } = contractOf([client(request(1, "prompts/list")), server(error(1, -32601))]);
    expect(lists.prompts).toMatchObject({ state: "complete", pages: 0 });
  });

  test("all pages are joined, an empty cursor included, and say where each member stands", () => {
    const contract = contractOf([
      ...page(1, ["a"], { next: "" }),
      ...page(2, ["b"], { cursor: "", next: "x" }),
      ...page(3, ["c"], { cursor: "x" }),
    ]);
    expect(contract.lists.tools).toMatchObject({ state: "complete", pages: 3 });
    expect([...contract.lists.tools.members].map(([name, { seenAt }]) => [name, seenAt])).toEqual([
      ["a", 1],
      ["b", 3],
      ["c", 5],
    ]);
  });

  test("pages that were not all asked for are partial", () => {
    expect(contractOf(page(1, ["a"], { next: "2" })).lists.tools.state).toBe("partial");
    expect(contractOf(page(1, ["b"], { cursor: "2" })).lists.tools.state).toBe("partial");
  });

  test("the last whole list counts, and a change is noted", () => {
    const contract = contractOf([
      ...page(1, ["a"]),
      ...page(2, ["a", "b"]),
      ...page(3, ["z"], { next: "n" }),
    ]);
    expect(names(contract)).toEqual(["a", "b"]);
    expect(contract.notes).toEqual([
      "tools/list was answered differently at entry 3 than at entry 1; the last whole list counts",
    ]);
    expect(contractOf([...page(1, ["a"]), ...page(2, ["a"])]).notes).toEqual([]);
  });

  test("a page that is asked for again takes the place of the first", () => {
    const contract = contractOf([
      ...page(1, ["a"], { next: "2" }),
      ...page(2, ["b"], { cursor: "2", next: "3" }),
      ...page(3, ["B"], { cursor: "2" }),
    ]);
    expect(names(contract)).toEqual(["a", "B"]);
  });

  test("cursors of one connection do not lead into the pages of another", () => {
    const second = page(1, ["z"], { cursor: "2" }).map((entry) => ({ ...entry, session: 2 }));
    const contract = contractOf([...page(1, ["a"], { next: "2" }), ...second]);
    expect(contract.lists.tools.state).toBe("partial");
    expect(contract.lists.tools.members.size).toBe(1);
  });

  test("members without a name are left out, twins noted", () => {
    const contract = contractOf(asked(1, "tools/list", { tools: [tool("a"), { title: "x" }, tool("a")] }));
    expect(names(contract)).toEqual(["a"]);
    expect(contract.notes).toHaveLength(2);
    expect(contract.lists.tools.repeated).toEqual(["a"]);
    const onTwoPages = contractOf([
      ...page(1, ["a"], { next: "2" }),
      ...page(2, ["b", "a", "a"], { cursor: "2" }),
    ]);
    expect(onTwoPages.lists.tools.repeated).toEqual(["a"]);
    expect(contractOf([...page(1, ["a"]), ...page(2, ["a"])]).lists.tools.repeated).toEqual([]);
  });

  test.each([
    ["to itself", [["a"], ["b", "2", "2"]], true],
    ["to one before", [["a"], ["b", "2", "3"], ["c", "3", "2"]], true],
    ["on, where nobody asked further", [["a"], ["b", "2", "3"]], false],
    ["nowhere", [["a"], ["b", "2"]], false],
  ] as const)("a last page that leads %s", (_, pages, endless) => {
    const entries = pages.flatMap(([name, cursor, next], index) => {
      const led = index === 0 ? { next: "2" } : { cursor: cursor as string, ...(next && { next }) };
      return page(index, [name], led);
    });
    const { lists, notes } = contractOf(entries);
    expect(lists.tools).toMatchObject({ endless, repeated: [] });
    expect(notes).toEqual([]);
  });

  test("pages that go in a circle name the same twice without that", () => {
    const { lists, notes } = contractOf([
      ...page(1, ["a"], { next: "2" }),
      ...page(2, ["a"], { cursor: "2", next: "2" }),
    ]);
    expect(lists.tools).toMatchObject({ endless: true, repeated: [] });
    expect(notes).toEqual([]);
  });

  test("the same over HTTP", () => {
    const entries = [
      client(request(1, "tools/list"), { http: { method: "POST", path: "/mcp" } }),
      server(result(1, { tools: [tool("a")] }), { http: { status: 200 }, on: { id: "1" } }),
    ];
    expect(names(extractContract(httpTape(entries).recording))).toEqual(["a"]);
  });
});
