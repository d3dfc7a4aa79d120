import { describe, expect, test } from "vitest";
import { isUnique } from "../../../../src/drive/again/minted.ts";
import { client, request, result, server } from "../../../cases/tape.ts";
import { askAgain } from "./support.ts";

const OLD = "3f2b8c1e-7d4a-4b6f-9a51-0c2d3e4f5a6b";
const NEW = "9c8b7a6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d";

/** A call that makes something, and what it says of it. */
const made = (id: string) => ({
  content: [
    { type: "text", text: JSON.stringify({ note: 'a "new"\nthing', id }) },
    { type: "resource_link", uri: `item://${id}`, name: "A" },
  ],
  structuredContent: { id },
});

const entries = [
  client(request(1, "tools/call", { name: "new", arguments: {} })),
  server(result(1, made(OLD))),
  client(request(2, "tools/call", { name: "get", arguments: { id: OLD } })),
  server(result(2, { content: [] })),
  client(request(3, "resources/read", { uri: `item://${OLD}` })),
  server(result(3, { contents: [] })),
];

describe("ids that the server draws anew, and that are sent back", () => {
  test("are those that it gives this time", async () => {
    const { sent, names } = await askAgain({
      entries,
      server: ({ id, params }, tell) => tell({ id, result: params.name === "new" ? made(NEW) : {} }),
    });
    expect(names.echoes.notes).toEqual([
      `Taken for ids that the server draws anew, so no difference: ${OLD} (now ${NEW}).`,
    ]);
    expect(sent[1].params.arguments.id).toBe(NEW);
    expect(sent[2].params.uri).toBe(`item://${NEW}`);
  });

  test("in JSON text alone, or in a link alone", async () => {
    for (const index of [0, 1]) {
      const part = (id: string) => ({ content: [made(id).content[index]] });
      const { sent } = await askAgain({
        entries: [entries[0] as never, server(result(1, part(OLD))), ...entries.slice(2)],
        server: ({ id, params }, tell) => tell({ id, result: params.name === "new" ? part(NEW) : {} }),
      });
      expect(sent[1].params.arguments.id).toBe(NEW);
    }
  });

  test("what the client knew before, and what is there still, is sent as recorded", async () => {
    const known = await askAgain({
      entries: [client(request(0, "ping", { id: OLD })), server(result(0, {})), ...entries],
      server: ({ id, params }, tell) => tell({ id, result: params?.name === "new" ? made(NEW) : {} }),
    });
    expect(known.sent.at(-1).params.uri).toBe(`item://${OLD}`);
    const list = (...ids: string[]) => ({ structuredContent: { ids } });
    const moved = await askAgain({
      entries: [entries[0] as never, server(result(1, list(OLD, NEW))), ...entries.slice(2)],
      server: ({ id, params }, tell) => tell({ id, result: params.name === "new" ? list(NEW, OLD) : {} }),
    });
    expect(moved.sent[1].params.arguments.id).toBe(OLD);
    expect(moved.names.echoes.notes).toEqual([]);
  });

  test("where what gave them was not asked, neither is what sends them back", async () => {
    const { sent, report } = await askAgain({
      entries: [client(request(0, "tools/list")), server(result(0, { tools: [] })), ...entries],
      permission: false,
      server: ({ id, method }, tell) => {
        const tools = [{ name: "get", annotations: { readOnlyHint: true } }];
        tell({ id, result: method === "tools/list" ? { tools } : {} });
      },
    });
    expect(sent.map(({ method }) => method)).toEqual(["tools/list"]);
    expect(report.withheld.map(({ reason }) => reason)).toEqual([
      "not among the tools that the server lists now, and not allowed",
      "goes on with what was not asked either",
      "goes on with what was not asked either",
    ]);
  });
});

describe("a number", () => {
  const text = (said: string) => ({ content: [{ type: "text", text: said }] });
  const price = (said: string) => `The price is ${said} cents.`;
  const again = (said: (number: string) => object) =>
    askAgain({
      entries: [
        client(request(1234567, "tools/call", { name: "quote", arguments: {} })),
        server(result(1234567, said("2345678"))),
        client(request(2, "tools/call", { name: "pay", arguments: { amount: 2345678 } })),
        server(result(2, { content: [] })),
      ],
      server: ({ id, params }, tell) => tell({ id, result: params.name === "quote" ? said("8765432") : {} }),
    });

  test.each([
    ["in prose", (number: string) => text(price(number))],
    ["in JSON within a text", (number: string) => text(`{"price":${number}}`)],
    ["in structured content", (number: string) => ({ structuredContent: { paid: Number(number) } })],
    ["beside an id", (number: string) => ({ structuredContent: { id: "A", total: [Number(number)] } })],
  ])("%s is a price as well as an id, and sent as recorded", async (_, said) => {
    const { sent, names } = await again(said);
    expect(sent[1].params.arguments.amount).toBe(2345678);
    expect(names.echoes.notes).toEqual([]);
  });

  test.each([
    ["id", (number: string) => ({ structuredContent: { id: Number(number) } })],
    ["orderId, in JSON within a text", (number: string) => text(`[{"orderId":"${number}"}]`)],
    ["ids, in a list", (number: string) => ({ structuredContent: { ids: [1, Number(number)] } })],
    ["uri", (number: string) => ({ content: [{ type: "resource_link", uri: `a://${number}`, name: "a" }] })],
  ])("of a member %s is followed", async (_, said) => {
    const { sent } = await again(said);
    expect(sent[1].params.arguments.amount).toBe(8765432);
  });
});

test("an id is told from a word, a name with a number, and a date", () => {
  for (const id of [
    OLD,
    "deadbee5",
    "issue-123456",
    "pg1f4c8a77",
    "CQVVGQwETMJ-".slice(0, 11),
    "rec_a8Xk29fLq",
  ]) {
    expect({ id, unique: isUnique(id) }).toEqual({ id, unique: true });
  }
  for (const word of [
    "forecast",
    "version-2",
    "nextCursor",
    "2026-11-30",
    "2026-11-30T04",
    "utf8-text",
    "getUserName",
  ]) {
    expect({ word, unique: isUnique(word) }).toEqual({ word, unique: false });
  }
});
