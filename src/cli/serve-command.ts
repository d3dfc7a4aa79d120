import { Command, Option } from "commander";
import { openConfig } from "../config/open-config.ts";
import { SERVE_SETTINGS, SERVER_BEHIND_SETTINGS, settle } from "../config/settings.ts";
import { VcrError } from "../errors.ts";
import { ON_MISS, type OnMiss, SERVE_MODES, type ServeMode } from "../replay/modes.ts";
import { parsePace } from "../replay/pace.ts";
import { isScenario, refuseMisspelt, scenarioFile } from "../run/scenario-files.ts";
import { serveCassette } from "../run/serve-cassette.ts";
import type { AnswerStyle } from "../transport/http-streams.ts";
import { parseAddress } from "./address.ts";
import { CONFIG_OPTION, given } from "./options.ts";
import { serverOf } from "./server-source.ts";

interface ServeOptions {
  readonly listen?: string;
  readonly answers: AnswerStyle;
  readonly strict?: boolean;
  readonly pace?: string;
  readonly config?: string;
  readonly report?: string;
  readonly mode?: ServeMode;
  readonly onMiss?: OnMiss;
  readonly url?: string;
  readonly faults?: string;
  readonly dryRun?: boolean;
}

const HELP = `
Answers clients as the recorded server did. A request that was not recorded is
never answered with something else: the client gets an error that names the
nearest recording, and the exit code is 1. With a real server behind (COMMAND
or --url), --mode says what is written, and --on-miss what the client gets.

A FILE that is a scenario, a mock written by hand (docs/scenarios.md), is served
the same way; one comes with the program: everything.

Examples:
  Over stdio, as the command that a client starts:
    mcp-vcr serve cassettes/weather.yaml
  Over HTTP, until Ctrl-C; prints {"url": …} when it is ready:
    mcp-vcr serve cassettes/weather.yaml --listen 127.0.0.1:8080
  In CI:
    mcp-vcr serve cassettes/weather.yaml --strict --report report.json
  As slow as it was, but no pause longer than five seconds:
    mcp-vcr serve cassettes/weather.yaml --pace recorded,max=5s
  As a broken server would (docs/faults.md); and what that would strike:
    mcp-vcr serve cassettes/weather.yaml --faults faults.yaml
    mcp-vcr serve cassettes/weather.yaml --faults flaky --dry-run
  Record at the first run, serve from then on:
    mcp-vcr serve cassettes/weather.yaml --mode once -- node weather.js
  Ask the real server what is missing, and append its answers:
    mcp-vcr serve cassettes/weather.yaml --mode append -- node weather.js
  Ask it, and leave the cassette as it is:
    mcp-vcr serve cassettes/remote.yaml --mode replay --on-miss forward --url https://example.com/mcp`;

export function serveCommand(done: (exitCode: number) => void): Command {
  return new Command("serve")
    .summary("answer clients from a cassette")
    .description("Answer clients from a cassette, over stdio or (with --listen) over HTTP.")
    .usage("[options] FILE [-- COMMAND… | --url URL]")
    .argument(
      "<file>",
      "the cassette (.yaml or .jsonl), the scenario (.yaml, .json, .ts), or the name of a ready one",
    )
    .argument("[command...]", "the command that starts the real server over stdio, after --")
    .option("--listen <host:port>", "serve over HTTP at this address; port 0 lets the system choose")
    .addOption(
      new Option(
        "--answers <style>",
        "with --listen: give an answer that stands alone as recorded, as JSON, or as an event stream",
      )
        .choices(["recorded", "json", "sse"])
        .default("recorded"),
    )
    .addOption(
      new Option(
        "--mode <mode>",
        "replay: write nothing; once: record where there is no cassette yet; append: add what is missing (default: replay)",
      ).choices(SERVE_MODES),
    )
    .addOption(
      new Option(
        "--on-miss <what>",
        "error: the client gets one; forward: the real server is asked (default: error, in --mode append forward)",
      ).choices(ON_MISS),
    )
    .option("--url <url>", "the real server is behind this URL")
    .option(
      "--strict",
      "fail on a request asked more often than recorded, and on a client's answer that differs",
    )
    .option("--no-strict", "do not, also where the environment or the configuration says so")
    .option(
      "--pace <pace>",
      "instant (the default), recorded, or a factor such as 2x (twice as fast); recorded,max=5s caps each pause",
    )
    .option(
      "--report <file>",
      "write hits, misses, repeats, cancelled and unused requests there as JSON at the end",
    )
    .option(
      "--faults <file|name>",
      "lay faults over the answers: a file, or flaky, slow, rate-limited, session-lost, expired-auth, garbage",
    )
    .option("--dry-run", "with --faults: say which recorded requests they would strike, and serve nothing")
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (file: string, command: string[], options: ServeOptions, self: Command) => {
      const listen = options.listen === undefined ? undefined : parseAddress(options.listen);
      if (!listen && self.getOptionValueSource("answers") === "cli") throw answersWithoutListen();
      refuseMisspelt(file);
      if (isScenario(scenarioFile(file))) {
        return done(await serveWritten({ file, listen, command }, options));
      }
      if (options.dryRun) {
        done(await dryRun(file, options.faults, listen));
        return;
      }
      const { config, rules } = await openConfig(options.config);
      const sources = { flags: given(self, options), environment: process.env, file: config.serve };
      const { strict = false, pace } = settle(SERVE_SETTINGS, sources);
      const server = serverOf(command, options.url);
      const { mode } = server ? settle(SERVER_BEHIND_SETTINGS, sources) : options;
      const { answers, report, onMiss, faults } = options;
      const { redact } = config;
      done(
        await serveCassette({
          file,
          listen,
          answers,
          strict,
          pace: pace === undefined ? undefined : parsePace(pace),
          report,
          rules,
          redact,
          mode,
          onMiss,
          faults,
          server,
        }),
      );
    });
}

async function dryRun(file: string, faults: string | undefined, listen: object | undefined): Promise<number> {
  if (faults === undefined) {
    throw new VcrError("usage", "--dry-run says what faults would strike, and none were given", {
      hint: "Add --faults FILE, or the name of a ready set.",
    });
  }
  const run = await import("../run/serve-faults.ts");
  return run.dryRun(file, { faults, listen });
}

function answersWithoutListen(): VcrError {
  return new VcrError("usage", "--answers goes with --listen: over stdio an answer has but one form", {
    hint: "Leave --answers out, or serve over HTTP by --listen 127.0.0.1:8080.",
  });
}

interface Written {
  readonly file: string;
  readonly listen: ReturnType<typeof parseAddress> | undefined;
  readonly command: readonly string[];
}

async function serveWritten({ file, listen, command }: Written, options: ServeOptions): Promise<number> {
  const { refuseFlags, serveScenario } = await import("../run/serve-scenario.ts");
  const { loadModule } = await import("../config/load-module.ts");
  const { answers, report, faults, mode, onMiss, url, pace, strict, dryRun } = options;
  refuseFlags({
    "--mode": mode,
    "--on-miss": onMiss,
    "--url": url,
    "--pace": pace,
    "--strict": strict,
    "--dry-run": dryRun,
    "a command": command[0],
  });
  return serveScenario({ file, listen, answers, report, faults, loadModule });
}
