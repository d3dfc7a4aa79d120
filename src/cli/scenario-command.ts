import { Command } from "commander";
import { refuseScenario } from "../run/scenario-files.ts";

const HELP = `
A scenario is a mock written by hand (docs/scenarios.md). This one begins from
something real: the tools, resources and prompts of the recording, and a reply
for each distinct request. What a scenario cannot hold is named on stderr.

Examples:
  mcp-vcr scenario cassettes/weather.yaml -o weather.scenario.yaml
  mcp-vcr serve weather.scenario.yaml`;

export function scenarioCommand(): Command {
  return new Command("scenario")
    .summary("write a scenario from a cassette, to edit")
    .description("Write a scenario that answers as a cassette does, made to be edited.")
    .argument("<cassette>", "the cassette, .yaml or .jsonl")
    .option("-o, --output <file>", "the new file (default: stdout)")
    .addHelpText("after", HELP)
    .action(async (cassette: string, { output }: { readonly output?: string }) => {
      refuseScenario(cassette);
      const { writeScenario } = await import("../run/write-scenario.ts");
      await writeScenario(cassette, output);
    });
}
