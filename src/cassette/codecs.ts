import { VcrError } from "../errors.ts";
import type { Codec } from "./codec.ts";
import { jsonlCodec } from "./jsonl/codec.ts";

/** YAML is loaded when used: reading it takes a parser, which a JSON Lines recording never needs. */
const CODECS: Readonly<Record<Codec["name"], () => Promise<Codec>>> = {
  yaml: async () => (await import("./yaml/codec.ts")).yamlCodec,
  jsonl: async () => jsonlCodec,
};

const NAME_OF_ENDING: ReadonlyMap<string, Codec["name"]> = new Map([
  ["yaml", "yaml"],
  ["yml", "yaml"],
  ["jsonl", "jsonl"],
]);

/**
 * The codec for a file, by its ending.
 * @throws VcrError `usage` for any other ending
 */
export async function codecFor(file: string): Promise<Codec> {
  return CODECS[codecNameOf(file)]();
}

/**
 * Which codec a file is for, by its ending.
 * @throws VcrError `usage` for any other ending
 */
export function codecNameOf(file: string): Codec["name"] {
  const ending = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase();
  const name = ending === undefined ? undefined : NAME_OF_ENDING.get(ending);
  if (name) return name;
  const stem = (ending === undefined ? file : file.slice(0, -ending.length - 1)) || "cassette";
  throw new VcrError("usage", `"${file}" is no cassette name: it must end in .yaml, .yml or .jsonl`, {
    hint: `Name it ${stem}.yaml (for reading and review) or ${stem}.jsonl (for large recordings and pipes).`,
  });
}
