import { codecFor } from "../../cassette/codecs.ts";
import { VcrError } from "../../errors.ts";
import type { Header } from "../../exchange/entry.ts";
import { createRedactor, DEFAULT_REDACT_KEY } from "../../redact/redactor.ts";
import { hmacSha256 } from "../../redact/sha256.ts";
import { CassetteBytes } from "../../replay/cassette-bytes.ts";
import { Player } from "../../replay/player.ts";
import type { Redaction } from "../../replay/playing.ts";
import { Recording } from "../../replay/recording.ts";
import { redactionBy } from "../../replay/redaction.ts";
import { ruleFault } from "../../replay/rule-fault.ts";
import { type MatchRules, Rules } from "../../replay/rules.ts";
import { secretsToServe } from "../../run/own-secrets.ts";
import { refuseCutOff } from "../cut-off.ts";
import { InProcessTape } from "../in-process-tape.ts";
import { checkOptions, OBJECT, type OptionKinds, YES_OR_NO } from "../options.ts";
import type { Play } from "../play.ts";

export interface BrowserCassetteOptions {
  /** A request asked more often than it was recorded is a miss. Default false: the last answer serves again. */
  readonly strict?: boolean | undefined;
  /** What besides equal params makes two requests the same question. */
  readonly match?: MatchRules | undefined;
}

/** A cassette's text, and the name whose ending tells what it is written in. */
export interface CassetteText {
  readonly name: string;
  readonly text: string;
}

const OPTIONS: OptionKinds<BrowserCassetteOptions> = { strict: YES_OR_NO, match: OBJECT };

/** As messages name rules that no file holds. */
const OWN_RULES = "the options of useCassette";

const warn = (notice: string): void => console.warn(`mcp-vcr: ${notice}`);

/**
 * Opens a cassette in a page, to be replayed there.
 *
 * ```ts
 * const tape = await useCassette("/cassettes/weather.yaml");
 * const worker = setupWorker(...mcpHandlers("https://weather.example/mcp", tape));
 * ```
 *
 * @param cassette where it is fetched, from the page's URL on; or its text
 * @throws VcrError for a cassette that is not there, or does not hold to the format; for an option that is none
 */
export async function useCassette(
  cassette: string | URL | CassetteText,
  options: BrowserCassetteOptions = {},
): Promise<InProcessTape> {
  checkOptions("useCassette", options, OPTIONS);
  const rules = options.match && checkedRules(options.match);
  const { name, text } =
    typeof cassette === "string" || cassette instanceof URL ? await fetched(cassette) : cassette;
  const bytes = new TextEncoder().encode(text);
  const source = new CassetteBytes({
    file: name,
    bytes,
    codec: await codecFor(name),
    onTruncated: refuseCutOff,
  });
  const recording = new Recording(source, warn);
  recording.readAll();
  const play = played(recording, { name, strict: options.strict ?? false, rules });
  const surroundings = { onNotice: warn, newSessionId: () => crypto.randomUUID() };
  return new InProcessTape(play, { opened: undefined }, surroundings);
}

async function fetched(url: string | URL): Promise<CassetteText> {
  const response = await fetch(url);
  if (!response.ok) {
    throw new VcrError("cassette-missing", `${url} was not to be had: HTTP ${response.status}`, {
      hint: "Serve it beside the page, or hand its text in: useCassette({ name, text }).",
    });
  }
  const { pathname } = new URL(String(url), response.url);
  return { name: pathname, text: await response.text() };
}

function checkedRules(match: MatchRules): Rules {
  const fault = ruleFault(match);
  if (fault) throw new VcrError("usage", `${OWN_RULES}: ${fault.message}`, { hint: fault.hint });
  return new Rules(match, OWN_RULES);
}

interface Playing {
  readonly name: string;
  readonly strict: boolean;
  readonly rules: Rules | undefined;
}

function played(recording: Recording, { name, strict, rules }: Playing): Play {
  const redact = redactionOf(recording.header);
  return {
    name,
    file: name,
    recording,
    faults: undefined,
    strict,
    begin: (listening) => ({
      player: new Player(recording, {
        ...listening,
        cassette: name,
        strict,
        unanswered: "miss",
        rules,
        redact,
      }),
      problems: () => [],
      end: () => undefined,
    }),
    close: async () => {},
  };
}

const hash = (text: string): string => hmacSha256(DEFAULT_REDACT_KEY, text).slice(0, 8);

/** Without secretlint's rules, which are Node's: what they alone find is a miss. */
function redactionOf(header: Header): Redaction | undefined {
  if (header.redacted === undefined || header.redacted.length === 0) return undefined;
  const { rules, notices } = secretsToServe(header, {}, { env: {}, hash });
  for (const notice of notices) warn(notice);
  return redactionBy(createRedactor({ hash, shapes: () => () => [], own: rules }));
}
