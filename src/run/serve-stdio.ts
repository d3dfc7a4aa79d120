import type { Readable, Writable } from "node:stream";
import { clearTimeout, setImmediate, setTimeout } from "node:timers";
import { type Message, readMessage } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Player } from "../replay/player.ts";
import type { ClientSession } from "../replay/playing.ts";
import type { Recording } from "../replay/recording.ts";
import { LinesOut } from "../transport/lines-out.ts";
import { Timers } from "../transport/timer.ts";
import { LineFramer } from "../wire/line-framer.ts";
import { singleLine } from "../wire/single-line.ts";

/** A client's side of a connection over lines: this process's own stdin and stdout, say. */
export interface ClientLines {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** How a served stdio session ended: the client closed its side, or the recorded server died. */
export interface StdioEnd {
  readonly exit: number | undefined;
}

/** Milliseconds that a real server has to answer once the client has said its last. */
const PATIENCE = 10_000;
/** A slow client is not read from while so many bytes wait for it. */
const HIGH_WATER = 1024 * 1024;

/**
 * Serves one client on its lines. Resolves when the client's side has ended or `asked` has, and
 * what was to be sent is sent.
 * @throws VcrError when the cassette turns out to be broken further on
 */
export function serveStdio(own: ClientLines, player: Player, asked: Promise<void>): Promise<StdioEnd> {
  return new Promise((resolve, reject) => {
    let ended = false;
    const end = (settle: () => void) => {
      if (ended) return;
      ended = true;
      door.close();
      own.stdin.destroy();
      own.stdout.write("", settle);
    };
    const finish = (exit?: number) => end(() => resolve({ exit }));
    const reading: Reading = (step) => {
      try {
        return step();
      } catch (error) {
        end(() => reject(error));
        return false;
      }
    };
    const door = new StdioDoor(player, own.stdout, finish);
    receiveLines(own, door, reading);
    own.stdin.once("data", () => readAhead(player.recording, reading));
    const over = () => {
      if (reading(() => readToEnd(player.recording))) void answered(player).then(() => finish());
    };
    own.stdin.once("end", over);
    own.stdin.once("error", () => finish());
    // Its end may have come before there was anybody to see it.
    if (own.stdin.destroyed) over();
    own.stdout.on("error", () => finish());
    void asked.then(() => {
      player.end();
      finish();
    });
  });
}

/** Reading so many bytes keeps nobody waiting who closed the connection. */
const SOON_READ = 512 * 1024;

/** A cassette that is broken somewhere does not pass for a good one because its client asked for little. */
function readToEnd(recording: Recording): boolean {
  if (recording.size <= SOON_READ) recording.readAll();
  return true;
}

/** What the real server was asked it may still answer, in good time. */
async function answered(player: Player): Promise<void> {
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timeout = setTimeout(resolve, PATIENCE);
  });
  await Promise.race([player.settled(), late]);
  clearTimeout(timeout);
}

/** Runs a step that may read on in the cassette, and finds it broken; false then. */
type Reading = (step: () => boolean) => boolean;

function receiveLines({ stdin, stdout }: ClientLines, door: StdioDoor, reading: Reading): void {
  const framer = new LineFramer();
  const onLine = (line: Uint8Array) => door.receive(readMessage(line));
  stdin.on("data", (chunk: Buffer) => {
    door.hold();
    const goesOn = reading(() => {
      framer.push(chunk, onLine);
      return true;
    });
    if (door.flush() || !goesOn) return;
    stdin.pause();
    stdout.once("drain", () => stdin.resume());
  });
  stdin.once("end", () => {
    reading(() => {
      framer.end(onLine);
      door.end();
      return true;
    });
  });
}

/** Indexes a long recording between a client's messages, so that its second one finds most of the work done. */
function readAhead(recording: Recording, reading: Reading): void {
  const next = () => {
    if (reading(() => recording.advance())) setImmediate(next);
  };
  setImmediate(next);
}

/** One client on a stream of lines. */
class StdioDoor {
  readonly #session: ClientSession;
  readonly #out: LinesOut;
  readonly #onCrash: (exit: number) => void;
  readonly #timers = new Timers();
  #held = false;

  constructor(player: Player, out: Writable, onCrash: (exit: number) => void) {
    const act = (action: Action) => this.#act(action);
    this.#out = new LinesOut(out);
    this.#session = player.connect({
      ...this.#timers.ofDoor,
      carrier: "stdio",
      carriesStatus: false,
      act,
      roomFor: (length) => this.#out.roomFor(length),
    });
    this.#onCrash = onCrash;
  }

  receive(message: Message): void {
    this.#session.receive(message);
  }

  /** Gathers what is to be written until `flush`: the answers to all that came in one chunk are one write. */
  hold(): void {
    this.#held = true;
  }

  /** The client has said its last: it gets at once what still waits for its time. */
  end(): void {
    this.#session.flush();
  }

  /** Nothing more comes, but for what is written already. */
  close(): void {
    this.#session.close();
    this.#timers.close();
    this.flush();
  }

  /** Writes what has gathered; false when the client should be left to read first. */
  flush(): boolean {
    this.#held = false;
    this.#out.flush();
    return this.#out.waiting < HIGH_WATER;
  }

  #act(action: Action): void {
    switch (action.type) {
      case "send":
      case "outcome":
        this.#out.line("isLine" in action ? action.bytes : singleLine(action.bytes));
        if (!this.#held) this.flush();
        return;
      case "part":
        if (action.last) this.#out.line(action.bytes);
        else this.#out.part(action.bytes);
        if (!this.#held) this.flush();
        return;
      case "status":
      case "event":
      case "forget":
        // Facts of HTTP alone.
        return;
      case "end":
        // There is no stream of its own to end, so the client is still there.
        if (action.on !== undefined) this.#session.resume(action.on);
        return;
      case "crash":
        this.#onCrash(action.closed.exit ?? 1);
    }
  }
}
