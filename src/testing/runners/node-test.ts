/** `mcp-vcr/node-test`: tapes that end with the test that opens them, and assertions of what they received. */
import { AssertionError } from "node:assert";
import { VcrError } from "../../errors.ts";
import type { ScenarioDocument } from "../../scenario/define-scenario.ts";
import { heardOf } from "../expect/matchers.ts";
import { type Finding, findMisses, findReceived } from "../expect/received.ts";
import { checkedTimes, checkedWanted } from "../expect/wanted.ts";
import type { MockServer } from "../mock/mock-server.ts";
import { type MockOptions, openMock } from "../mock/open-mock.ts";
import { openCassette, openFor, type RunningTest } from "../running-test.ts";
import type { Tape } from "../tape.ts";
import type { CassetteOptions } from "../use-cassette.ts";
import { openScenario, type ScenarioOptions } from "../use-scenario.ts";

/** What is needed of the context that `node:test` hands to a test. */
export interface TestContextLike {
  readonly name: string;
  readonly fullName?: string;
  readonly filePath?: string | undefined;
  /** Why the test has failed already. */
  readonly error?: unknown;
  after(over: () => Promise<void>): void;
  diagnostic(message: string): void;
}

/**
 * Opens a cassette for a test, as `useCassette` of `mcp-vcr` does, and closes it when the test is over. A request that was
 * not recorded fails the test.
 *
 * @param t the test's context
 * @param nameOrFile the cassette's; the test's own where it is left out, see docs/testing.md
 * @throws VcrError as `useCassette` of `mcp-vcr`
 */
export function useCassette(
  t: TestContextLike,
  nameOrFile?: string,
  options?: CassetteOptions,
): Promise<Tape>;
export function useCassette(t: TestContextLike, options: CassetteOptions): Promise<Tape>;
export async function useCassette(t: TestContextLike, ...args: readonly unknown[]): Promise<Tape> {
  return openFor({ test: () => runningTest(t), called: useCassette, open: openCassette(args) });
}

/** Opens a scenario for a test, as `useCassette` does a cassette. @throws VcrError */
export async function useScenario(
  t: TestContextLike,
  scenario: string | ScenarioDocument,
  options: ScenarioOptions = {},
): Promise<Tape> {
  return openFor({
    test: () => runningTest(t),
    called: useScenario,
    open: (_test, at) => openScenario(scenario, options, at),
  });
}

/** Opens a server that a test makes, and closes it when the test is over. @throws VcrError */
export async function mockServer(t: TestContextLike, options: MockOptions = {}): Promise<MockServer> {
  return openFor({
    test: () => runningTest(t),
    called: mockServer,
    open: (_test, at) => openMock(options, at),
  });
}

/** A client sent this request or notification. Of `params` only what is named matters. @throws AssertionError */
export function assertReceived(tape: Tape, method: string, params?: object): void {
  assertFinding(findReceived(heardOf(tape), checkedWanted("assertReceived", method, params)), assertReceived);
}

/** A client sent it exactly so often. @throws AssertionError */
export function assertReceivedTimes(tape: Tape, method: string, times: number, params?: object): void {
  const often = checkedTimes("assertReceivedTimes", times);
  const wanted = checkedWanted("assertReceivedTimes", method, params);
  assertFinding(findReceived(heardOf(tape), wanted, often), assertReceivedTimes);
}

/** All that was asked has been answered. @throws AssertionError */
export function assertNoMisses(tape: Tape): void {
  assertFinding(findMisses(heardOf(tape)), assertNoMisses);
}

function assertFinding({ pass, message, ...sides }: Finding, stackStartFn: (...args: never[]) => void): void {
  if (!pass) throw new AssertionError({ message, operator: stackStartFn.name, stackStartFn, ...sides });
}

function runningTest(t: unknown): RunningTest {
  if (!isContext(t)) {
    throw new VcrError("usage", "mcp-vcr/node-test needs the test's context", {
      hint: 'Hand it over: test("…", async (t) => { const tape = await useCassette(t, "weather"); }).',
    });
  }
  return {
    // Before Node 22 the context does not tell; there, every file is a process of its own.
    file: t.filePath ?? process.argv[1] ?? "",
    name: (t.fullName ?? t.name).replaceAll(" > ", " "),
    // node:test passes over what fails after a test that has failed.
    after: (over) => t.after(() => over().catch((error: unknown) => failed(t, error))),
    isTold: (sentence) => textOf(t.error).includes(sentence),
  };
}

function failed(t: TestContextLike, error: unknown): never {
  if (t.error) t.diagnostic(error instanceof Error ? error.message : String(error));
  throw error;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n${textOf(error.cause)}`;
}

function isContext(t: unknown): t is TestContextLike {
  return typeof t === "object" && t !== null && "after" in t && "diagnostic" in t;
}
