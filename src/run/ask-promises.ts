import type { RecordedEntries } from "../drift/side.ts";
import { discovery, EVERYTHING, type Inquiry, NOBODY } from "../drive/discovery.ts";
import { Ended } from "../drive/move.ts";
import { DEFAULT_TIMEOUT } from "../drive/step.ts";
import { VcrError } from "../errors.ts";
import type { Source } from "../exchange/entry.ts";
import type { Era } from "../protocol/revisions.ts";
import { VERSION } from "../version.ts";
import { driveHttp } from "./drive-http.ts";
import { type Prepare, runOf } from "./drive-run.ts";
import { driveStdio } from "./drive-stdio.ts";
import { LiveTape } from "./live-tape.ts";
import { headerOf } from "./record-session.ts";
import type { Tape } from "./recorder.ts";
import { openRedactor } from "./redaction.ts";
import { StderrTail } from "./stderr-tail.ts";

/** Makes a connection for a client, over which everything is recorded, and resolves when it is over. */
export type Connect = (tape: Tape, prepare: Prepare<void>) => Promise<void>;

/**
 * Asks a server what it promises, in each of some eras on a connection of its own.
 * @throws VcrError `server-failed` when it cannot be opened in any
 */
export async function askPromises(
  source: Source,
  connect: Connect,
  { eras, capabilities, version }: Inquiry,
): Promise<RecordedEntries> {
  const redactor = openRedactor();
  const tape = new LiveTape(headerOf(source, redactor, []), redactor, { now: () => Date.now() });
  const client = { info: { name: "mcp-vcr", version: VERSION }, capabilities };
  let opened = 0;
  const onOpened = () => opened++;
  const open =
    (era: Era): Prepare<void> =>
    (door, act) =>
      runOf({
        course: discovery({ era, client, version, door, timeout: DEFAULT_TIMEOUT, onOpened }),
        client,
        answers: NOBODY,
        door,
        act,
        onNote: () => {},
      });
  let failure: unknown;
  // What opens in none of the eras that were asked for is asked in the others: its lists say more than nothing.
  for (const era of [...eras, ...EVERYTHING.eras.filter((each) => !eras.includes(each))]) {
    if (opened > 0 && !eras.includes(era)) break;
    const before = opened;
    try {
      await connect(tape.connect(), open(era));
    } catch (error) {
      // One that does not open in an era says something by that.
      if (!isRefusal(error) || opened > before) throw error;
      failure = error;
    }
  }
  if (tape.failure !== undefined) throw tape.failure;
  if (opened === 0 && !tape.heard) throw failure;
  return tape;
}

function isRefusal(error: unknown): boolean {
  return error instanceof VcrError && error.code === "server-failed";
}

/** A real server. @throws VcrError `server-failed` when it cannot be started, or ends too early */
export function connectTo(source: Source, headers: Readonly<Record<string, string>>): Connect {
  return async (tape, prepare) => {
    const stderr = new StderrTail();
    try {
      if (source.transport === "stdio") {
        await driveStdio({ command: source.command, onStderr: stderr.add }, tape, prepare);
      } else await driveHttp({ url: source.url, headers }, tape, prepare);
    } catch (error) {
      if (!(error instanceof Ended)) throw error;
      throw new VcrError("server-failed", `${error.message}, before all was asked`, { hint: stderr.hint });
    }
  };
}
