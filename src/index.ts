/** The library: cassettes as data, for tools that read or write them. The rest of the program is the command. */
export type { ByteSink, Codec, Decoder, DecoderEnd, Encoder, Located, Truncation } from "./cassette/codec.ts";
export { codecFor } from "./cassette/codecs.ts";
export {
  type Config,
  defineConfig,
  type RecordConfig,
  type RedactConfig,
  type ServeConfig,
} from "./config/config.ts";
export { type ErrorCode, type FilePlace, VcrError } from "./errors.ts";
export type { Body, Closed, Entry, EventFacts, Header, HttpFacts, On, Source } from "./exchange/entry.ts";
export type { JsonValue } from "./protocol/message.ts";
export type { MatchFunction, MatchOperator } from "./replay/match-operators.ts";
export type { Report } from "./replay/report.ts";
export type { MatchRule, MatchRules } from "./replay/rules.ts";
export { VERSION } from "./version.ts";
