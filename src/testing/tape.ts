import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { VcrError } from "../errors.ts";
import { Faults } from "../faults/faults.ts";
import type { FaultPlan } from "../faults/plan.ts";
import { httpCarrierOf, refuseImpossible } from "../faults/suits.ts";
import { jsonOf } from "../protocol/message.ts";
import type { Miss } from "../replay/miss.ts";
import { Player } from "../replay/player.ts";
import type { Carrier, Redaction } from "../replay/playing.ts";
import type { Recording } from "../replay/recording.ts";
import type { Asked, Report } from "../replay/report.ts";
import type { Rules } from "../replay/rules.ts";
import { warn } from "../run/notices.ts";
import { HttpDoors } from "../transport/http-doors.ts";
import type { RunningServer } from "../transport/http-server.ts";
import { fetchFrom } from "../transport/in-process-fetch.ts";
import { type ClientTransport, type JsonRpcMessage, MemoryTransport } from "../transport/memory.ts";
import { SpawnDoor } from "./spawn-door.ts";

export interface TapeOptions {
  /** As the user would name it. */
  readonly file: string;
  readonly recording: Recording;
  readonly strict: boolean | undefined;
  readonly rules: Rules | undefined;
  readonly redact: Redaction | undefined;
  readonly faults: FaultPlan | undefined;
}

/**
 * A cassette in a test: a mock server that clients reach in this process, over HTTP, or by a command they start, and
 * what they said to it. Whichever way they come, each client starts afresh, and all is told here.
 */
export class Tape {
  /** The cassette, as an absolute path. */
  readonly file: string;
  readonly #options: TapeOptions;
  readonly #transports = new Set<MemoryTransport>();
  #player: Player;
  #received: JsonRpcMessage[] = [];
  #doors: HttpDoors | undefined;
  /** Of the connections made until the next reset. */
  #gone = new AbortController();
  #server: Promise<RunningServer> | undefined;
  #running: RunningServer | undefined;
  #spawn: SpawnDoor | undefined;
  #closed = false;

  /** @internal */
  constructor(options: TapeOptions) {
    this.file = resolve(options.file);
    this.#options = options;
    this.#player = this.#newPlayer();
  }

  /** For a client in this process: `await client.connect(tape.transport())`. One for each connection. */
  transport(): ClientTransport {
    this.#mustBeOpen();
    this.#mustShow("memory");
    const transport = new MemoryTransport(this.#player, () => this.#transports.delete(transport));
    this.#transports.add(transport);
    return transport;
  }

  /**
   * For a client that takes a `fetch`: answers as the recorded server did at its path (`/mcp` where it was not recorded
   * over HTTP), whatever the host.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    this.#mustBeOpen();
    this.#mustShow(httpCarrierOf(this.#options.recording));
    return fetchFrom({ door: this.#http, gone: this.#gone.signal }, input, init);
  };

  /**
   * For a client that takes a URL: `new URL(await tape.url)`. The first look begins to listen, on a free port of
   * 127.0.0.1.
   */
  get url(): Promise<string> {
    this.#mustBeOpen();
    this.#mustShow(httpCarrierOf(this.#options.recording));
    this.#server ??= this.#listen();
    return this.#server.then(({ url }) => url);
  }

  /** For a client that starts its server: with `args`, a command that is answered by this tape. */
  get command(): string {
    return this.#spawnDoor().command;
  }

  get args(): string[] {
    return this.#spawnDoor().args;
  }

  /** What clients sent, in the order in which it came. Text that is no JSON-RPC message is not among it. */
  get received(): readonly JsonRpcMessage[] {
    return this.#received;
  }

  /** Requests that no recording answers. Their clients were told, by an error. */
  get misses(): readonly Miss[] {
    return this.#player.tally.misses;
  }

  /** Recorded requests that nobody asked. */
  get unused(): readonly Asked[] {
    return this.report().unused;
  }

  report(): Report {
    return this.#player.report();
  }

  /** As if it had just been opened: connections are closed, and nothing was received. `url` and `args` stay. */
  reset(): void {
    this.#mustBeOpen();
    this.#disconnect();
    this.#player = this.#newPlayer();
  }

  /** Closes all connections and whatever listens. What was received and missed can still be read. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#disconnect();
    const server = await this.#server;
    await Promise.all([server?.close(), this.#spawn?.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new VcrError("usage", `the tape of ${this.#options.file} is closed`);
  }

  /** Faults that cannot be shown where a client is about to come from are told of before it does. */
  #mustShow(carrier: Carrier): void {
    const { faults, recording } = this.#options;
    if (faults) refuseImpossible(faults, { carrier, recording });
  }

  get #http(): HttpDoors {
    // On loopback, where it listens, every name of this machine is its own.
    this.#doors ??= new HttpDoors(this.#player, { ownHosts: [], newSessionId: randomUUID });
    return this.#doors;
  }

  async #listen(): Promise<RunningServer> {
    // Loaded when used: most tests need no server.
    const { startHttpServer } = await import("../transport/http-server.ts");
    const server = await startHttpServer({ host: "127.0.0.1", port: 0 }, () => ({
      path: this.#http.path,
      fetch: (request, from) => this.#http.fetch(request, from),
      disconnected: (connection) => this.#doors?.disconnected(connection),
      close: () => {},
    }));
    // A test that leaves its tape open still ends.
    server.unref();
    this.#running = server;
    return server;
  }

  #spawnDoor(): SpawnDoor {
    this.#mustBeOpen();
    this.#mustShow("stdio");
    this.#spawn ??= new SpawnDoor(() => this.#player);
    return this.#spawn;
  }

  #disconnect(): void {
    for (const transport of [...this.#transports]) void transport.close();
    this.#doors?.close();
    this.#doors = undefined;
    this.#gone.abort(new VcrError("usage", `the tape of ${this.#options.file} was closed or reset`));
    this.#gone = new AbortController();
    this.#running?.disconnect();
    this.#spawn?.disconnect();
  }

  #newPlayer(): Player {
    const { file, recording, strict, rules, redact, faults } = this.#options;
    const received: JsonRpcMessage[] = [];
    this.#received = received;
    return new Player(recording, {
      cassette: file,
      strict,
      rules,
      redact,
      between: faults && new Faults(faults),
      onNotice: warn,
      onReceived: (message) => {
        if (message.kind === "malformed" || message.kind === "batch") return;
        received.push(jsonOf(message) as unknown as JsonRpcMessage);
      },
    });
  }
}
