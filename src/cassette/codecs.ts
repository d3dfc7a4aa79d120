import { VcrError } from "../errors.ts";
import type { Codec } from "./codec.ts";
import { jsonlCodec } from "./jsonl/codec.ts";
import { yamlCodec } from "./yaml/codec.ts";

const CODEC_OF_ENDING: ReadonlyMap<string, Codec> = new Map([
  ["yaml", yamlCodec],
  ["yml", yamlCodec],
  ["jsonl", jsonlCodec],
]);

/**
 * The codec for a file, by its ending.
 * @throws VcrError `usage` for any other ending
 */
export function codecFor(file: string): Codec {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
  const codec = ending === undefined ? undefined : CODEC_OF_ENDING.get(ending);
  if (codec) return codec;
  const stem = ending === undefined ? file : file.slice(0, -ending.length - 1);
  throw new VcrError("usage", `"${file}" is no cassette name: it must end in .yaml, .yml or .jsonl`, {
    hint: `Name it ${stem || "cassette"}.yaml (for reading and review) or ${stem || "cassette"}.jsonl (for large recordings and pipes).`,
  });
}
