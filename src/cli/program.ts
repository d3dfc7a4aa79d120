import { Command, CommanderError } from "commander";
import { VERSION } from "../version.ts";
import { EXIT, reportError } from "./exit-codes.ts";

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
    .version(VERSION, VERSION_FLAGS.join(", "), "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .configureHelp({ showGlobalOptions: false })
    .showSuggestionAfterError()
    .showHelpAfterError("See mcp-vcr --help")
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, "mcp-vcr: ")) })
    .enablePositionalOptions()
    .exitOverride();
  for (const command of await commandsFor(argv, done)) {
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

type Done = (code: number) => void;

/** Each is loaded when it is asked for: a session waits until its command has started. */
const COMMANDS: ReadonlyMap<string | undefined, (done: Done, argv: readonly string[]) => Promise<Command>> =
  new Map([
    ["record", async (done: Done) => (await import("./record-command.ts")).recordCommand(done)],
    ["serve", async (done: Done) => (await import("./serve-command.ts")).serveCommand(done)],
    ["inspect", async (done: Done) => (await import("./inspect-command.ts")).inspectCommand(done)],
    ["check", async (done: Done) => (await import("./check-command.ts")).checkCommand(done)],
    ["redact", async (done: Done) => (await import("./redact-command.ts")).redactCommand(done)],
    ["convert", async (done: Done) => (await import("./convert-command.ts")).convertCommand(done)],
    [
      "diff",
      async (done: Done, argv: readonly string[]) =>
        (await import("./diff-command.ts")).diffCommand(done, afterDashes(argv)),
    ],
    ["verify", async (done: Done) => (await import("./verify-command.ts")).verifyCommand(done)],
    ["git", async () => (await import("./git-command.ts")).gitCommand()],
    ["scenario", async () => (await import("./scenario-command.ts")).scenarioCommand()],
    ["init", async () => (await import("./init-command.ts")).initCommand()],
  ]);

const VERSION_FLAGS: readonly (string | undefined)[] = ["-v", "--version"];

/** The command that is asked for; all of them where none of them is, as help and suggestions tell of all. */
async function commandsFor(argv: readonly string[], done: Done): Promise<readonly Command[]> {
  const asked = COMMANDS.get(argv[2]);
  const commands = asked ? [asked] : VERSION_FLAGS.includes(argv[2]) ? [] : [...COMMANDS.values()];
  return Promise.all(commands.map((command) => command(done, argv)));
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
