import { describe, expect, test } from "vitest";
import type { Entry } from "../../../src/exchange/entry.ts";
import type { JsonValue } from "../../../src/protocol/message.ts";
import { changeLines, recorded } from "../../cases/drift.ts";
import { client, request, result, server } from "../../cases/tape.ts";

const OPENED = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } };

/** A session of the legacy era in which one thing was asked. */
function asking(method: string, answer: object, opened: object = OPENED): Entry[] {
  const version = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  };
  return [
    client(request(0, "initialize", version)),
    server(result(0, opened)),
    client(request(1, method, { name: "t", uri: "a:b" })),
    server({ jsonrpc: "2.0", id: 1, ...answer }),
  ];
}

const linesOf = (old: Entry[], fresh: Entry[]) => changeLines(recorded(old), recorded(fresh));
const told = (value: object) => ({ result: { content: [value] } });
const TEXT = { type: "text", text: "fine" };
const TOOL = { name: "t", inputSchema: { type: "object" } };
const CALL = "tools/call t";

interface Case {
  readonly what: string;
  readonly method?: string;
  readonly old: object;
  readonly new: object;
  readonly says: readonly string[];
}

const CASES: readonly Case[] = [
  {
    what: "content of no kind",
    old: told(TEXT),
    new: told({ type: "txt", text: "fine" }),
    says: [
      `breaking answer-breaks-protocol ${CALL} /content/0`,
      `risky answer-value-changed ${CALL} /content/0/type`,
    ],
  },
  {
    what: "a text that is none",
    old: told(TEXT),
    new: told({ type: "text", text: null }),
    says: [`breaking answer-breaks-protocol ${CALL} /content/0/text`],
  },
  {
    what: "no result at all",
    old: told(TEXT),
    new: { result: null },
    says: [
      `breaking answer-breaks-protocol ${CALL}`,
      `risky answer-member-removed ${CALL} /content`,
      `compatible answer-member-added ${CALL} /`,
    ],
  },
  {
    what: "an error without a code",
    old: { error: { code: -32000, message: "no" } },
    new: { error: { code: "E1", message: "no" } },
    says: [`breaking answer-breaks-protocol ${CALL} /code`],
  },
  {
    what: "a list that is none",
    method: "tools/list",
    old: { result: { tools: [TOOL] } },
    new: { result: { tools: { t: TOOL } } },
    says: ["breaking answer-breaks-protocol tools/list /tools", "breaking tool-removed tool t /tools/t"],
  },
  {
    what: "contents without a URI",
    method: "resources/read",
    old: { result: { contents: [{ uri: "a:b", text: "x" }] } },
    new: { result: { contents: [{ text: "x" }] } },
    says: ["breaking answer-breaks-protocol resources/read a:b /contents/0/uri"],
  },
];

describe("an answer that no revision knows", () => {
  test.each(CASES)("$what", async ({ method = "tools/call", old, new: fresh, says }) => {
    const lines = await linesOf(asking(method, old), asking(method, fresh));
    expect(lines.sort()).toEqual([...says].sort());
    expect((await linesOf(asking(method, fresh), asking(method, old))).join()).not.toContain("answer-breaks");
  });

  test("the opening itself", async () => {
    const { serverInfo: _, ...nameless } = OPENED;
    const lines = await linesOf(asking("ping", { result: {} }), asking("ping", { result: {} }, nameless));
    expect(lines).toContain("breaking answer-breaks-protocol initialize /serverInfo");
  });
});

describe("is not", () => {
  const link = told({ type: "resource_link", uri: "a:b", name: "n" });

  test("what the revision of its own session knows", async () => {
    const older = { ...OPENED, protocolVersion: "2025-03-26" };
    const both = async (opened: JsonValue) =>
      (
        await linesOf(
          asking("tools/call", told(TEXT), opened as object),
          asking("tools/call", link, opened as object),
        )
      ).filter((line) => line.includes("answer-breaks"));
    expect(await both(OPENED)).toEqual([]);
    expect(await both(older)).toEqual([`breaking answer-breaks-protocol ${CALL} /content/0`]);
  });

  test("what was none before, or what nobody knows the revision of", async () => {
    const odd = (text: string) => asking("tools/call", { result: { content: [{ type: "txt", text }] } });
    expect(await linesOf(odd("a"), odd("b"))).toEqual([`risky answer-value-changed ${CALL} /content/0/text`]);
    const [, , ...call] = asking("tools/call", told(TEXT));
    const [, , ...later] = asking("tools/call", told({ type: "txt", text: "fine" }));
    expect(await linesOf(call, later)).toEqual([`risky answer-value-changed ${CALL} /content/0/type`]);
  });
});
