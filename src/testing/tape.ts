import { randomUUID } from "node:crypto";
import { httpCarrierOf } from "../faults/suits.ts";
import { warn } from "../run/notices.ts";
import type { RequestRecording, Send } from "../run/request-recording.ts";
import type { RunningServer } from "../transport/http-server.ts";
import { InProcessTape, type TapeOptions } from "./in-process-tape.ts";
import type { Play } from "./play.ts";
import { SpawnDoor } from "./spawn-door.ts";

/**
 * A recorded or written server in a test: a mock that clients reach in this process, over HTTP, or by a command they
 * start, and what they said to it. Whichever way they come, each client starts afresh, and all is told here.
 */
export class Tape extends InProcessTape {
  #server: Promise<RunningServer> | undefined;
  #listening: RunningServer | undefined;
  #spawn: SpawnDoor | undefined;

  /** @internal */
  constructor(play: Play, options: TapeOptions) {
    super(play, options, { onNotice: warn, newSessionId: randomUUID });
  }

  /**
   * @internal For handlers that stand before the real server: what this tape asks of it is sent past them. Returns what
   * answers in its place while there is nothing to play.
   */
  passing(send: Send): RequestRecording | undefined {
    this.mustBeOpen();
    this.running();
    return this.play.passing?.(send, (message) => {
      this.running();
      this.hear(message);
    });
  }

  /**
   * For a client that takes a URL: `new URL(await tape.url)`. The first look begins to listen, on a free port of
   * 127.0.0.1. It stays when the tape is reset.
   */
  get url(): Promise<string> {
    this.mustShow(httpCarrierOf(this.play.recording));
    this.#server ??= this.#listen();
    return this.#server.then(({ url }) => url);
  }

  /** For a client that starts its server: with `args`, a command that is answered by this tape. */
  get command(): string {
    return this.#spawnDoor().command;
  }

  /** They stay when the tape is reset. */
  get args(): string[] {
    return this.#spawnDoor().args;
  }

  /** Closes all connections and whatever listens. What was received and missed can still be read. */
  override async close(): Promise<void> {
    if (this.closed) return;
    const closing = super.close();
    const server = await this.#server;
    await Promise.all([closing, server?.close(), this.#spawn?.close()]);
  }

  async #listen(): Promise<RunningServer> {
    // Loaded when used: most tests need no server.
    const { startHttpServer } = await import("../transport/http-server.ts");
    const server = await startHttpServer({ host: "127.0.0.1", port: 0 }, () => ({
      path: this.http().path,
      answer: (asked) => this.http().answer(asked),
      disconnected: (connection) => this.disconnected(connection),
      close: () => {},
    }));
    // A test that leaves its tape open still ends.
    server.unref();
    this.#listening = server;
    return server;
  }

  #spawnDoor(): SpawnDoor {
    this.mustShow("stdio");
    this.#spawn ??= new SpawnDoor(() => this.running().player);
    return this.#spawn;
  }

  /** @internal */
  protected override disconnect(): void {
    super.disconnect();
    this.#listening?.disconnect();
    this.#spawn?.disconnect();
  }
}
