import { addScript } from "./add-script.ts";
import { configText } from "./config-text.ts";
import { EXAMPLE, exampleTest } from "./example-test.ts";
import { MANIFEST, type Manifest } from "./manifest.ts";
import { type Folder, MANAGERS, type PackageManager, type Runner } from "./project.ts";
import { clientLines, type Recordable, recordScript } from "./recording.ts";
import { JEST, obstaclesOf } from "./runner.ts";

/** What is done about one file. */
export type Step =
  | { readonly kind: "write"; readonly path: string; readonly text: string; readonly what: string }
  | {
      readonly kind: "change";
      readonly path: string;
      readonly text: string;
      readonly what: string;
    }
  | { readonly kind: "leave"; readonly path: string; readonly what: string };

export interface Plan {
  readonly steps: readonly Step[];
  /** What is not as one might expect, as sentences. */
  readonly notices: readonly string[];
  /** What to do next, a paragraph each. */
  readonly next: readonly string[];
}

/** All that is known of the project, and was chosen. */
export interface Situation {
  readonly folder: Folder;
  /** The folder, absolute. */
  readonly root: string;
  /** Undefined where there is no package.json. */
  readonly manifest: Manifest | undefined;
  readonly manager: PackageManager;
  readonly runner: Runner;
  readonly servers: readonly Recordable[];
  /** The one that the script records. */
  readonly server: Recordable | undefined;
  /** A configuration that counts in this folder already. */
  readonly config: string | undefined;
  /** The text of the example cassette. */
  readonly example: string;
}

const CONFIG = "mcp-vcr.config.yaml";
const CASSETTE = `cassettes/${EXAMPLE}.yaml`;
const SCRIPT = "record";
const IS_THERE = "is there already";

/** What to write into a project: nothing that is there is touched, but for one script that package.json does not have. */
export function planSetup(situation: Situation): Plan {
  const { folder, config, manifest, servers, example } = situation;
  const steps: Step[] = [];
  const notices: string[] = [];
  const env = [...new Set(servers.flatMap((server) => server.env))];
  steps.push(
    config === undefined
      ? {
          kind: "write",
          path: CONFIG,
          text: configText(manifest !== undefined, env),
          what: "the configuration",
        }
      : { kind: "leave", path: config, what: `${IS_THERE}, and is the configuration here` },
  );
  const recorded = folder.text(CASSETTE);
  steps.push(
    recorded === undefined
      ? { kind: "write", path: CASSETTE, text: example, what: "a recording of a small weather server" }
      : { kind: "leave", path: CASSETTE, what: IS_THERE },
  );
  const isExample = recorded === undefined || recorded === example;
  if (manifest)
    steps.push(testStep(situation, manifest, isExample), ...scriptSteps(situation, manifest, notices));
  if (manifest) notices.push(...obstaclesOf(situation.runner, manifest));
  return { steps, notices, next: nextSteps(situation, steps) };
}

function testStep({ folder, runner }: Situation, manifest: Manifest, isExample: boolean): Step {
  const { path, text, others } = exampleTest(runner, manifest, folder);
  const there = [path, ...others].find((file) => folder.text(file) !== undefined);
  if (there !== undefined) return { kind: "leave", path: there, what: IS_THERE };
  if (!isExample)
    return { kind: "leave", path, what: `is not written, since ${CASSETTE} is not the example's` };
  return { kind: "write", path, text, what: `an example test for ${NAMES[runner]}` };
}

export const NAMES: Readonly<Record<Runner, string>> = {
  vitest: "vitest",
  jest: "jest",
  "node-test": "node:test",
};

function scriptSteps({ server }: Situation, manifest: Manifest, notices: string[]): Step[] {
  if (!server) return [];
  const what = `the script "${SCRIPT}"`;
  if (manifest.scripts.has(SCRIPT)) return [{ kind: "leave", path: MANIFEST, what: `has ${what} already` }];
  const script = recordScript(server);
  if ("why" in script) {
    notices.push(`${MANIFEST} gets no ${what.slice(4)} for the server "${server.name}": ${script.why}`);
    return [];
  }
  const text = addScript(manifest.text, SCRIPT, script.command);
  return [{ kind: "change", path: MANIFEST, text, what: `${what}: ${script.command}` }];
}

function nextSteps(situation: Situation, steps: readonly Step[]): string[] {
  const { manifest, manager, servers, server } = situation;
  const { add, script, run } = MANAGERS[manager];
  const next: string[] = [];
  const program = manifest ? [...run, "mcp-vcr"].join(" ") : "npx mcp-vcr";
  if (manifest && !manifest.dependencies.has("mcp-vcr")) next.push(`Install it:  ${add} mcp-vcr`);
  const test = steps.find(({ path }) => path.includes(".test."));
  if (test) next.push(`Try it:      ${testCommand(situation)} ${test.path}`);
  if (!manifest) {
    next.push(
      `Try it:      ${program} serve ${CASSETTE}\nThat is an MCP server over stdio: let your tests start it in place of the real one.`,
    );
  }
  const isScripted = server !== undefined && steps.some(({ path }) => path === MANIFEST);
  if (isScripted)
    next.push(`Record "${server.name}" without a client:  ${script} ${SCRIPT}${needing(server)}`);
  if (servers.length === 0)
    next.push(`Record yours: ${program} record --drive auto -o cassettes/NAME.yaml -- COMMAND`);
  return [...next, ...servers.map((each) => clientLines(each, situation))];
}

function testCommand({ runner, manager }: Situation): string {
  if (runner === "jest") return JEST;
  return runner === "vitest" ? `${MANAGERS[manager].run.join(" ")} vitest run` : "node --test";
}

function needing({ env, file }: Recordable): string {
  return env.length === 0 ? "\n".trim() : `\nwith ${env.join(", ")} in the environment, as ${file} has it`;
}
