import { describe, expect, test } from "vitest";
import { EndpointRewriter } from "../../../src/transport/http-proxy-endpoint.ts";

function through(text: string, size: number): string {
  const rewriter = new EndpointRewriter((url) => `<${url}>`);
  const bytes = Buffer.from(text);
  const out: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) out.push(rewriter.push(bytes.subarray(at, at + size)));
  out.push(rewriter.end());
  return Buffer.concat(out).toString();
}

describe.each([1, 2, 3, 7, 1000])("in chunks of %i bytes", (size) => {
  test.each([
    ["event: endpoint\ndata: /x?ä\n\ndata: /x\n\n", "event: endpoint\ndata: </x?ä>\n\ndata: /x\n\n"],
    ["event:endpoint\r\ndata:/x\r\n\r\n", "event:endpoint\r\ndata:</x>\r\n\r\n"],
    ["data: /x\revent: endpoint\r\rdata: 2\r\r", "data: </x>\revent: endpoint\r\rdata: 2\r\r"],
    [
      ": ping\n\nretry: 5\n\nevent: endpoint\ndata: /x\n\n",
      ": ping\n\nretry: 5\n\nevent: endpoint\ndata: </x>\n\n",
    ],
    [": a\r\n\r\n: b\r\n\r\nevent: endpoint\r\nid: 1\r\ndata: /x\r\n\r\n", undefined],
    ["\n\nevent: endpoint\ndata: /x\n\n", "\n\nevent: endpoint\ndata: </x>\n\n"],
    ["data: 1\n\nevent: endpoint\ndata: /x\n\n", "data: 1\n\nevent: endpoint\ndata: /x\n\n"],
    ["event: endpoints\ndata: /x\n\n", "event: endpoints\ndata: /x\n\n"],
    ["event: endpoint\ndata: /x\ndata: /y\n\n", "event: endpoint\ndata: /x\ndata: /y\n\n"],
    ["event: endpoint\ndata: /x\n", "event: endpoint\ndata: /x\n"],
    ["", ""],
  ])("%j", (text, expected) => {
    expect(through(text, size)).toBe(expected ?? text.replace("/x", "</x>"));
  });
});

test("an event that never ends is not held for ever", () => {
  const rewriter = new EndpointRewriter(() => "no");
  const chunk = Buffer.from(`data: ${"x".repeat(40_000)}`);
  expect(rewriter.push(chunk)).toHaveLength(0);
  expect(rewriter.push(chunk)).toHaveLength(2 * chunk.length);
  expect(rewriter.push(chunk)).toBe(chunk);
});

test("once the first event is through, chunks are handed on uncopied", () => {
  const rewriter = new EndpointRewriter(() => "no");
  rewriter.push(Buffer.from("data: 1\n\n"));
  const chunk = Buffer.from("event: endpoint\ndata: /x\n\n");
  expect(rewriter.push(chunk)).toBe(chunk);
});
