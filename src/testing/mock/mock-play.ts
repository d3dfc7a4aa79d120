import { VcrError } from "../../errors.ts";
import type { FaultPlan } from "../../faults/plan.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type { ForwardLog } from "../../replay/forward/log.ts";
import type { Recording } from "../../replay/recording.ts";
import { faultsOfValue } from "../../run/load-faults.ts";
import { nothingBehind } from "../../run/nothing-behind.ts";
import { AjvSchemas } from "../../scenario/ajv/ajv-schemas.ts";
import { checkSchemas } from "../../scenario/check/check-schemas.ts";
import { DIALECTS } from "../../scenario/dialects.ts";
import type { FaultDocument } from "../../scenario/fault-document.ts";
import { scenarioOfValue } from "../../scenario/load-scenario.ts";
import type { SchemaChecker } from "../../scenario/schemas.ts";
import type { Listening, Play } from "../play.ts";
import { beginScenario, type ScenarioRun } from "../scenario-play.ts";
import { Draft, type MockDocument } from "./draft.ts";
import { Expectations } from "./expectations.ts";

/** As messages call it. */
const NAME = "the mock";

/** What a mock is from the beginning. */
export interface MockBeginning {
  readonly document: MockDocument;
  readonly faults: FaultPlan | undefined;
}

interface MockParts extends MockBeginning {
  readonly schemas: AjvSchemas;
  readonly checker: SchemaChecker;
}

/** A mock made by a program: a scenario whenever a client comes to a new run of it. */
export class MockPlay implements Play {
  readonly name: string = NAME;
  readonly file: string = NAME;
  readonly recording: Recording = nothingBehind();
  readonly strict = false;
  readonly draft: Draft;
  readonly #parts: MockParts;
  readonly #faults: FaultDocument[] = [];
  readonly expectations = new Expectations();
  #run: ScenarioRun | undefined;
  #onBegun: (() => void)[] = [];

  /** What checks schemas is loaded now, so that a mock can be checked the moment a client comes. */
  static async of(beginning: MockBeginning): Promise<MockPlay> {
    const schemas = new AjvSchemas(new Set(DIALECTS));
    return new MockPlay({ ...beginning, schemas, checker: await schemas.load() });
  }

  private constructor(parts: MockParts) {
    this.#parts = parts;
    this.draft = new Draft(parts.document, (what) => this.#mustBeIdle(what));
  }

  /** @throws VcrError `faults-invalid` */
  get faults(): FaultPlan | undefined {
    const { faults } = this.#parts;
    if (this.#faults.length === 0) return faults;
    const added = faultsOfValue({ faults: this.#faults });
    return faults ? { ...faults, faults: [...faults.faults, ...added.faults] } : added;
  }

  fault(fault: FaultDocument): void {
    this.#mustBeIdle("a fault");
    this.#faults.push(fault);
  }

  /** @throws VcrError `scenario-invalid` for what no server could do, `usage` for what was begun and never said */
  begin(listening: Listening): ScenarioRun {
    const { schemas, checker } = this.#parts;
    const { faults } = this;
    const scenario = scenarioOfValue(this.draft.document, NAME);
    checkSchemas(scenario, checker);
    const run = beginScenario({ name: NAME, scenario, schemas, faults }, this.recording, listening);
    const end = () => {
      run.end();
      this.#run = undefined;
    };
    this.#run = { ...run, end };
    for (const tell of this.#onBegun.splice(0)) tell();
    return this.#run;
  }

  /** Tells the clients that are there. @throws VcrError `usage` where none listens */
  notify(method: string, params: JsonObject | undefined): void {
    if (this.#run?.behind.notify(method, params)) return;
    throw new VcrError("usage", `no client is there that would hear ${method}`, {
      hint: "Connect one first. One of the 2026-07-28 revision hears what it listens for, and nothing else.",
    });
  }

  get log(): ForwardLog | undefined {
    return this.#run?.behind.log;
  }

  /** Resolves when a run begins. */
  begun(): Promise<void> {
    return new Promise((resolve) => this.#onBegun.push(resolve));
  }

  problems(): readonly string[] {
    return this.expectations.problems;
  }

  async close(): Promise<void> {}

  #mustBeIdle(what: string): void {
    if (this.#run) throw inUse(what);
  }
}

function inUse(what: string): VcrError {
  return new VcrError("usage", `${what}: the mock has begun to answer, and stays as it is`, {
    hint: "Say all before the first client connects, or after reset().",
  });
}
