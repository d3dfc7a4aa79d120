import { Command, Option } from "commander";
import { VcrError } from "../errors.ts";
import type { InspectFormat } from "../run/inspect-cassette.ts";
import { refuseScenario } from "../run/scenario-files.ts";

interface InspectOptions {
  readonly format: InspectFormat;
  readonly grep?: string;
  readonly method?: string;
  readonly output?: string;
}

const HELP = `
Formats: text for the terminal; json, every message as it was sent (its JSON Schema
ships as mcp-vcr/schema/inspect.schema.json); mermaid, a sequence diagram; html, one
page that needs no network, to search and to read in a browser.

Examples:
  mcp-vcr inspect cassettes/weather.yaml
  mcp-vcr inspect cassettes/weather.yaml --method tools/call --grep Oslo
  mcp-vcr inspect cassettes/weather.yaml --format html -o weather.html
  mcp-vcr inspect cassettes/weather.yaml --format json | jq '.tools'`;

export function inspectCommand(done: (exitCode: number) => void): Command {
  return new Command("inspect")
    .summary("show what a cassette holds")
    .description("Show what a cassette holds: counts by method and tool, times, and every message in order.")
    .argument("<file>", "the cassette, .yaml or .jsonl")
    .addOption(
      new Option("--format <format>", "how to show it")
        .choices(["text", "json", "mermaid", "html"])
        .default("text"),
    )
    .option("--grep <regexp>", "only messages in which this is found, in any case")
    .option("--method <method>", "only messages of this method, and the answers to them")
    .option("-o, --output <file>", "write it there rather than to stdout")
    .addHelpText("after", HELP)
    .action(async (file: string, { format, grep, method, output }: InspectOptions) => {
      refuseScenario(file);
      const { inspectCassette } = await import("../run/inspect-cassette.ts");
      await inspectCassette({
        file,
        format,
        output,
        method,
        grep: grep === undefined ? undefined : pattern(grep),
      });
      done(0);
    });
}

function pattern(source: string): RegExp {
  try {
    return new RegExp(source, "iu");
  } catch (error) {
    throw new VcrError("usage", `--grep ${source}: ${(error as Error).message}`, {
      hint: "Give a regular expression of JavaScript, such as --grep 'Oslo|Bergen'; quote it for the shell.",
    });
  }
}
