import type { ByteSink, Codec, Located } from "../../../src/cassette/codec.ts";
import { codecNameOf } from "../../../src/cassette/codecs.ts";
import { jsonlCodec } from "../../../src/cassette/jsonl/codec.ts";
import { yamlCodec } from "../../../src/cassette/yaml/codec.ts";
import type { Entry, Header } from "../../../src/exchange/entry.ts";
import { scanJson } from "../../../src/protocol/scan-json.ts";

export const HEADER: Header = {
  recorded: "2026-11-30T09:00:00.000Z",
  recorder: "mcp-vcr/0.1.0",
  source: { transport: "stdio", command: ["node", "weather.js"] },
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);

/** A sink that keeps what it is given as one text. */
class TextSink implements ByteSink {
  written = "";

  text(text: string): void {
    this.written += text;
  }

  bytes(bytes: Uint8Array): void {
    this.written += textOf(bytes);
  }
}

/** A whole file as a recorder leaves it. */
export function fileOf(codec: Codec, entries: readonly Entry[], header: Header = HEADER): string {
  const sink = new TextSink();
  codec.header(header, sink);
  const encode = codec.encoder();
  for (const entry of entries) encode.encode(entry, sink);
  sink.bytes(codec.terminator);
  return sink.written;
}

/** Reads a file at once, or in the chunks given. */
export function readAll(codec: Codec, ...chunks: readonly (string | Uint8Array)[]) {
  const reader = codec.decoder("a cassette");
  const located: Located[] = [];
  for (const chunk of chunks) {
    located.push(...reader.push(typeof chunk === "string" ? bytesOf(chunk) : chunk));
  }
  const end = reader.end();
  located.push(...end.entries);
  return { header: reader.header, located, entries: located.map(({ entry }) => entry), end };
}

/** A body of JSON text, in the form a recorder would choose. */
export function jsonBody(json: string): NonNullable<Entry["body"]> {
  const bytes = bytesOf(json);
  return { form: scanJson(bytes).harmed ? "json" : "message", bytes };
}

/** An entry as plain data, so that entries of different byte classes and absent members compare. */
export function shown(entry: Entry): unknown {
  const { body, ...rest } = entry;
  const bytes = body && (body.form === "base64" ? [...body.bytes].join() : textOf(body.bytes));
  return JSON.parse(JSON.stringify({ ...rest, ...(body && { body: { form: body.form, bytes } }) }));
}

/** The codec for a file, at once. */
export function codecOf(file: string): Codec {
  return codecNameOf(file) === "yaml" ? yamlCodec : jsonlCodec;
}
