import { Command, Option } from "commander";
import { findConfig } from "../config/find-config.ts";
import { shownPath } from "../config/shown-path.ts";
import { RUNNERS, type Runner } from "../setup/project.ts";

interface InitOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly runner?: Runner;
}

const HELP = `
Looks at package.json, lock files and the configurations of MCP clients (.mcp.json,
.cursor/mcp.json, .vscode/mcp.json and others), and writes what is not there yet: a
configuration, an example cassette, an example test that passes, and a script "record"
where a client's configuration names a server. Nothing that is there is overwritten, and
clients' configurations are not changed: it prints the lines that record. It asks only
on a terminal, and little. Without package.json, as in a project in Python, it writes
configuration and cassette.

Examples:
  mcp-vcr init
  mcp-vcr init --dry-run
  mcp-vcr init --yes --runner vitest`;

export function initCommand(): Command {
  return new Command("init")
    .summary("set up a project: configuration, example test, script")
    .description("Set up the project in this folder.")
    .option("-y, --yes", "ask nothing")
    .option("--dry-run", "show what would be written, and write nothing")
    .addOption(
      new Option("--runner <runner>", "the test runner (default: the one that the project has)").choices(
        RUNNERS,
      ),
    )
    .addHelpText("after", HELP)
    .action(async ({ yes = false, dryRun = false, runner }: InitOptions) => {
      const { initProject } = await import("../run/init-project.ts");
      const { canAsk } = await import("../run/ask-line.ts");
      const root = process.cwd();
      const config = () => {
        const found = findConfig(root);
        return found === undefined ? undefined : shownPath(found);
      };
      await initProject({ root, config, runner, isDry: dryRun, asks: !yes && canAsk() });
    });
}
