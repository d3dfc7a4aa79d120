import { Command } from "commander";
import { parsePace } from "../replay/pace.ts";
import { serveCassette } from "../run/serve-cassette.ts";
import { parseAddress } from "./address.ts";

interface ServeOptions {
  readonly listen?: string;
  readonly strict?: true;
  readonly pace?: string;
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
    .option(
      "--strict",
      "fail on a request asked more often than recorded, and on a client's answer that differs",
    )
    .option(
      "--pace <pace>",
      "instant (the default), recorded, or a factor such as 2x (twice as fast); recorded,max=5s caps each pause",
    )
    .option(
      "--report <file>",
      "write hits, misses, repeats, cancelled and unused requests there as JSON at the end",
    )
    .addHelpText("after", HELP)
    .action(async (file: string, options: ServeOptions) => {
      const listen = options.listen === undefined ? undefined : parseAddress(options.listen);
      const { strict = false, report } = options;
      const pace = options.pace === undefined ? undefined : parsePace(options.pace);
      done(await serveCassette({ file, listen, strict, pace, report }));
    });
}
