/**
 * The library: cassettes in tests, scenarios as programs, and cassettes as data for tools that read or write them. The rest of the program is
 * the command.
 */
export type { ByteSink, Codec, Decoder, DecoderEnd, Encoder, Located, Truncation } from "./cassette/codec.ts";
export { codecFor } from "./cassette/codecs.ts";
export {
  type Config,
  type DriftConfig,
  defineConfig,
  type RecordConfig,
  type RedactConfig,
  type ServeConfig,
} from "./config/config.ts";
export { type ErrorCode, type FilePlace, VcrError } from "./errors.ts";
export type { Body, Closed, Entry, EventFacts, Header, HttpFacts, On, Source } from "./exchange/entry.ts";
export type { JsonValue } from "./protocol/message.ts";
export type { MatchFunction, MatchOperator } from "./replay/match-operators.ts";
export type { Miss, MissReason, Nearest } from "./replay/miss.ts";
export type { Asked, DifferentAnswer, LaidFault, Report } from "./replay/report.ts";
export type { MatchRule, MatchRules } from "./replay/rules.ts";
export {
  defineScenario,
  defineTool,
  type ReplyDocument,
  type ScenarioDocument,
  type ScenarioHandler,
  type ScenarioRequest,
  type ToolDocument,
} from "./scenario/define-scenario.ts";
export type { FaultDo, FaultDocument, FaultOn, FaultsDocument } from "./scenario/fault-document.ts";
export type { MockServer } from "./testing/mock/mock-server.ts";
export { type MockOptions, mockServer } from "./testing/mock/open-mock.ts";
export type { Answer, Matching, Replying, ToolReplying } from "./testing/mock/replying.ts";
export type { ServerOption } from "./testing/server.ts";
export type { Tape } from "./testing/tape.ts";
export { type CassetteOptions, useCassette } from "./testing/use-cassette.ts";
export { type ScenarioOptions, useScenario } from "./testing/use-scenario.ts";
export type { ClientTransport, JsonRpcMessage } from "./transport/memory.ts";
export { VERSION } from "./version.ts";
