/** `mcp-vcr/vitest`: tapes that end with the test that opens them, and matchers of what they received. */
import { expect, onTestFinished, type TestContext, TestRunner } from "vitest";
import { VcrError } from "../../errors.ts";
import { MATCHERS, type TapeMatchers } from "../expect/matchers.ts";
import { type CassetteArguments, openFor, outsideOfTests, type RunningTest } from "../running-test.ts";
import type { Tape } from "../tape.ts";
import type { CassetteOptions } from "../use-cassette.ts";

declare module "vitest" {
  interface Matchers<T> extends TapeMatchers<void> {}
}

expect.extend(MATCHERS);

type Task = NonNullable<ReturnType<typeof TestRunner.getCurrentTest>>;

/**
 * Opens a cassette for the running test, as `useCassette` of `mcp-vcr` does, and closes it when the test is over. A request
 * that was not recorded fails the test.
 *
 * @param nameOrFile the cassette's; the test's own where it is left out, see docs/testing.md
 * @throws VcrError as `useCassette` of `mcp-vcr`; `usage` where no test is running
 */
export function useCassette(nameOrFile?: string, options?: CassetteOptions): Promise<Tape>;
export function useCassette(options: CassetteOptions): Promise<Tape>;
/** For tests that run concurrently: the test's context tells which one it is. */
export function useCassette(
  context: TestContext,
  nameOrFile?: string,
  options?: CassetteOptions,
): Promise<Tape>;
export function useCassette(context: TestContext, options: CassetteOptions): Promise<Tape>;
export async function useCassette(
  first?: TestContext | string | CassetteOptions,
  ...rest: readonly unknown[]
): Promise<Tape> {
  const context = isContext(first) ? first : undefined;
  const args = (context ? rest : [first, ...rest]) as unknown as CassetteArguments;
  return openFor(runningTest(context), args, useCassette);
}

function isContext(value: unknown): value is TestContext {
  return typeof value === "object" && value !== null && "task" in value && "onTestFinished" in value;
}

function runningTest(context: TestContext | undefined): RunningTest {
  const task = context?.task ?? TestRunner.getCurrentTest();
  if (!task) {
    return outsideOfTests(
      "mcp-vcr/vitest",
      "Call it in the test or in beforeEach. What several tests share is opened by mcp-vcr itself, and closed in afterAll.",
    );
  }
  if (!context && task.concurrent) throw whichTest();
  return {
    file: task.file.filepath,
    name: nameOf(task),
    after: context?.onTestFinished ?? onTestFinished,
    isTold: (sentence) => (task.result?.errors ?? []).some(({ message }) => message.includes(sentence)),
  };
}

function whichTest(): VcrError {
  return new VcrError("usage", "of tests that run concurrently it cannot be told which one opens a tape", {
    hint: 'Hand over the context: test.concurrent("…", async (context) => { const tape = await useCassette(context, "weather"); }).',
  });
}

function nameOf(task: Task): string {
  const names = [task.name];
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return names.join(" ");
}
