import { Command, Option } from "commander";
import { millisecondsIn } from "../cassette/written/duration.ts";
import { openConfig } from "../config/open-config.ts";
import { driftFrom, isFailing } from "../drift/drift.ts";
import { FAR_SLOWER, type Slowness } from "../drift/slowness.ts";
import { DEFAULT_TIMEOUT } from "../drive/step.ts";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import { readDriftSettings } from "./drift-settings.ts";
import { EXIT, reportError } from "./exit-codes.ts";
import { HEADER_OPTION, type Headers, refuseHeaders } from "./header-option.ts";
import { CONFIG_OPTION } from "./options.ts";
import { FAIL_ON_OPTION, FORMAT_OPTION, type ReportOptions, targetsOf } from "./report-options.ts";
import { serverOf } from "./server-source.ts";

interface VerifyOptions extends ReportOptions {
  readonly url?: string;
  readonly header?: Headers;
  readonly yes?: boolean;
  readonly update?: boolean;
  readonly timeout: number;
  readonly slower: Slowness;
  readonly config?: string;
}

const HELP = `
Asks the real server what is recorded, as the recorded client did, and reports
what it says differently: what it promises, what it answers, what else it sends.
Its own questions are answered as recorded. Tools that are not annotated
readOnlyHint: true are called only if you say so, on the terminal or with --yes;
what is left out is told, and is not compared.

Examples:
  mcp-vcr verify cassettes/weather.yaml -- node weather.js
  mcp-vcr verify cassettes/remote.yaml --url https://example.com/mcp --header "Authorization: Bearer $TOKEN"
  mcp-vcr verify cassettes/weather.yaml --yes --format github --format markdown=drift.md -- node weather.js

Exit codes: 0 nothing that fails; 1 changes that do, or nothing to compare;
2 wrong usage; 3 an unreadable or invalid cassette; 4 the server could not be
started or reached, or ended before all was asked.`;

const TIMEOUT = () =>
  new Option("--timeout <time>", "what a request may take, such as 500ms, 10s, 2m")
    .argParser(durationOf)
    .default(DEFAULT_TIMEOUT, "60s");

const SLOWER = () =>
  new Option("--slower <factor>", "tell of answers that take so many times as long as recorded, such as 3x")
    .argParser(slownessOf)
    .default(FAR_SLOWER, "10x, and 5 s longer");

export function verifyCommand(done: (exitCode: number) => void): Command {
  return new Command("verify")
    .summary("ask a real server what is recorded, and compare")
    .description("Ask a real server what is recorded in a cassette, and compare its answers.")
    .usage("[options] FILE (-- COMMAND… | --url URL)")
    .argument("<file>", "the cassette (.yaml or .jsonl)")
    .argument("[command...]", "the command that starts the server over stdio, after --")
    .option("--url <url>", "the server is behind this URL (Streamable HTTP, or HTTP+SSE)")
    .addOption(HEADER_OPTION("with --url"))
    .option("-y, --yes", "call tools that may change things, too")
    .option("--update", "put in the cassette what the server says now, and keep the rest")
    .addOption(TIMEOUT())
    .addOption(SLOWER())
    .addOption(FORMAT_OPTION())
    .addOption(FAIL_ON_OPTION())
    .option(...CONFIG_OPTION)
    .addHelpText("after", HELP)
    .action(async (file: string, command: string[], options: VerifyOptions) =>
      done(await verify(file, sourceOf(command, options), options)),
    );
}

async function verify(file: string, source: Source, options: VerifyOptions): Promise<number> {
  const targets = targetsOf(options.format);
  const { config } = await openConfig(options.config);
  const settings = await readDriftSettings(options.config);
  const { verifyCassette } = await import("../run/verify-cassette.ts");
  const { refuseInputs, writeReports } = await import("../run/diff-report.ts");
  const { askOnTerminal } = await import("../run/ask-permission.ts");
  refuseInputs(targets, [file]);
  const { comparison, withheld, notes, failed, interrupted, notUpdated } = await verifyCassette({
    file,
    source,
    headers: options.header ?? {},
    permission: options.yes ? true : (askOnTerminal() ?? false),
    timeout: options.timeout,
    redact: config.redact,
    update: options.update ?? false,
    comparing: { own: settings.own, slowness: options.slower },
  });
  const { old, new: fresh } = comparison;
  const drift = driftFrom({
    old: old ?? "",
    new: fresh ?? "",
    comparisons: [comparison],
    decisions: settings.decisions,
    withheld,
    notes: [...notes, ...(settings.own?.notes() ?? [])],
  });
  await writeReports(drift, targets, options.failOn);
  if (failed) return reportError(failed);
  if (interrupted) return EXIT.findings;
  if (options.update) return updated(file, notUpdated);
  return isFailing(drift, options.failOn) ? EXIT.findings : EXIT.ok;
}

/** What changed is in the cassette now, so it fails nobody. */
function updated(file: string, reason: string | undefined): number {
  const said = reason === undefined ? "is up to date" : `was not brought up to date: ${reason}`;
  process.stderr.write(`mcp-vcr: ${file} ${said}\n`);
  return reason === undefined ? EXIT.ok : EXIT.findings;
}

function sourceOf(command: readonly string[], { url, header }: VerifyOptions): Source {
  const source = serverOf(command, url);
  if (!source) {
    throw new VcrError("usage", "verify asks a real server, and none was named", {
      hint: "Name its command, mcp-vcr verify FILE -- node server.js, or its URL, mcp-vcr verify FILE --url https://example.com/mcp",
    });
  }
  refuseHeaders(source, header);
  return source;
}

/** In milliseconds: what an answer must take longer where a factor is given, since less is mere chance. */
const LEAST = 100;

function slownessOf(text: string): Slowness {
  const factor = Number(/^(\d+(?:\.\d+)?)x$/.exec(text)?.[1]);
  if (factor > 1) return { factor, least: LEAST };
  throw new VcrError("usage", `--slower ${text}: not a factor`, {
    hint: "Give one above 1, such as --slower 3x.",
  });
}

function durationOf(text: string): number {
  const ms = millisecondsIn(text);
  if (ms) return ms;
  throw new VcrError("usage", `--timeout ${text}: not a time`, {
    hint: "Give a number and a unit, such as 500ms, 10s or 2m.",
  });
}
