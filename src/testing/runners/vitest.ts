/** `mcp-vcr/vitest`: tapes that end with the test that opens them, and matchers of what they received. */
import { expect, onTestFinished, type TestContext, TestRunner } from "vitest";
import { VcrError } from "../../errors.ts";
import type { ScenarioDocument } from "../../scenario/define-scenario.ts";
import { MATCHERS, type TapeMatchers } from "../expect/matchers.ts";
import type { MockServer } from "../mock/mock-server.ts";
import { type MockOptions, openMock } from "../mock/open-mock.ts";
import { openCassette, openFor, outsideOfTests, type RunningTest } from "../running-test.ts";
import type { Tape } from "../tape.ts";
import type { CassetteOptions } from "../use-cassette.ts";
import { openScenario, type ScenarioOptions } from "../use-scenario.ts";

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
export async function useCassette(...args: readonly unknown[]): Promise<Tape> {
  const { test, rest } = asked(args);
  return openFor({ test, called: useCassette, open: openCassette(rest) });
}

/** Opens a scenario for the running test, as `useCassette` does a cassette. @throws VcrError */
export function useScenario(scenario: string | ScenarioDocument, options?: ScenarioOptions): Promise<Tape>;
export function useScenario(
  context: TestContext,
  scenario: string | ScenarioDocument,
  options?: ScenarioOptions,
): Promise<Tape>;
export async function useScenario(...args: readonly unknown[]): Promise<Tape> {
  const { test, rest } = asked(args);
  const [scenario, options = {}] = rest as [ScenarioDocument, ScenarioOptions?];
  return openFor({ test, called: useScenario, open: (_test, at) => openScenario(scenario, options, at) });
}

/** Opens a server that the running test makes, and closes it when the test is over. @throws VcrError */
export function mockServer(options?: MockOptions): Promise<MockServer>;
export function mockServer(context: TestContext, options?: MockOptions): Promise<MockServer>;
export async function mockServer(...args: readonly unknown[]): Promise<MockServer> {
  const { test, rest } = asked(args);
  const [options = {}] = rest as [MockOptions?];
  return openFor({ test, called: mockServer, open: (_test, at) => openMock(options, at) });
}

/** The test that calls, and the arguments without its context. */
function asked([first, ...others]: readonly unknown[]) {
  return isContext(first)
    ? { test: () => runningTest(first), rest: others }
    : { test: () => runningTest(undefined), rest: [first, ...others] };
}

/** It is a function, as it happens. */
function isContext(value: unknown): value is TestContext {
  if (typeof value !== "object" && typeof value !== "function") return false;
  return value !== null && "task" in value && "onTestFinished" in value;
}

function runningTest(context: TestContext | undefined): RunningTest {
  const task = context?.task ?? TestRunner.getCurrentTest();
  if (!task) {
    return outsideOfTests("mcp-vcr/vitest");
  }
  if (!context && task.concurrent) throw whichTest();
  // Among them are those of its earlier attempts (`retry`, `repeats`), which are not what this one failed with.
  const errors = () => task.result?.errors ?? [];
  const before = errors().length;
  return {
    file: task.file.filepath,
    name: nameOf(task),
    after: context?.onTestFinished ?? onTestFinished,
    isTold: (sentence) =>
      errors()
        .slice(before)
        .some(({ message }) => message?.includes(sentence)),
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
