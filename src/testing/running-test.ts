import { VcrError } from "../errors.ts";
import { callerOf } from "./options.ts";
import type { Tape } from "./tape.ts";
import { cassetteNameOf, type NamedTest } from "./test-name.ts";
import { type CassetteOptions, openTape } from "./use-cassette.ts";

/** A test that is running, and what its runner lets happen after it. */
export interface RunningTest extends NamedTest {
  /** Runs after the test; what it throws fails the test. */
  after(over: () => Promise<void>): void;
  /** The test has failed, and says this sentence. */
  isTold?(sentence: string): boolean;
}

/** The cassette's name, where it is given, and the options. */
export type CassetteArguments =
  | readonly [name?: string | undefined, options?: CassetteOptions | undefined]
  | readonly [options: CassetteOptions];

/**
 * Opens a cassette for a test that is running, under the test's own name where none is given. When the test is over, the
 * tape is closed, and fails it if there is a reason.
 * @param opening the function that the test called
 */
export async function openFor(
  test: RunningTest,
  [first, second]: CassetteArguments,
  opening: (...args: never[]) => unknown,
): Promise<Tape> {
  const opened = callerOf(opening);
  const named = typeof first === "object" ? undefined : first;
  const options = (typeof first === "object" ? first : second) ?? {};
  const tape = await openTape(named ?? cassetteNameOf(test), options, opened);
  test.after(() => closeAndCheck(tape, test));
  return tape;
}

/** Closes a tape, and fails the test if there is a reason that its failure does not name. @throws VcrError `test-failed` */
async function closeAndCheck(tape: Tape, test: RunningTest): Promise<void> {
  await tape.close();
  try {
    tape.check();
  } catch (error) {
    const { sentences } = (error as VcrError).data as { readonly sentences: readonly string[] };
    if (!sentences.every((sentence) => test.isTold?.(sentence))) throw error;
  }
}

/** @throws VcrError `usage` */
export function outsideOfTests(entry: string, hint: string): never {
  throw new VcrError(
    "usage",
    `what ${entry} opens is closed with the test that opens it, and no test is running`,
    {
      hint,
    },
  );
}
