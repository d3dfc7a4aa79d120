/** `mcp-vcr/jest`: tapes that end with the test that opens them, and matchers of what they received. */
import { afterEach, beforeEach, expect } from "@jest/globals";
import { MATCHERS, type TapeMatchers } from "../expect/matchers.ts";
import { type CassetteArguments, openFor, outsideOfTests, type RunningTest } from "../running-test.ts";
import type { Tape } from "../tape.ts";
import type { CassetteOptions } from "../use-cassette.ts";

declare module "expect" {
  interface Matchers<R extends void | Promise<void>, T> extends TapeMatchers<R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends TapeMatchers<R> {}
  }
}

expect.extend(MATCHERS);

type Over = () => Promise<void>;

/** What is to be done after tests, by their names: jest takes no hooks while a test runs. */
class AfterTests {
  readonly #over = new Map<string, Over[]>();
  /** Between tests the last one's name is still told. */
  #inTest = false;

  begin(): void {
    this.#inTest = true;
  }

  add(name: string, over: Over): void {
    this.#over.set(name, [...(this.#over.get(name) ?? []), over]);
  }

  /** The last that was opened is closed first. */
  async end(): Promise<void> {
    const name = this.nameOfTest() ?? "";
    this.#inTest = false;
    const all = this.#over.get(name) ?? [];
    this.#over.delete(name);
    const failures: unknown[] = [];
    for (const over of all.reverse()) await over().catch((error: unknown) => failures.push(error));
    if (failures.length > 0)
      throw failures.length === 1 ? failures[0] : new AggregateError(failures, texts(failures));
  }

  nameOfTest(): string | undefined {
    const { currentConcurrentTestName, currentTestName } = expect.getState();
    return currentConcurrentTestName?.() ?? (this.#inTest ? currentTestName : undefined);
  }
}

const tests = new AfterTests();
beforeEach(() => tests.begin());
afterEach(() => tests.end());

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
  return openFor(runningTest(), args as unknown as CassetteArguments, useCassette);
}

function runningTest(): RunningTest {
  const name = tests.nameOfTest();
  if (name === undefined) {
    return outsideOfTests(
      "mcp-vcr/jest",
      "Call it in the test or in beforeEach. What several tests share is opened by mcp-vcr itself, and closed in afterAll.",
    );
  }
  return { file: expect.getState().testPath ?? "", name, after: (over) => tests.add(name, over) };
}

function texts(errors: readonly unknown[]): string {
  return errors.map((error) => (error instanceof Error ? error.message : String(error))).join("\n\n");
}
