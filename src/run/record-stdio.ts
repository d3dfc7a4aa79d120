import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Side } from "../protocol/message.ts";
import { LineFramer } from "../wire/line-framer.ts";
import type { Room } from "../wire/room.ts";
import type { Tape } from "./recorder.ts";

/** How the recorded server ended. */
export interface ServerEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The recording side of a stdio session: takes the bytes after they were passed on. */
export class StdioTap {
  readonly #recorder: Tape;
  readonly #client: SideTap;
  readonly #server: SideTap;

  /** @param room where lines over several chunks are joined; for a tape that keeps none of them */
  constructor(recorder: Tape, room?: Room) {
    this.#recorder = recorder;
    this.#client = new SideTap(recorder, "client", room);
    this.#server = new SideTap(recorder, "server", room);
  }

  bytes(side: Side, chunk: Uint8Array): void {
    (side === "client" ? this.#client : this.#server).bytes(chunk);
  }

  clientEnded(): void {
    this.#client.end();
    this.#recorder.add({ from: "client", session: 1, closed: { reason: "eof" } });
  }

  serverEnded({ code, signal }: ServerEnd): void {
    this.#server.end();
    const closed = signal === null ? { exit: code ?? 0 } : { signal };
    this.#recorder.add({ from: "server", session: 1, closed });
  }
}

/** What one side says. */
class SideTap {
  readonly #recorder: Tape;
  readonly #framer: LineFramer;
  readonly #put: (line: Uint8Array) => void;

  constructor(recorder: Tape, from: Side, room: Room | undefined) {
    this.#recorder = recorder;
    this.#framer = new LineFramer({ room });
    this.#put = (raw) => recorder.put({ from, session: 1, raw });
  }

  bytes(chunk: Uint8Array): void {
    this.#framer.push(chunk, this.#put);
    this.#recorder.flush();
  }

  end(): void {
    this.#framer.end(this.#put);
  }
}

/** The client's side of a stdio session: this process's own stdin and stdout, or a client in this process. */
export interface OwnStdio {
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** A child whose stdin and stdout are pipes of ours. */
export type PipedChild = ChildProcess & {
  readonly stdin: NonNullable<ChildProcess["stdin"]>;
  readonly stdout: NonNullable<ChildProcess["stdout"]>;
};

/**
 * Passes bytes between client and server as they come, both ways, and shows each chunk to the tap once it is on its
 * way. Resolves when the server has ended and everything it wrote was passed on.
 */
export function relayStdio(own: OwnStdio, child: PipedChild, tap: StdioTap): Promise<ServerEnd> {
  passClientToServer(own, child, tap);
  passServerToClient(own, child, tap);
  return new Promise((resolve) => {
    child.once("close", (code: number | null, signal: NodeJS.Signals | null) => {
      const end = { code, signal };
      own.stdin.destroy();
      tap.serverEnded(end);
      // The last bytes may still wait for a slow client; a client that is gone makes this fail, which ends it too.
      own.stdout.write("", () => resolve(end));
    });
  });
}

function passClientToServer({ stdin }: OwnStdio, child: PipedChild, tap: StdioTap): void {
  stdin.on("data", (chunk: Buffer) => {
    if (!child.stdin.write(chunk)) {
      stdin.pause();
      child.stdin.once("drain", () => stdin.resume());
    }
    tap.bytes("client", chunk);
  });
  stdin.once("end", () => {
    child.stdin.end();
    tap.clientEnded();
  });
  stdin.on("error", () => child.stdin.end());
  // A server that closes its stdin: the client is to see a closed pipe, as it would without us.
  child.stdin.on("error", () => stdin.destroy());
}

function passServerToClient({ stdout }: OwnStdio, child: PipedChild, tap: StdioTap): void {
  child.stdout.on("data", (chunk: Buffer) => {
    if (!stdout.write(chunk)) {
      child.stdout.pause();
      stdout.once("drain", () => child.stdout.resume());
    }
    tap.bytes("server", chunk);
  });
  // A client that is gone: the server is to meet a closed pipe, as it would without us.
  stdout.on("error", () => child.stdout.destroy());
}
