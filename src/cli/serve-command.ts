import { Command, Option } from "commander";
import { openConfig } from "../config/open-config.ts";
import { SERVE_SETTINGS, settle } from "../config/settings.ts";
import { parsePace } from "../replay/pace.ts";
import { serveCassette } from "../run/serve-cassette.ts";
import type { AnswerStyle } from "../transport/http-streams.ts";
import { parseAddress } from "./address.ts";
import { CONFIG_OPTION, given } from "./options.ts";

interface ServeOptions {
  readonly listen?: string;
  readonly answers: AnswerStyle;
  readonly strict?: boolean;
  readonly pace?: string;
  readonly config?: string;
  readonly report?: string;
}

const HELP = `
Answers clients as the recorded server did. A request that was not recorded is
never answered with something else: the client gets an error that names the
nearest recording, and the exit code is 1.

Examples:
  Over stdio, as the command that a client starts:
    mcp-vcr serve cassettes/weather.yaml
  Over HTTP, until Ctrl-C; prints {"url": …} when it is ready:
    mcp-vcr serve cassettes/weather.yaml --listen 127.0.0.1:8080
  In CI:
    mcp-vcr serve cassettes/weather.yaml --strict --report report.json
  As slow as it was, but no pause longer than five seconds:
    mcp-vcr serve cassettes/weather.yaml --pace recorded,max=5s`;

export function serveCommand(done: (exitCode: number) => void): Command {
  return new Command("serve")
    .summary("answer clients from a cassette")
    .description("Answer clients from a cassette, over stdio or (with --listen) over HTTP.")
    .argument("<file>", "the cassette, .yaml or .jsonl")
    .option("--listen <host:port>", "serve over HTTP at this address; port 0 lets the system choose")
    .addOption(
      new Option(
        "--answers <style>",
        "with --listen: give an answer that stands alone as recorded, as JSON, or as an event stream",
      )
        .choices(["recorded", "json", "sse"])
        .default("recorded"),
    )
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
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (file: string, options: ServeOptions, self: Command) => {
      const listen = options.listen === undefined ? undefined : parseAddress(options.listen);
      const { config, rules } = await openConfig(options.config);
      const { strict = false, pace } = settle(SERVE_SETTINGS, {
        flags: given(self, options),
        environment: process.env,
        file: config.serve,
      });
      const { answers, report } = options;
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
        }),
      );
    });
}
