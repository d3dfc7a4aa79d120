import { Command, CommanderError } from "commander";
import { VERSION } from "../version.ts";
import { checkCommand } from "./check-command.ts";
import { convertCommand } from "./convert-command.ts";
import { diffCommand } from "./diff-command.ts";
import { EXIT, reportError } from "./exit-codes.ts";
import { gitCommand } from "./git-command.ts";
import { initCommand } from "./init-command.ts";
import { inspectCommand } from "./inspect-command.ts";
import { recordCommand } from "./record-command.ts";
import { redactCommand } from "./redact-command.ts";
import { scenarioCommand } from "./scenario-command.ts";
import { serveCommand } from "./serve-command.ts";
import { verifyCommand } from "./verify-command.ts";

const EXAMPLES = `
Examples:
  Set up a project, with an example test that passes:
    mcp-vcr init
  Put this where the client has the command that starts the server:
    mcp-vcr record -o cassettes/weather.yaml -- node weather.js
  and this from then on, when the server is no longer needed:
    mcp-vcr serve cassettes/weather.yaml
  The same for a server behind a URL; both run until Ctrl-C:
    mcp-vcr record -o cassettes/remote.yaml --url https://example.com/mcp
    mcp-vcr serve cassettes/remote.yaml --listen 127.0.0.1:8080
  What the server answers differently from before:
    mcp-vcr diff --base origin/main cassettes/
  and what the real one answers differently from the recording:
    mcp-vcr verify cassettes/weather.yaml -- node weather.js
  A mock written by hand, the one that comes with the program:
    mcp-vcr serve everything
  What is in a cassette, and what is wrong with it:
    mcp-vcr inspect cassettes/weather.yaml
    mcp-vcr check cassettes/weather.yaml

Exit codes: 0 fine, 1 findings: requests that no recording answers, changes
that fail a diff, what check finds, 2 wrong usage, 3 unreadable or invalid
cassette or scenario, 4 the real server could not be started or reached. A recorded
server's own exit code is passed on.`;

/** Runs the command line; resolves to the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.ok;
  const done = (code: number) => {
    exitCode = code;
  };
  const program = new Command("mcp-vcr")
    .description("Record a real MCP session once, serve it back for ever.")
    .version(VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .configureHelp({ showGlobalOptions: false })
    .showSuggestionAfterError()
    .showHelpAfterError("See mcp-vcr --help")
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "mcp-vcr: ")) })
    .enablePositionalOptions()
    .exitOverride();
  for (const command of commandsFor(argv, done)) {
    program.addCommand(inherit(command, program));
    for (const each of command.commands) inherit(each, command);
  }
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    return reportError(error);
  }
  return exitCode;
}

/** The command that is asked for; all of them where none of them is, as help and suggestions tell of all. */
function commandsFor(argv: readonly string[], done: (code: number) => void): readonly Command[] {
  const commands = new Map<string | undefined, () => Command>([
    ["record", () => recordCommand(done)],
    ["serve", () => serveCommand(done)],
    ["inspect", () => inspectCommand(done)],
    ["check", () => checkCommand(done)],
    ["redact", () => redactCommand(done)],
    ["convert", () => convertCommand(done)],
    ["diff", () => diffCommand(done, afterDashes(argv))],
    ["verify", () => verifyCommand(done)],
    ["git", () => gitCommand()],
    ["scenario", () => scenarioCommand()],
    ["init", () => initCommand()],
  ]);
  const asked = commands.get(argv[2]);
  return asked ? [asked()] : [...commands.values()].map((command) => command());
}

/** What stands after `--`, which the parser does not tell apart from what stands before. */
function afterDashes(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf("--");
  return at < 0 ? [] : argv.slice(at + 1);
}

function inherit(command: Command, parent: Command): Command {
  return command
    .copyInheritedSettings(parent)
    .showHelpAfterError(`See ${parent.name()} ${command.name()} --help`);
}
