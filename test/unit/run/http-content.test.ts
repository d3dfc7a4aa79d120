import * as zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { codingsOf, decodeBody, StreamDecoder } from "../../../src/run/http-content.ts";

const text = Buffer.from('{"a":"ä"}'.repeat(1000));
const PACKED: Record<string, Buffer> = {
  gzip: zlib.gzipSync(text),
  "x-gzip": zlib.gzipSync(text),
  deflate: zlib.deflateSync(text),
  br: zlib.brotliCompressSync(text),
};

test("codings are named in the order they were applied", () => {
  expect(codingsOf(undefined)).toEqual([]);
  expect(codingsOf("identity")).toEqual([]);
  expect(codingsOf("GZIP, br")).toEqual(["gzip", "br"]);
});

describe("a whole body", () => {
  test.each(Object.entries(PACKED))("%s", (name, packed) => {
    expect(Buffer.from(decodeBody(packed, [name]) as Uint8Array).equals(text)).toBe(true);
  });

  test("deflate without its envelope, and two codings", () => {
    expect(Buffer.from(decodeBody(zlib.deflateRawSync(text), ["deflate"]) as Uint8Array).equals(text)).toBe(
      true,
    );
    const twice = zlib.brotliCompressSync(PACKED.gzip as Buffer);
    expect(Buffer.from(decodeBody(twice, ["gzip", "br"]) as Uint8Array).equals(text)).toBe(true);
  });

  test("of an unknown coding, or that is none, is undefined; an empty one is empty", () => {
    expect(decodeBody(text, ["snappy"])).toBeUndefined();
    expect(decodeBody(text, ["gzip"])).toBeUndefined();
    expect(decodeBody(Buffer.alloc(0), ["gzip"])).toHaveLength(0);
  });

  test("zstd, where this Node has it", () => {
    const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer };
    const decoded = zstdCompressSync && decodeBody(zstdCompressSync(text), ["zstd"]);
    expect(decoded && Buffer.from(decoded).equals(text)).toBe(zstdCompressSync && true);
  });
});

describe("a stream", () => {
  test.each(["gzip", "deflate", "br"])("%s delivers what was flushed, before push resolves", async (name) => {
    const got: Buffer[] = [];
    const decoder = StreamDecoder.for([name], (bytes) => got.push(Buffer.from(bytes)));
    for (const piece of await flushed(name, ["data: 1\n\n", "x".repeat(200_000), "data: 3\n\n"])) {
      for (const half of [piece.subarray(0, 3), piece.subarray(3)]) await decoder?.push(half);
      got.push(Buffer.from("|"));
    }
    decoder?.end();
    expect(Buffer.concat(got).toString()).toBe(`data: 1\n\n|${"x".repeat(200_000)}|data: 3\n\n|`);
  });

  test("that is not what it says rejects", async () => {
    const decoder = StreamDecoder.for(["gzip"], () => {});
    await expect(decoder?.push(text)).rejects.toThrow("incorrect header check");
  });

  test("of an unknown coding, or of several, has no decoder", () => {
    expect(StreamDecoder.for(["snappy"], () => {})).toBeUndefined();
    expect(StreamDecoder.for(["gzip", "br"], () => {})).toBeUndefined();
    expect(StreamDecoder.for([], () => {})).toBeUndefined();
  });
});

/** What a server sends for each text when it flushes after it. */
async function flushed(name: string, texts: string[]): Promise<Buffer[]> {
  const packer =
    name === "br" ? zlib.createBrotliCompress() : name === "gzip" ? zlib.createGzip() : zlib.createDeflate();
  const chunks: Buffer[] = [];
  let out: Buffer[] = [];
  packer.on("data", (chunk: Buffer) => out.push(chunk));
  for (const each of texts) {
    packer.write(each);
    await new Promise<void>((resolve) => packer.flush(() => setImmediate(resolve)));
    chunks.push(Buffer.concat(out));
    out = [];
  }
  return chunks;
}
