import { openConfig } from "../config/open-config.ts";
import { SERVE_SETTINGS, settle } from "../config/settings.ts";
import { type Pace, type PaceText, parsePace } from "../replay/pace.ts";
import { type MatchRules, Rules } from "../replay/rules.ts";
import type { RedactSettings } from "../run/own-secrets.ts";

/** What a test may say of it. */
export interface ToldSettings {
  readonly strict?: boolean | undefined;
  readonly pace?: PaceText | undefined;
  readonly match?: MatchRules | undefined;
  readonly config?: string | false | undefined;
}

/** What a tape is served by. */
export interface TapeSettings {
  readonly strict: boolean | undefined;
  readonly pace: Pace | undefined;
  readonly rules: Rules | undefined;
  readonly redact: RedactSettings | undefined;
}

/** As messages name rules that no file holds. */
const OWN_RULES = "the options of useCassette";

/**
 * What the options say, and where they say nothing, the environment and the configuration.
 * @throws VcrError `usage`
 */
export async function settingsOf({
  strict,
  pace,
  match,
  config: named,
}: ToldSettings): Promise<TapeSettings> {
  const { config, rules } = named === false ? NOTHING : await openConfig(named);
  const settled = settle(SERVE_SETTINGS, {
    flags: { strict, pace },
    environment: process.env,
    file: config.serve,
  });
  return {
    strict: settled.strict,
    pace: settled.pace === undefined ? undefined : parsePace(settled.pace),
    rules: match === undefined ? rules : await checkedRules(match),
    redact: config.redact,
  };
}

const NOTHING: Awaited<ReturnType<typeof openConfig>> = { config: {}, rules: undefined, answers: undefined };

async function checkedRules(match: MatchRules): Promise<Rules> {
  const { checkConfig } = await import("../config/check-config.ts");
  checkConfig({ value: { match }, file: OWN_RULES, text: undefined, inside: [] });
  return new Rules(match, OWN_RULES);
}
