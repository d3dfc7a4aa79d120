import type { Codec } from "../codec.ts";
import { decodeYamlEntry, YamlDecoder } from "./decode.ts";
import { writeHeader, YamlEncoder } from "./encode.ts";
import { changeYamlHeaders } from "./header-text.ts";

/** A YAML 1.2 stream, one document for an entry: to be read and reviewed. */
export const yamlCodec: Codec = {
  name: "yaml",
  terminator: new TextEncoder().encode("...\n"),
  slow: true,
  header: writeHeader,
  encoder: () => new YamlEncoder(),
  decoder: (file) => new YamlDecoder(file),
  decodeEntry: decodeYamlEntry,
  changeHeaders: changeYamlHeaders,
};
