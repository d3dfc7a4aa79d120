import { Command, InvalidArgumentError, Option } from "commander";
import { CHECK_RULES, type CheckRule } from "../check/finding.ts";
import type { CHECK_FORMATS } from "../check/report.ts";
import { openConfig } from "../config/open-config.ts";
import { refuseScenario } from "../run/scenario-files.ts";
import { EXIT } from "./exit-codes.ts";
import { CONFIG_OPTION } from "./options.ts";

interface CheckOptions {
  readonly format: keyof typeof CHECK_FORMATS;
  readonly ignore: readonly CheckRule[];
  readonly config?: string;
}

const HELP = `
Rules (each can be left out with --ignore RULE):
${Object.entries(CHECK_RULES)
  .map(([rule, reason]) => `  ${rule.padEnd(14)}${reason}`)
  .join("\n")}

A request that breaks a rule and was refused for it is what such a recording is for,
and no finding. Secrets are looked for by what the configuration calls one, too.

Examples:
  mcp-vcr check cassettes/*.yaml
  mcp-vcr check cassettes/weather.yaml --ignore unanswered
  In CI on GitHub:
    mcp-vcr check cassettes/* --format github

Exit codes: 0 nothing found, 1 findings, 3 a file that cannot be read.`;

export function checkCommand(done: (exitCode: number) => void): Command {
  return new Command("check")
    .summary("look for faults and secrets in cassettes")
    .description(
      "Look cassettes through: format, references, protocol rules, tools' schemas, secrets left behind.",
    )
    .argument("<files...>", "the cassettes, .yaml or .jsonl")
    .addOption(
      new Option("--format <format>", "how findings are told")
        .choices(["text", "json", "github"])
        .default("text"),
    )
    .option("--ignore <rule>", "leave this rule out (may be given several times)", withRule, [])
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (files: readonly string[], { format, ignore, config: named }: CheckOptions) => {
      for (const file of files) refuseScenario(file, ", which says what is wrong with it");
      const { config } = await openConfig(named);
      const { checkCassettes } = await import("../run/check-cassettes.ts");
      const { print } = await import("../run/print.ts");
      const { CHECK_FORMATS } = await import("../check/report.ts");
      const checked = await checkCassettes(files, { ignore: new Set(ignore), redact: config.redact ?? {} });
      await print([CHECK_FORMATS[format](checked.files), "\n"]);
      done(checked.invalid ? EXIT.invalidFile : checked.found ? EXIT.findings : EXIT.ok);
    });
}

const IGNORABLE = Object.keys(CHECK_RULES).filter((rule) => rule !== "format");

function withRule(rule: string, before: readonly string[]): readonly string[] {
  if (IGNORABLE.includes(rule)) return [...before, rule];
  throw new InvalidArgumentError(`Rules that can be left out are ${IGNORABLE.join(", ")}.`);
}
