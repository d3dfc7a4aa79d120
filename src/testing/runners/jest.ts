/** `mcp-vcr/jest`: tapes that end with the test that opens them, and matchers of what they received. */
import { afterEach, beforeEach, expect } from "@jest/globals";
import { VcrError } from "../../errors.ts";
import type { ScenarioDocument } from "../../scenario/define-scenario.ts";
import { MATCHERS, type TapeMatchers } from "../expect/matchers.ts";
import type { MockServer } from "../mock/mock-server.ts";
import { type MockOptions, openMock } from "../mock/open-mock.ts";
import { openCassette, openFor, outsideOfTests, type RunningTest } from "../running-test.ts";
import type { Tape } from "../tape.ts";
import type { CassetteOptions } from "../use-cassette.ts";
import { openScenario, type ScenarioOptions } from "../use-scenario.ts";

declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T> extends TapeMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends TapeMatchers<R> {}
  }
}

expect.extend(MATCHERS);

/** The test that is running, and what is to be done after it: jest takes no hooks while one runs. */
class CurrentTest {
  #name: string | undefined;
  #over: (() => Promise<void>)[] = [];

  begin(): void {
    const { currentConcurrentTestName, currentTestName } = expect.getState();
    this.#name = currentConcurrentTestName?.() ?? currentTestName;
  }

  /** @throws VcrError `usage` where none is running, or one that jest runs no hooks around */
  get running(): RunningTest {
    const { currentConcurrentTestName, testPath = "" } = expect.getState();
    const concurrent = currentConcurrentTestName?.();
    if (concurrent !== undefined && concurrent !== this.#name) throw concurrently();
    if (this.#name === undefined) {
      return outsideOfTests("mcp-vcr/jest");
    }
    return {
      file: testPath,
      name: this.#name,
      after: (over) => this.#over.push(over),
      isTold: (sentence) => failures().some((failure) => failure.includes(sentence)),
    };
  }

  /** The last that was opened is closed first. */
  async end(): Promise<void> {
    const failures: Error[] = [];
    this.#name = undefined;
    for (const over of this.#over.splice(0).reverse()) {
      await over().catch((error: Error) => failures.push(error));
    }
    const [first] = failures;
    if (failures.length > 1)
      throw new AggregateError(failures, failures.map(({ message }) => message).join("\n\n"));
    if (first) throw first;
  }
}

/**
 * What the running test has failed with.
 * @note jest does not say, but its runner (jest-circus) keeps it under a symbol of the test's globals. Where another
 *   runner does not, a miss that a test fails with is told once more.
 */
function failures(): string[] {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === "JEST_STATE_SYMBOL",
  );
  if (!symbol) return [];
  const state = (globalThis as unknown as Record<symbol, CircusState | undefined>)[symbol];
  return (state?.currentlyRunningTest?.errors ?? []).flat().map((error) => String(error));
}

interface CircusState {
  readonly currentlyRunningTest?: { readonly errors?: readonly unknown[] } | null;
}

function concurrently(): VcrError {
  return new VcrError("usage", "jest runs no hooks after test.concurrent, so nothing could close the tape", {
    hint: 'Open it with useCassette of "mcp-vcr", and end the test with tape.check() and await tape.close().',
  });
}

const current = new CurrentTest();
beforeEach(() => current.begin());
afterEach(() => current.end());

/**
 * Opens a cassette for the running test, as `useCassette` of `mcp-vcr` does, and closes it when the test is over. A request
 * that was not recorded fails the test.
 *
 * @param nameOrFile the cassette's; the test's own where it is left out, see docs/testing.md
 * @throws VcrError as `useCassette` of `mcp-vcr`; `usage` where no test is running
 */
export function useCassette(nameOrFile?: string, options?: CassetteOptions): Promise<Tape>;
export function useCassette(options: CassetteOptions): Promise<Tape>;
export async function useCassette(...args: readonly unknown[]): Promise<Tape> {
  return openFor({ test: running, called: useCassette, open: openCassette(args) });
}

/** Opens a scenario for the running test, as `useCassette` does a cassette. @throws VcrError */
export async function useScenario(
  scenario: string | ScenarioDocument,
  options: ScenarioOptions = {},
): Promise<Tape> {
  return openFor({
    test: running,
    called: useScenario,
    open: (_test, at) => openScenario(scenario, options, at),
  });
}

/** Opens a server that the running test makes, and closes it when the test is over. @throws VcrError */
export async function mockServer(options: MockOptions = {}): Promise<MockServer> {
  return openFor({ test: running, called: mockServer, open: (_test, at) => openMock(options, at) });
}

function running(): RunningTest {
  return current.running;
}
