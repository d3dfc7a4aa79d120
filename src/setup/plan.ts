import { addScript } from "./add-script.ts";
import { configText } from "./config-text.ts";
import { EXAMPLE, exampleTest } from "./example-test.ts";
import { MANIFEST, type Manifest } from "./manifest.ts";
import { type Folder, MANAGERS, otherLanguageOf, type PackageManager, type Runner } from "./project.ts";
import { clientLines, type Recordable, recordScript, SCRIPT } from "./recording.ts";
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
  /** Undefined where no example test is wanted. */
  readonly runner: Runner | undefined;
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
const IS_THERE = "is there already";

/** What to write into a project: nothing that is there is touched, but for one script that package.json does not have. */
export function planSetup(situation: Situation): Plan {
  const { manifest } = situation;
  const files = [configStep(situation), cassetteStep(situation)];
  if (!manifest)
    return { steps: files, notices: [], next: [...nextWithout(situation), ...clients(situation)] };
  const test = testPart(situation, manifest);
  const serve = situation.runner === undefined ? serveLine(situation) : undefined;
  const script = scriptPart(situation, manifest);
  const install = manifest.dependencies.has("mcp-vcr")
    ? []
    : [`Install it: ${MANAGERS[situation.manager].add} mcp-vcr`];
  return {
    steps: [...files, ...test.steps, ...script.steps],
    notices: [...test.notices, ...script.notices],
    next: [
      ...install,
      ...(serve === undefined ? [] : [serve]),
      ...test.next,
      ...script.next,
      ...clients(situation),
    ],
  };
}

function configStep({ config, manifest, servers }: Situation): Step {
  if (config !== undefined) return { kind: "leave", path: config, what: `${IS_THERE}, and counts here` };
  const env = [...new Set(servers.flatMap((server) => server.env))];
  return {
    kind: "write",
    path: CONFIG,
    text: configText(manifest !== undefined, env),
    what: "the configuration",
  };
}

function cassetteStep({ folder, example }: Situation): Step {
  return folder.text(CASSETTE) === undefined
    ? { kind: "write", path: CASSETTE, text: example, what: "a recording of a small weather server" }
    : { kind: "leave", path: CASSETTE, what: IS_THERE };
}

const NOTHING: Plan = { steps: [], notices: [], next: [] };

function testPart({ folder, runner, manager, example }: Situation, manifest: Manifest): Plan {
  if (runner === undefined) return NOTHING;
  const { path, text, others } = exampleTest(runner, manifest, folder);
  const there = [path, ...others].find((file) => folder.text(file) !== undefined);
  const notices = obstaclesOf(runner, manifest);
  const run = (file: string) => [`Try it: ${TESTS[runner](MANAGERS[manager].run)} ${file}`];
  if (there !== undefined)
    return { steps: [{ kind: "leave", path: there, what: IS_THERE }], notices, next: run(there) };
  if ((folder.text(CASSETTE) ?? example) !== example)
    return { ...NOTHING, notices: [`no example test is written, since ${CASSETTE} is another recording`] };
  const what = `an example test for ${RUNNER_NAMES[runner]}`;
  return { steps: [{ kind: "write", path, text, what }], notices, next: run(path) };
}

export const RUNNER_NAMES: Readonly<Record<Runner, string>> = {
  vitest: "vitest",
  jest: "jest",
  "node-test": "node:test",
};

/** How each runner is started, given how packages' commands are. */
const TESTS: Readonly<Record<Runner, (run: string) => string>> = {
  vitest: (run) => `${run} vitest run`,
  jest: () => JEST,
  "node-test": () => "node --test",
};

function scriptPart({ server, manager }: Situation, manifest: Manifest): Plan {
  if (!server) return NOTHING;
  const script = recordScript(server);
  if ("why" in script) {
    const notice = `${MANIFEST} gets no script "${SCRIPT}" for the server "${server.name}": ${script.why}`;
    return { ...NOTHING, notices: [notice] };
  }
  const env =
    server.env.length > 0
      ? `, with ${server.env.join(", ")} in the environment as ${server.file} has it`
      : "";
  const next = [`Record "${server.name}" without a client: ${MANAGERS[manager].script} ${SCRIPT}${env}`];
  const there = manifest.scripts.get(SCRIPT);
  if (there !== undefined) {
    const step: Step = { kind: "leave", path: MANIFEST, what: `has a script "${SCRIPT}" already` };
    return { steps: [step], notices: [], next: there === script.command ? next : [] };
  }
  const text = addScript(manifest.text, SCRIPT, script.command);
  const what = `the script "${SCRIPT}": ${script.command}`;
  return { steps: [{ kind: "change", path: MANIFEST, text, what }], notices: [], next };
}

/** Where there is no package.json. */
function nextWithout({ folder }: Situation): string[] {
  const inLanguage = serveLine({ folder });
  if (inLanguage !== undefined) return [inLanguage];
  return [
    tryServing("a client"),
    `There is no ${MANIFEST} here. For an example test and a script: npm init -y, and mcp-vcr init again.`,
  ];
}

/** For a project in another language. */
function serveLine({ folder }: Pick<Situation, "folder">): string | undefined {
  const language = otherLanguageOf(folder);
  return language === undefined ? undefined : tryServing(`your tests in ${language}`);
}

const tryServing = (who: string): string =>
  `Try it: npx mcp-vcr serve ${CASSETTE}\nThat is an MCP server over stdio: let ${who} start it in place of the real one.`;

function clients(situation: Situation): string[] {
  const { servers, manifest, manager } = situation;
  const run = manifest ? MANAGERS[manager].run : "npx";
  return servers.length > 0
    ? servers.map((server) => clientLines(server, situation))
    : [`Record your server: ${run} mcp-vcr record --drive auto -o cassettes/NAME.yaml -- COMMAND`];
}
