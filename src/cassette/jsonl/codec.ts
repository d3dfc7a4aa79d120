import type { CallCodec, LocatedCall } from "../call-codec.ts";
import type { Located } from "../codec.ts";
import { decodeJsonlEntry, decodeJsonlMessage, JsonlDecoder } from "./decode.ts";
import { jsonlEncoder, writeHeader } from "./encode.ts";
import { changeJsonlHeaders } from "./header-text.ts";

/** The same entries as JSON objects, one a line: for large recordings and for pipes. */
export const jsonlCodec: CallCodec = {
  name: "jsonl",
  terminator: new Uint8Array(0),
  slow: false,
  header: writeHeader,
  encoder: () => jsonlEncoder,
  decoder: (file) => new JsonlDecoder<Located>(file),
  callDecoder: (file, mark) => new JsonlDecoder<Located | LocatedCall>(file, { mark }),
  decodeEntry: decodeJsonlEntry,
  decodeMessage: decodeJsonlMessage,
  changeHeaders: changeJsonlHeaders,
};
