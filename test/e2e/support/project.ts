import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";

/** What a user of each runner has installed besides mcp-vcr. */
const INSTALLED = [
  "@modelcontextprotocol",
  "@secretlint",
  "@jest",
  "expect",
  "jest",
  "msw",
  "vitest",
  "typescript",
];

export type RunnerName = "vitest" | "jest" | "node-test";

/** What became of one test: what its failures say, none where it passed. */
export type Results = Readonly<Record<string, readonly string[]>>;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunnerRow {
  /** Arguments for Node. */
  readonly args: readonly string[];
  readonly results: (stdout: string) => Results;
}

const NODE = process.env.MCP_VCR_TEST_NODE ?? process.execPath;

/** The five seconds of vitest and jest are little on a busy machine. */
const PATIENCE = "--testTimeout=60000";

/** How each runner is started, and what it prints. */
const RUNNERS: Readonly<Record<RunnerName, RunnerRow>> = {
  vitest: {
    args: ["../node_modules/vitest/vitest.mjs", "run", "--reporter=json", "--no-color", PATIENCE],
    results: (stdout) => jsonResults(stdout),
  },
  jest: {
    args: [
      "--experimental-vm-modules",
      "--no-warnings",
      "../node_modules/jest/bin/jest.js",
      "--json",
      "--no-color",
      PATIENCE,
    ],
    results: (stdout) => jsonResults(stdout),
  },
  "node-test": {
    args: ["--test", "--test-reporter=../lib/tell.mjs"],
    results: (stdout) => toldResults(stdout),
  },
};

/** A project as a user has it: these fixtures, and the package as npm would install it. */
export class Project {
  readonly folder: string;
  readonly #runner: RunnerName;

  constructor(runner: RunnerName, parts: readonly string[] = [runner, "lib"]) {
    this.#runner = runner;
    const root = mkdtempSync(join(tmpdir(), "mcp-vcr-project-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    this.folder = join(root, runner);
    const installed = join(root, "node_modules");
    mkdirSync(join(installed, "mcp-vcr"), { recursive: true });
    for (const name of INSTALLED) symlinkSync(resolve("node_modules", name), join(installed, name));
    for (const part of ["package.json", "dist"]) {
      cpSync(part, join(installed, "mcp-vcr", part), { recursive: true });
    }
    mkdirSync(this.folder);
    for (const part of parts) {
      cpSync(join("test/fixtures/projects", part), join(root, part), { recursive: true });
    }
  }

  /** Runs its tests; `more` are arguments of the runner. */
  async run(
    more: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<Ended & { readonly results: Results }> {
    const { args, results } = RUNNERS[this.#runner];
    const ended = await this.#spawn([...args, ...more], env);
    return { ...ended, results: results(ended.stdout) };
  }

  #spawn(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
    const { CI: _ci, NODE_OPTIONS: _options, VITEST: _vitest, ...inherited } = process.env;
    // Set by node:test for the processes it starts, and by vitest for its workers.
    for (const name of ["NODE_TEST_CONTEXT", "VITEST_WORKER_ID", "VITEST_POOL_ID", "NODE_ENV"])
      delete inherited[name];
    const child = spawn(NODE, args, {
      cwd: this.folder,
      env: { ...inherited, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        said[stream] += text;
      });
    }
    return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...said })));
  }
}

interface JsonReport {
  readonly testResults: readonly {
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

function jsonResults(stdout: string): Results {
  const { testResults } = JSON.parse(stdout.slice(stdout.indexOf("{"))) as JsonReport;
  return Object.fromEntries(
    testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, failureMessages }) => [fullName, failureMessages] as const),
    ),
  );
}

interface Told {
  readonly name?: string;
  readonly messages: readonly string[];
  readonly diagnostic?: string;
}

/** A diagnostic is of the test before it; those at the end count tests. */
function toldResults(stdout: string): Results {
  const results: Record<string, readonly string[]> = {};
  let last = "";
  for (const line of stdout.trim().split("\n")) {
    const { name, messages, diagnostic } = JSON.parse(line) as Told;
    if (name !== undefined) {
      last = name;
      results[last] = messages;
    } else if (diagnostic !== undefined && !/^[a-z_]+ [\d.]+$/.test(diagnostic)) {
      results[last] = [...(results[last] ?? []), diagnostic];
    }
  }
  return results;
}
