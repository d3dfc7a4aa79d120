import { Command, Option } from "commander";
import { driftFrom, FAIL_ON, type FailOn, isFailing } from "../drift/drift.ts";
import { VcrError } from "../errors.ts";
import type { Target } from "../run/diff-report.ts";
import { readDriftSettings } from "./drift-settings.ts";
import { EXIT } from "./exit-codes.ts";
import { CONFIG_OPTION } from "./options.ts";

interface DiffOptions {
  readonly format: readonly Target[];
  readonly failOn: FailOn;
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
    .option("--format <format[=file]>", "how to report, and where to; may be repeated", addTarget, [])
    .addOption(
      new Option("--fail-on <class>", "exit 1 at changes of this class, or of a worse one")
        .choices(FAIL_ON)
        .default("breaking"),
    )
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
  const targets: readonly Target[] = format.length > 0 ? format : [{ format: "terminal", file: undefined }];
  refuseTwice(targets);
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

function addTarget(text: string, before: readonly Target[]): readonly Target[] {
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  const file = at < 0 ? undefined : text.slice(at + 1);
  if (!isFormat(name)) {
    throw new VcrError("usage", `--format ${text}: there is no format ${JSON.stringify(name)}`, {
      hint: `Formats: ${FORMATS.join(", ")}. FORMAT=FILE writes it to a file.`,
    });
  }
  if (file === "") throw new VcrError("usage", `--format ${text}: the file has no name`);
  return [...before, { format: name, file }];
}

/** The names are told without loading what makes the reports. */
const FORMATS: readonly Target["format"][] = ["terminal", "json", "markdown", "junit", "sarif", "github"];

function isFormat(name: string): name is Target["format"] {
  return FORMATS.some((format) => format === name);
}

function refuseTwice(targets: readonly Target[]): void {
  const places = targets.map(({ file }) => file);
  const twice = places.find((file, index) => places.indexOf(file) !== index);
  if (places.length === new Set(places).size) return;
  throw new VcrError("usage", `two reports go to ${twice ?? "standard output"}`, {
    hint: "Give each a file of its own: --format markdown=drift.md --format json=drift.json",
  });
}
