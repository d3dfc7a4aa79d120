import { Command } from "commander";
import { openConfig } from "../config/open-config.ts";
import { FOREIGN_NAMES } from "../convert/names.ts";
import { refuseScenario } from "../run/scenario-files.ts";
import { CONFIG_OPTION } from "./options.ts";

interface ConvertOptions {
  readonly output: string;
  readonly config?: string;
}

const HELP = `
Between .yaml and .jsonl nothing is lost but comments. Of other tools it reads:
${FOREIGN_NAMES.map((name) => `  ${name}`).join("\n")}
and takes secrets out of what it reads there, as recording does.

Examples:
  mcp-vcr convert cassettes/large.jsonl -o cassettes/large.yaml
  mcp-vcr convert session.vcr -o cassettes/session.yaml
  mcp-vcr convert browser.har -o cassettes/remote.yaml`;

export function convertCommand(done: (exitCode: number) => void): Command {
  return new Command("convert")
    .summary("write a cassette in the other format, or another tool's recording as a cassette")
    .description("Write a cassette in the other format, or a recording of another tool as a cassette.")
    .argument("<file>", "a cassette, or a recording of another tool")
    .requiredOption("-o, --output <file>", "the cassette to write: .yaml or .jsonl")
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (file: string, { output, config: named }: ConvertOptions) => {
      refuseScenario(file);
      const { config } = await openConfig(named);
      const { convertCassette } = await import("../run/convert-cassette.ts");
      const entries = await convertCassette({ file, output, redact: config.redact ?? {} });
      process.stdout.write(`${output}: ${entries} ${entries === 1 ? "entry" : "entries"}\n`);
      done(0);
    });
}
