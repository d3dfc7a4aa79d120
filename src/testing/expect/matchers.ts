import { VcrError } from "../../errors.ts";
import { type Finding, findMisses, findReceived, type Heard } from "./received.ts";
import { called, checkedTimes, checkedWanted } from "./wanted.ts";

/** What the matchers add to `expect(tape)`. */
export interface TapeMatchers<Result> {
  /**
   * A client sent this request or notification. Of `params` only what is named matters: `{ name: "forecast" }`.
   */
  toHaveReceived(method: string, params?: object): Result;
  /** A client sent it exactly so often. */
  toHaveReceivedTimes(method: string, times: number, params?: object): Result;
  /** All that was asked has been answered. */
  toHaveNoMisses(): Result;
}

/** As both vitest and jest take it. */
interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

type Matcher<Name extends keyof TapeMatchers<void>> = (
  tape: unknown,
  ...args: Parameters<TapeMatchers<void>[Name]>
) => MatcherResult;

/** For `expect.extend`. */
export const MATCHERS: { readonly [Name in keyof TapeMatchers<void>]: Matcher<Name> } = {
  toHaveReceived: (tape, method, params) =>
    result(findReceived(heardOf(tape), checkedWanted("toHaveReceived", method, params))),
  toHaveReceivedTimes: (tape, method, times, params) => {
    const often = checkedTimes("toHaveReceivedTimes", times);
    return result(findReceived(heardOf(tape), checkedWanted("toHaveReceivedTimes", method, params), often));
  },
  toHaveNoMisses: (tape) => result(findMisses(heardOf(tape))),
};

function result({ message, ...finding }: Finding): MatcherResult {
  return { ...finding, message: () => message };
}

/** @throws VcrError `usage` for what is no tape */
export function heardOf(tape: unknown): Heard {
  const members = typeof tape === "object" && tape !== null ? (tape as Partial<Heard>) : {};
  if (Array.isArray(members.received) && Array.isArray(members.explanations)) return members as Heard;
  throw new VcrError("usage", `a tape was expected, not ${called(tape)}`, {
    hint: "Give it what useCassette, useScenario or mockServer opened, awaited.",
  });
}
