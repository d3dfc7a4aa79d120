import { Command } from "commander";
import { driftFrom, isFailing } from "../drift/drift.ts";
import { VcrError } from "../errors.ts";
import { readDriftSettings } from "./drift-settings.ts";
import { EXIT } from "./exit-codes.ts";
import { CONFIG_OPTION } from "./options.ts";
import { FAIL_ON_OPTION, FORMAT_OPTION, type ReportOptions, targetsOf } from "./report-options.ts";

interface DiffOptions extends ReportOptions {
  readonly base?: string;
  readonly config?: string;
}

/** Where cassettes are when nothing else is said. */
const USUAL_FOLDER = "cassettes";

const HELP = `
Compares two recordings of one server: what it promises, what it answers, and
what else it sends. What changes from run to run (ids, tokens, times) is no change.
The configuration may name what else may differ, and changes that are accepted.

Formats: terminal (the default), json, markdown, junit, sarif, github; several
at once go to files.

Examples:
  Two recordings:
    mcp-vcr diff cassettes/weather.yaml new/weather.yaml
  Every cassette of a folder, against another branch:
    mcp-vcr diff --base origin/main cassettes/
  On a pull request:
    mcp-vcr diff --base origin/main --format github --format markdown=drift.md
  Fail at whatever may break somebody:
    mcp-vcr diff old.yaml new.yaml --fail-on risky

Exit codes: 0 nothing that fails; 1 changes that do, or nothing to compare;
2 wrong usage; 3 an unreadable or invalid cassette.`;

export function diffCommand(done: (exitCode: number) => void): Command {
  return new Command("diff")
    .summary("compare two recordings of one server")
    .description("Compare two recordings of one server, or cassettes with a revision of theirs.")
    .usage("[options] OLD NEW\n       mcp-vcr diff [options] --base REV [PATH...]")
    .argument("[paths...]", `two cassettes; with --base, files and folders (default: ${USUAL_FOLDER})`)
    .option("--base <rev>", "compare the working tree with this git revision")
    .addOption(FORMAT_OPTION())
    .addOption(FAIL_ON_OPTION())
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (paths: string[], options: DiffOptions) => done(await diff(paths, options)));
}

async function diff(
  paths: readonly string[],
  { format, failOn, base, config }: DiffOptions,
): Promise<number> {
  const { diffFiles, diffWithRevision } = await import("../run/diff-cassettes.ts");
  const { refuseInputs, writeReports } = await import("../run/diff-report.ts");
  const targets = targetsOf(format);
  refuseInputs(targets, paths);
  const settings = await readDriftSettings(config);
  const sides =
    base === undefined
      ? await twoOf(paths, async (old, fresh) => ({
          old,
          new: fresh,
          comparisons: [await diffFiles(old, fresh, settings)],
        }))
      : {
          old: base,
          new: "the working tree",
          comparisons: await diffWithRevision(base, paths.length > 0 ? paths : [USUAL_FOLDER], settings),
        };
  const drift = driftFrom({ ...sides, decisions: settings.decisions, notes: settings.own?.notes() ?? [] });
  await writeReports(drift, targets, failOn);
  return isFailing(drift, failOn) ? EXIT.findings : EXIT.ok;
}

async function twoOf<Result>(
  paths: readonly string[],
  then: (old: string, fresh: string) => Promise<Result>,
): Promise<Result> {
  const [old, fresh, more] = paths;
  if (old === undefined || fresh === undefined || more !== undefined) {
    throw new VcrError(
      "usage",
      `diff compares two cassettes, and ${paths.length} ${paths.length === 1 ? "is" : "are"} named`,
      {
        hint:
          more === undefined
            ? "mcp-vcr diff OLD NEW, or mcp-vcr diff --base REV for a revision of git."
            : "Comparing with a live server (-- COMMAND) is not built yet: record it, and name the two cassettes.",
      },
    );
  }
  return then(old, fresh);
}
