import { Command } from "commander";
import { type DriftParts, driftFrom, isFailing } from "../drift/drift.ts";
import type { DriftSettings } from "../drift/settings.ts";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import type { SideOf } from "../run/diff-sides.ts";
import { isScenario, scenarioFile } from "../run/scenario-files.ts";
import { readDriftSettings } from "./drift-settings.ts";
import { EXIT } from "./exit-codes.ts";
import { HEADER_OPTION, type Headers, refuseHeaders } from "./header-option.ts";
import { CONFIG_OPTION } from "./options.ts";
import { FAIL_ON_OPTION, FORMAT_OPTION, type ReportOptions, targetsOf } from "./report-options.ts";
import { serverOf } from "./server-source.ts";

interface DiffOptions extends ReportOptions {
  readonly url?: string;
  readonly header?: Headers;
  readonly base?: string;
  readonly config?: string;
}

/** Where cassettes are when nothing else is said. */
const USUAL_FOLDER = "cassettes";

const HELP = `
Compares two recordings of one server: what it promises, what it answers, and
what else it sends. OLD and NEW may be real servers and scenarios as well: then
what they promise is compared. What changes from run to run (ids, tokens, times) is no change.
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
  What a real server promises now, and what it promised when it was recorded:
    mcp-vcr diff cassettes/weather.yaml -- node weather.js
    mcp-vcr diff cassettes/remote.yaml --url https://example.com/mcp
  Whether a mock written by hand still promises what the server does:
    mcp-vcr diff weather.scenario.yaml -- node weather.js
  Fail at whatever may break somebody:
    mcp-vcr diff old.yaml new.yaml --fail-on risky

Exit codes: 0 nothing that fails; 1 changes that do, or nothing to compare;
2 wrong usage; 3 an unreadable or invalid cassette or scenario; 4 a real server
that could not be started or reached.`;

/** @param command what stands after `--` on the command line: the one that starts a real server */
export function diffCommand(done: (exitCode: number) => void, command: readonly string[]): Command {
  return new Command("diff")
    .summary("compare two recordings of one server, or what servers promise")
    .description(
      "Compare two recordings of one server, what servers promise, or cassettes with a revision of theirs.",
    )
    .usage(
      "[options] OLD NEW\n       mcp-vcr diff [options] OLD (-- COMMAND… | --url URL)\n       mcp-vcr diff [options] --base REV [PATH...]",
    )
    .argument(
      "[paths...]",
      `cassettes, scenarios or URLs; with --base, files and folders (default: ${USUAL_FOLDER})`,
    )
    .option("--url <url>", "compare with the real server behind this URL")
    .addOption(HEADER_OPTION("with a URL"))
    .option("--base <rev>", "compare the working tree with this git revision")
    .addOption(FORMAT_OPTION())
    .addOption(FAIL_ON_OPTION())
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (paths: string[], options: DiffOptions) => {
      // The command stands among the arguments, as if nothing had set it apart.
      const named = paths.slice(0, paths.length - command.length);
      done(await diff(named, command, options));
    });
}

async function diff(
  paths: readonly string[],
  command: readonly string[],
  options: DiffOptions,
): Promise<number> {
  const { failOn, base } = options;
  const { refuseInputs, writeReports } = await import("../run/diff-report.ts");
  const targets = targetsOf(options.format);
  refuseInputs(targets, paths);
  const server = serverOf(command, options.url);
  if (base !== undefined && server) {
    throw new VcrError("usage", "--base compares with a revision of git, and not with a real server", {
      hint: "mcp-vcr verify FILE -- COMMAND asks a server what a cassette holds.",
    });
  }
  const settings = await readDriftSettings(options.config);
  const sides =
    base === undefined
      ? await twoSides(sidesOf(paths, server, options.header), settings)
      : await withRevision(base, paths, settings);
  const drift = driftFrom({
    ...sides,
    decisions: settings.decisions,
    notes: [...(sides.notes ?? []), ...(settings.own?.notes() ?? [])],
  });
  await writeReports(drift, targets, failOn);
  return isFailing(drift, failOn) ? EXIT.findings : EXIT.ok;
}

async function withRevision(
  base: string,
  paths: readonly string[],
  settings: DriftSettings,
): Promise<DriftParts> {
  const { diffWithRevision } = await import("../run/diff-cassettes.ts");
  const comparisons = await diffWithRevision(base, paths.length > 0 ? paths : [USUAL_FOLDER], settings);
  return { old: base, new: "the working tree", comparisons };
}

async function twoSides(
  [old, fresh]: readonly [SideOf, SideOf],
  settings: DriftSettings,
): Promise<DriftParts> {
  const { diffSides } = await import("../run/diff-sides.ts");
  const { loadModule } = await import("../config/load-module.ts");
  const { comparison, notes } = await diffSides(old, fresh, { comparing: settings, loadModule });
  const { old: before, new: after } = comparison;
  return { old: before ?? "", new: after ?? "", comparisons: [comparison], notes };
}

/** What is named, the old side first; the server of the command line, if there is one, is the new one. */
function sidesOf(
  paths: readonly string[],
  server: Source | undefined,
  given: Headers | undefined,
): readonly [SideOf, SideOf] {
  if (server) refuseHeaders(server, given);
  const headers = given ?? {};
  const all = [
    ...paths.map((path) => sideOf(path, headers)),
    ...(server ? [{ kind: "server", source: server, headers } as const] : []),
  ];
  const [old, fresh] = all;
  if (old && fresh && all.length === 2) return [old, fresh];
  throw new VcrError(
    "usage",
    `diff compares two sides, and ${all.length} ${all.length === 1 ? "is" : "are"} named`,
    {
      hint: "mcp-vcr diff OLD NEW, mcp-vcr diff OLD -- COMMAND for a real server, or mcp-vcr diff --base REV for a revision of git.",
    },
  );
}

function sideOf(name: string, headers: Headers): SideOf {
  if (/^https?:\/\//i.test(name)) return { kind: "server", source: serverAt(name), headers };
  return { kind: isScenario(scenarioFile(name)) ? "scenario" : "cassette", file: name };
}

function serverAt(url: string): Source {
  return serverOf([], url) as Source;
}
