import { Command } from "commander";
import { openConfig } from "../config/open-config.ts";
import { refuseScenario } from "../run/scenario-files.ts";
import { CONFIG_OPTION } from "./options.ts";

interface RedactOptions {
  readonly output?: string;
  readonly config?: string;
}

const HELP = `
Does to a cassette that is there what recording does to a new one: credential headers,
values under credential-like keys, known token shapes and what the configuration's
redact names become placeholders. Entries that hold none stay byte for byte. A secret
that was in a file others have is known to them: make it void as well.

Examples:
  mcp-vcr redact cassettes/weather.yaml
  mcp-vcr redact raw.jsonl -o cassettes/weather.jsonl`;

export function redactCommand(done: (exitCode: number) => void): Command {
  return new Command("redact")
    .summary("take secrets out of a cassette")
    .description("Take secrets out of a cassette, in its place or into another file.")
    .argument("<file>", "the cassette, .yaml or .jsonl")
    .option("-o, --output <file>", "write it there, and leave the cassette as it is")
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (file: string, { output, config: named }: RedactOptions) => {
      refuseScenario(file);
      const { config } = await openConfig(named);
      const { redactCassette } = await import("../run/redact-cassette.ts");
      const { byRule, entries, changed } = await redactCassette({
        file,
        output,
        redact: config.redact ?? {},
      });
      process.stdout.write(`${sentence(output ?? file, { byRule, entries, changed })}\n`);
      done(0);
    });
}

interface Outcome {
  readonly byRule: ReadonlyMap<string, number>;
  readonly entries: number;
  readonly changed: boolean;
}

function sentence(file: string, { byRule, entries, changed }: Outcome): string {
  const secrets = [...byRule.values()].reduce((sum, count) => sum + count, 0);
  if (secrets === 0) {
    return `${file}: no secret found${changed ? "; the header names the rules that were applied" : ""}`;
  }
  const rules = [...byRule].map(([rule, count]) => `${rule} ${count}`).join(", ");
  const where = `${entries} ${entries === 1 ? "entry" : "entries"} written anew`;
  return `${file}: ${secrets} ${secrets === 1 ? "secret" : "secrets"} replaced (${rules}); ${where}`;
}
