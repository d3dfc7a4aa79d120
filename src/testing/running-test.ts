import { VcrError } from "../errors.ts";
import { callerOf } from "./options.ts";
import type { Tape } from "./tape.ts";
import { cassetteNameOf, type NamedTest } from "./test-name.ts";
import { type CassetteOptions, openTape } from "./use-cassette.ts";

/** A test that is running, and what its runner lets happen after it. */
export interface RunningTest extends NamedTest {
  /** Runs after the test; what it throws fails the test. */
  after(over: () => Promise<void>): void;
  /** This attempt of the test has failed, and says this sentence. */
  isTold?(sentence: string): boolean;
}

export interface Opening<Opened> {
  /** The test that calls. @throws VcrError `usage` where none can be found */
  readonly test: () => RunningTest;
  /** The function that it called. */
  readonly called: (...args: never[]) => unknown;
  /** @param at where the test calls */
  readonly open: (test: RunningTest, at: string | undefined) => Promise<Opened>;
}

/** Opens a tape for a test. When the test is over, the tape is closed, and fails it if there is a reason. */
export async function openFor<Opened extends Tape>({ test, called, open }: Opening<Opened>): Promise<Opened> {
  const at = callerOf(called);
  try {
    const running = test();
    const opening = open(running, at);
    // Now: where nobody waits for the opening, another test may be running when it is over.
    running.after(() => closeAndCheck(opening, running));
    return await opening;
  } catch (error) {
    throw withHint(error, at);
  }
}

/**
 * Opens a cassette: the test's own, where none is named.
 * @param args name and options, either of which may be left out
 */
export function openCassette(args: readonly unknown[]): Opening<Tape>["open"] {
  const [first, second] = args as readonly [(string | CassetteOptions)?, CassetteOptions?];
  const named = typeof first === "object" ? undefined : first;
  const { options = {} } = { options: typeof first === "object" ? first : second };
  return (test, at) => openTape(named ?? cassetteNameOf(test), options, at);
}

/** Runners show messages and stacks: the hint goes into both, and the stack leads to the test. */
function withHint(error: unknown, at: string | undefined): unknown {
  if (!(error instanceof VcrError)) return error;
  if (error.hint !== undefined) error.message = `${error.message}\n${error.hint}`;
  if (at !== undefined) error.stack = `${error.name}: ${error.message}\n${at}`;
  return error;
}

/** Closes a tape, and fails the test if there is a reason that its failure does not name. @throws VcrError `test-failed` */
async function closeAndCheck(opening: Promise<Tape>, test: RunningTest): Promise<void> {
  // The test was told of one that failed.
  const tape = await opening.catch(() => undefined);
  if (!tape) return;
  await tape.close();
  try {
    tape.check();
  } catch (error) {
    const { sentences } = (error as VcrError).data as { readonly sentences: readonly string[] };
    if (!sentences.every((sentence) => test.isTold?.(sentence))) throw error;
  }
}

/** @throws VcrError `usage` */
export function outsideOfTests(entry: string): never {
  throw new VcrError(
    "usage",
    `what ${entry} opens is closed with the test that opens it, and no test is running`,
    {
      hint: "Open it in the test or in beforeEach. What several tests share is opened by mcp-vcr itself, and closed in afterAll.",
    },
  );
}
