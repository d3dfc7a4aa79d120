import { VcrError } from "../errors.ts";
import { knownServers } from "../setup/client-config.ts";
import { MANIFEST, readManifest } from "../setup/manifest.ts";
import { type Plan, planSetup, RUNNER_NAMES, type Situation, type Step } from "../setup/plan.ts";
import { type Folder, otherLanguageOf, packageManagerOf, RUNNERS, type Runner } from "../setup/project.ts";
import { type Recordable, recordables, recordScript, SCRIPT } from "../setup/recording.ts";
import { runnersOf } from "../setup/runner.ts";
import { askLine } from "./ask-line.ts";
import { warn } from "./notices.ts";
import { carryOut, exampleText, folderOnDisk, holdsSecret } from "./set-up-project.ts";

export interface InitOptions {
  /** The project's folder, absolute. */
  readonly root: string;
  /** The configuration that counts there, as messages name it. */
  readonly config: (this: void) => string | undefined;
  readonly runner: Runner | undefined;
  /** Tells what would be written, and writes nothing. */
  readonly isDry: boolean;
  /** Whether there is somebody to ask, who may be. */
  readonly asks: boolean;
}

/**
 * Sets a project up: looks at what is there, and writes what is not.
 * @throws VcrError `usage` where its package.json cannot be read, or something cannot be written
 */
export async function initProject(options: InitOptions): Promise<void> {
  const { root, isDry, asks } = options;
  const { situation, notices } = await look(options);
  const plan = planSetup(situation);
  for (const notice of [...notices, ...plan.notices]) warn(notice);
  const isDone = plan.steps.every(({ kind }) => kind === "leave");
  if (asks && !isDry && !isDone) {
    for (const step of plan.steps) warn(told(step, "would"));
    if (!isYes(await askLine("Write that? [Y]es, [n]o:"))) {
      process.stdout.write("Nothing was written.\n");
      return;
    }
  }
  for (const step of plan.steps) {
    if (!isDry) carryOut(root, step);
    process.stdout.write(`${told(step, isDry ? "would" : "done")}\n${isDry ? shown(step) : ""}`);
  }
  if (isDone) process.stdout.write("Nothing to write.\n");
  process.stdout.write(nextText(plan));
}

async function look(options: InitOptions): Promise<{ situation: Situation; notices: readonly string[] }> {
  const { root, config, asks } = options;
  const folder = folderOnDisk(root);
  const text = folder.text(MANIFEST);
  if (text === undefined) refuseBelow(folder);
  const manifest = text === undefined ? undefined : readManifest(text);
  const known = knownServers(folder);
  const servers = recordables(known.servers, holdsSecret);
  const { found, other } = manifest ? runnersOf(manifest, folder) : { found: [], other: undefined };
  const runner = manifest && (await chosenRunner(options, found, other));
  const notices = [...known.notices];
  if (manifest && runner === undefined) {
    const whose = other === undefined ? "" : `: ${other} has no entry of its own`;
    notices.push(
      `no example test is written${whose}. Any runner can open a tape (docs/testing.md), and --runner ${RUNNERS.join("|")} writes one for these.`,
    );
  }
  const mayAsk = asks && manifest !== undefined && !manifest.scripts.has(SCRIPT);
  const situation = {
    folder,
    root: root.replaceAll("\\", "/"),
    manifest,
    manager: packageManagerOf(folder, manifest?.packageManager),
    runner,
    servers,
    server: mayAsk ? await chosenServer(servers) : scripted(servers),
    config: config(),
    example: exampleText(),
  };
  return { situation, notices };
}

/** Below a package.json, in a folder that is no project of its own, somebody most likely stands in the wrong place. */
function refuseBelow(folder: Folder): void {
  const above = folder.names.findIndex((names) => names.includes(MANIFEST));
  if (above < 0 || otherLanguageOf(folder) !== undefined) return;
  throw new VcrError("usage", `no ${MANIFEST} is in this folder, but one above it`, {
    hint: `Nothing was written. Go there, and run it again: cd ${Array(above).fill("..").join("/")}`,
  });
}

/** The one that was named, else the only one there, else what is answered or likeliest. */
async function chosenRunner(
  { runner, asks }: InitOptions,
  found: readonly Runner[],
  other: string | undefined,
): Promise<Runner | undefined> {
  const likeliest = found[0] ?? (other === undefined ? "node-test" : undefined);
  if (runner !== undefined || !asks || found.length === 1) return runner ?? likeliest;
  const names = RUNNERS.map((each) => RUNNER_NAMES[each]);
  const usual = likeliest === undefined ? "none" : RUNNER_NAMES[likeliest];
  const chosen = await choose("Which test runner is the example for?", [...names, "none"], usual);
  return RUNNERS[names.indexOf(chosen)];
}

/** The first server that a script can record, else the first. */
function scripted(servers: readonly Recordable[]): Recordable | undefined {
  return servers.find((server) => "command" in recordScript(server)) ?? servers[0];
}

async function chosenServer(servers: readonly Recordable[]): Promise<Recordable | undefined> {
  const usual = scripted(servers);
  if (servers.length < 2 || !usual) return usual;
  const names = servers.map(({ name }) => name);
  const chosen = await choose(
    `Which server does the script "${SCRIPT}" record?`,
    [...names, "none"],
    usual.name,
  );
  return servers.find(({ name }) => name === chosen);
}

/** Asks until one of the words is answered; nothing, and the end, are the usual one. */
async function choose(question: string, words: readonly string[], usual: string): Promise<string> {
  for (;;) {
    const answer = (await askLine(`${question} ${words.join(", ")} [${usual}]:`)) || usual;
    if (words.includes(answer)) return answer;
  }
}

/** The end is no answer. */
function isYes(answer: string | undefined): boolean {
  return answer !== undefined && /^(y|yes|)$/i.test(answer);
}

const TOLD: Readonly<Record<Step["kind"], Readonly<Record<"done" | "would", string>>>> = {
  write: { done: "wrote", would: "would write" },
  change: { done: "changed", would: "would change" },
  leave: { done: "left", would: "would leave" },
};

function told({ kind, path, what }: Step, when: "done" | "would"): string {
  return `${TOLD[kind][when]} ${path}: ${what}`;
}

function shown(step: Step): string {
  return step.kind === "write" ? `${step.text.replace(/^(?=.)/gm, "    ")}\n` : "";
}

function nextText({ next }: Plan): string {
  return next.map((paragraph) => `\n${paragraph}\n`).join("");
}
