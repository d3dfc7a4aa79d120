import { expect, test } from "vitest";
import { changeLines, recorded } from "../../cases/drift.ts";
import { client, request, result, server } from "../../cases/tape.ts";

const OPENED = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } };

/** One connection after the other, each with its client's name and the answers to its questions `q0`, `q1`, … */
function connections(...all: readonly (readonly [name: string, ...answers: string[]])[]) {
  return recorded(
    all.flatMap(([name, ...answers], index) => {
      const extra = { session: index + 1 };
      const opening = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name, version: "1" } };
      const asked = answers.flatMap((text, at) => [
        client(request(at + 1, "tools/call", { name: `q${at}` }), extra),
        server(result(at + 1, { content: [{ type: "text", text }] }), extra),
      ]);
      return [client(request(0, "initialize", opening), extra), server(result(0, OPENED), extra), ...asked];
    }),
  );
}

const CHANGED = "risky answer-text-changed tools/call";

test.each([
  {
    what: "in the other order",
    old: [
      ["k", "A"],
      ["l", "B"],
    ],
    fresh: [
      ["l", "B"],
      ["k", "A"],
    ],
    lines: [],
  },
  {
    what: "each got the other's answer",
    old: [
      ["k", "A"],
      ["l", "B"],
    ],
    fresh: [
      ["l", "A"],
      ["k", "B"],
    ],
    lines: [`${CHANGED} q0 /content/0/text`, `${CHANGED} q0 #2 /content/0/text`],
  },
  {
    what: "in the other order, and one answer is another in both",
    old: [
      ["k", "A", "X"],
      ["l", "B", "X"],
    ],
    fresh: [
      ["l", "B", "Y"],
      ["k", "A", "Y"],
    ],
    lines: [`${CHANGED} q1 /content/0/text`, `${CHANGED} q1 #2 /content/0/text`],
  },
  {
    what: "under other names",
    old: [
      ["k", "A"],
      ["l", "B"],
    ],
    fresh: [
      ["m", "A"],
      ["n", "C"],
    ],
    lines: [`${CHANGED} q0 #2 /content/0/text`],
  },
] as const)("clients are told apart by name first: $what", async ({ old, fresh, lines }) => {
  expect(await changeLines(connections(...old), connections(...fresh))).toEqual(lines);
});
