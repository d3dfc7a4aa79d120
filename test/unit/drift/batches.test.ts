import { expect, test } from "vitest";
import { changeLines, recorded } from "../../cases/drift.ts";
import { client, request, server } from "../../cases/tape.ts";

const ASK = [1, 2].map((id) => request(id, "tools/call", { name: `t${id}`, arguments: {} }));
const says = (id: number, text: string) => ({
  jsonrpc: "2.0",
  id,
  result: { content: [{ type: "text", text }] },
});
const fails = (id: number) => ({ jsonrpc: "2.0", id, error: { code: 1, message: "boom" } });
const progress = {
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { progressToken: "p", progress: 1 },
};

const A = says(1, "A");
const B = says(2, "B");

/** Two requests, in a batch or apart, and what the server sent. */
function session(...sent: readonly object[]) {
  return recorded([client(ASK as never), ...sent.map((each) => server(each as never))]);
}

test.each([
  { what: "the same", old: [[A, B]], fresh: [[A, B]], lines: [] },
  { what: "the same, in the other order", old: [[A, B]], fresh: [[B, A]], lines: [] },
  { what: "one is gone", old: [[A, B]], fresh: [[A]], lines: ["breaking answer-gone tools/call t2"] },
  { what: "one came", old: [[A]], fresh: [[A, B]], lines: ["compatible answer-came tools/call t2"] },
  {
    what: "none is there",
    old: [[A, B]],
    fresh: [],
    lines: ["breaking answer-gone tools/call t1", "breaking answer-gone tools/call t2"],
  },
  {
    what: "one fails, after a notification",
    old: [progress, [A, B]],
    fresh: [progress, [A, fails(2)]],
    lines: ["breaking result-became-error tools/call t2"],
  },
  {
    what: "each got the other's",
    old: [[A, B]],
    fresh: [[says(1, "B"), says(2, "A")]],
    lines: [
      "risky answer-text-changed tools/call t1 /content/0/text",
      "risky answer-text-changed tools/call t2 /content/0/text",
    ],
  },
  {
    what: "each got the other's, in the other order",
    old: [[A, B]],
    fresh: [[says(2, "A"), says(1, "B")]],
    lines: [
      "risky answer-text-changed tools/call t1 /content/0/text",
      "risky answer-text-changed tools/call t2 /content/0/text",
    ],
  },
])("answers in a batch: $what", async ({ old, fresh, lines }) => {
  const found = await changeLines(session(...old), session(...fresh));
  expect(found.filter((line) => !line.includes("batch-"))).toEqual(lines);
});
