import { Command, Option } from "commander";
import { findConfig } from "../config/find-config.ts";
import { shownPath } from "../config/shown-path.ts";
import { VcrError } from "../errors.ts";
import { warn } from "../run/notices.ts";
import { carryOut, exampleText, folderOnDisk, holdsSecret } from "../run/set-up-project.ts";
import { knownServers } from "../setup/client-config.ts";
import { MANIFEST, readManifest } from "../setup/manifest.ts";
import { type Plan, planSetup, type Situation, type Step } from "../setup/plan.ts";
import { otherLanguageOf, packageManagerOf, RUNNERS, type Runner } from "../setup/project.ts";
import { recordables } from "../setup/recording.ts";
import { runnersOf } from "../setup/runner.ts";

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
clients' configurations are not changed: it prints the lines that record.

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
    .action((options: InitOptions) => init(options));
}

async function init({ dryRun = false, runner }: InitOptions): Promise<void> {
  const root = process.cwd();
  const { situation, notices } = look(root, runner);
  const plan = planSetup(situation);
  for (const notice of [...notices, ...plan.notices]) warn(notice);
  for (const step of plan.steps) {
    if (!dryRun) carryOut(root, step);
    process.stdout.write(told(step, dryRun));
  }
  if (plan.steps.every(({ kind }) => kind === "leave")) process.stdout.write("Nothing to write.\n");
  process.stdout.write(next(plan));
}

function look(
  root: string,
  wanted: Runner | undefined,
): { situation: Situation; notices: readonly string[] } {
  const folder = folderOnDisk(root);
  const text = folder.text(MANIFEST);
  const manifest = text === undefined ? undefined : readManifest(text);
  const { servers: known, notices } = knownServers(folder);
  if (
    !manifest &&
    folder.names.slice(1).some((names) => names.includes(MANIFEST)) &&
    !otherLanguageOf(folder)
  ) {
    throw new VcrError("usage", "no package.json is in this folder, but there is one above it", {
      hint: "Go there (cd ..), and run mcp-vcr init again.",
    });
  }
  const servers = recordables(known, holdsSecret);
  const found = findConfig(root);
  const situation = {
    folder,
    root: root.replaceAll("\\", "/"),
    manifest,
    manager: packageManagerOf(folder, manifest?.packageManager),
    runner: wanted ?? (manifest && runnersOf(manifest, folder).found[0]) ?? "node-test",
    servers,
    server: servers[0],
    config: found === undefined ? undefined : shownPath(found),
    example: exampleText(),
  };
  return { situation, notices };
}

const DONE: Readonly<Record<Step["kind"], readonly [done: string, would: string]>> = {
  write: ["wrote  ", "would write  "],
  change: ["changed", "would change "],
  leave: ["left   ", "would leave  "],
};

function told(step: Step, dryRun: boolean): string {
  const line = `${DONE[step.kind][dryRun ? 1 : 0]} ${step.path}: ${step.what}\n`;
  return dryRun && step.kind === "write" ? `${line}${step.text.replace(/^(?=.)/gm, "    ")}\n` : line;
}

function next({ next }: Plan): string {
  return next.map((paragraph) => `\n${paragraph}\n`).join("");
}
