import { VcrError } from "../errors.ts";
import { Player } from "../replay/player.ts";
import { AjvSchemas } from "../scenario/ajv/ajv-schemas.ts";
import { ScenarioBehind } from "../scenario/behind-player.ts";
import { checkSchemas } from "../scenario/check/check-schemas.ts";
import { dialectsIn } from "../scenario/dialects-in.ts";
import { loadScenario } from "../scenario/load-scenario.ts";
import type { Scenario } from "../scenario/model.ts";
import type { AnswerStyle } from "../transport/http-streams.ts";
import { Timers } from "../transport/timer.ts";
import { nothingBehind } from "./nothing-behind.ts";
import { warn } from "./notices.ts";
import { ReportFile } from "./report-file.ts";
import { type LoadModule, scenarioFile, scenarioFiles } from "./scenario-files.ts";
import { conclude, servePlayer } from "./serve-player.ts";
import { untilAskedToEnd } from "./signals.ts";

export interface ScenarioOptions {
  readonly file: string;
  /** Serve over HTTP at this address; over stdio when undefined. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
  /** How HTTP answers are given that stand alone. */
  readonly answers: AnswerStyle;
  /** Where the report goes. */
  readonly report: string | undefined;
  /** A faults file, or the name of a ready set. */
  readonly faults?: string | undefined;
  readonly loadModule: LoadModule;
}

/**
 * Serves a scenario until the client's side ends (stdio) or the process is asked to (both). Resolves to the exit code.
 * @throws VcrError when the scenario cannot be read, or does not hold to its form
 */
export async function serveScenario(options: ScenarioOptions): Promise<number> {
  const file = scenarioFile(options.file);
  const report = options.report === undefined ? undefined : new ReportFile(options.report, file);
  const scenario = await loadScenario(file, scenarioFiles(options.loadModule), options.file);
  const checking = new Checking(scenario);
  const timers = new Timers();
  const behind = new ScenarioBehind(scenario, {
    timer: timers.start,
    now: () => Date.now(),
    schemas: checking.schemas,
    onMiss: (miss, explanation) => player.missed(miss, explanation),
    onNotice: warn,
  });
  const recording = nothingBehind();
  const { faults: own } = scenario;
  const laying = own || options.faults !== undefined ? await import("./serve-faults.ts") : undefined;
  const faults = laying?.openFaultsOver({ own, ...options, faults: options.faults }, recording);
  const player: Player = new Player(recording, {
    cassette: options.file,
    realServer: behind,
    between: faults,
    onNotice: warn,
    onReceived: () => checking.soon(),
    onMiss: (_miss, explanation) => warn(explanation),
  });
  const asked = Promise.race([untilAskedToEnd(), checking.failed]);
  const exit = await servePlayer(player, { ...options, asked });
  timers.close();
  await checking.now();
  if (faults && !player.tally.probed) laying?.tellIdleFaults(faults);
  conclude(player, { file: options.report, report });
  return player.failed ? 1 : (exit ?? 0);
}

/**
 * Checks what needs compiled schemas. To load what compiles them takes longer than all else at the start, so it begins
 * once the first message has been answered.
 */
class Checking {
  readonly schemas: AjvSchemas;
  /** Resolves when the check found something. */
  readonly failed: Promise<void>;
  readonly #scenario: Scenario;
  #fail: () => void = () => undefined;
  #checked: Promise<void> | undefined;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.schemas = new AjvSchemas(dialectsIn(scenario));
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
  }

  soon(): void {
    if (this.#checked) return;
    this.#checked = new Promise((resolve) => setImmediate(resolve)).then(() => this.#check());
    this.#checked.catch(() => this.#fail());
  }

  /** @throws VcrError `scenario-invalid` */
  async now(): Promise<void> {
    this.#checked ??= this.#check();
    await this.#checked;
  }

  async #check(): Promise<void> {
    checkSchemas(this.#scenario, await this.schemas.load());
  }
}

/** Flags that say something of a recording say nothing of a scenario. @throws VcrError `usage` */
export function refuseFlags(flags: Readonly<Record<string, unknown>>): void {
  const [given] = Object.entries(flags).find(([, value]) => value !== undefined && value !== false) ?? [];
  if (given === undefined) return;
  throw new VcrError("usage", `${given} is for cassettes, and this is a scenario`, { hint: "Leave it out." });
}
