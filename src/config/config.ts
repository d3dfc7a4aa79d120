import type { Accepted } from "../drift/accepted.ts";
import type { ServeMode } from "../replay/modes.ts";
import type { MatchRules } from "../replay/rules.ts";
import type { RecordMode } from "../run/cassette-open.ts";
import type { RedactSettings } from "../run/own-secrets.ts";

export type RedactConfig = RedactSettings;

/** What `mcp-vcr record` does unless flags or the environment say otherwise. */
export interface RecordConfig {
  readonly mode?: RecordMode | undefined;
}

/** What `mcp-vcr serve` does unless flags or the environment say otherwise. */
export interface ServeConfig {
  /** What becomes of the cassette; counts only where a real server is behind. */
  readonly mode?: ServeMode | undefined;
  readonly strict?: boolean | undefined;
  /** `instant`, `recorded`, or a factor such as `2x`; after the latter two the longest pause: `recorded,max=5s`. */
  readonly pace?: string | undefined;
}

/** What of a difference between two recordings somebody has decided on. */
export interface DriftConfig {
  /** Rules as for requests, on what may differ in answers: places are JSON pointers into the result or the error. */
  readonly match?: MatchRules | undefined;
  /** Changes that count no more. */
  readonly accept?: readonly Accepted[] | undefined;
}

/** `mcp-vcr.config.*` and its other places; config.schema.json beside this file is the same for tools. */
export interface Config {
  readonly $schema?: string | undefined;
  readonly match?: MatchRules | undefined;
  readonly redact?: RedactConfig | undefined;
  readonly record?: RecordConfig | undefined;
  readonly serve?: ServeConfig | undefined;
  readonly drift?: DriftConfig | undefined;
}

/** The configuration as it is given, with types: `export default defineConfig({ … })`. */
export function defineConfig(config: Config): Config {
  return config;
}
