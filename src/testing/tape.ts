import { randomUUID } from "node:crypto";
import { VcrError } from "../errors.ts";
import { httpCarrierOf, refuseImpossible } from "../faults/suits.ts";
import { jsonOf } from "../protocol/message.ts";
import type { Miss } from "../replay/miss.ts";
import type { Carrier } from "../replay/playing.ts";
import type { Asked, Report } from "../replay/report.ts";
import { warn } from "../run/notices.ts";
import type { RequestRecording, Send } from "../run/request-recording.ts";
import { HttpDoors, pathsOf } from "../transport/http-doors.ts";
import type { RunningServer } from "../transport/http-server.ts";
import { fetchFrom } from "../transport/in-process-fetch.ts";
import { type ClientTransport, type JsonRpcMessage, MemoryTransport } from "../transport/memory.ts";
import type { Listening, Play, Run } from "./play.ts";
import { SpawnDoor } from "./spawn-door.ts";
import { failureOf, type Verdicts } from "./verdict.ts";

type Hear = NonNullable<Listening["onReceived"]>;

export interface TapeOptions extends Verdicts {
  /** Where in the test it was opened: lines of a stack. */
  readonly opened: string | undefined;
}

/**
 * A recorded or written server in a test: a mock that clients reach in this process, over HTTP, or by a command they
 * start, and what they said to it. Whichever way they come, each client starts afresh, and all is told here.
 */
export class Tape {
  /** The cassette or scenario, as an absolute path. Of what no file holds, how messages call it. */
  readonly file: string;
  /** As messages call it. */
  readonly name: string;
  readonly #play: Play;
  readonly #verdicts: Verdicts;
  /** Where in the test it was opened. */
  readonly #opened: string | undefined;
  readonly #transports = new Set<MemoryTransport>();
  #run: Run | undefined;
  #received: readonly JsonRpcMessage[] = [];
  /** Adds to what was received. */
  #heard: Hear = () => undefined;
  #explanations: readonly string[] = [];
  #doors: HttpDoors | undefined;
  /** Of the connections made until the next reset. */
  #gone = new AbortController();
  #server: Promise<RunningServer> | undefined;
  #listening: RunningServer | undefined;
  #spawn: SpawnDoor | undefined;
  #closed = false;

  /** @internal */
  constructor(play: Play, { opened, ...verdicts }: TapeOptions) {
    this.file = play.file;
    this.name = play.name;
    this.#play = play;
    this.#verdicts = verdicts;
    this.#opened = opened;
  }

  /** For a client in this process: `await client.connect(tape.transport())`. One for each connection. */
  transport(): ClientTransport {
    this.#mustBeOpen();
    this.#mustShow("memory");
    const { player } = this.#running();
    const transport = new MemoryTransport(player, () => this.#transports.delete(transport));
    this.#transports.add(transport);
    return transport;
  }

  /**
   * For a client that takes a `fetch`: answers as the recorded server did at its path (`/mcp` where it was not recorded
   * over HTTP), whatever the host.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    this.#mustBeOpen();
    this.#mustShow(httpCarrierOf(this.#play.recording));
    return fetchFrom({ door: this.#http, gone: this.#gone.signal }, input, init);
  };

  /** Where `fetch` and `url` answer: the path of the MCP endpoint, and others that the recorded server had. */
  get paths(): readonly string[] {
    return pathsOf(this.#play.recording);
  }

  /**
   * @internal For handlers that stand before the real server: what this tape asks of it is sent past them. Returns what
   * answers in its place while there is nothing to play.
   */
  passing(send: Send): RequestRecording | undefined {
    this.#mustBeOpen();
    this.#running();
    return this.#play.passing?.(send, (message) => {
      this.#running();
      this.#heard(message);
    });
  }

  /**
   * For a client that takes a URL: `new URL(await tape.url)`. The first look begins to listen, on a free port of
   * 127.0.0.1.
   */
  get url(): Promise<string> {
    this.#mustBeOpen();
    this.#mustShow(httpCarrierOf(this.#play.recording));
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

  /** Requests that nothing recorded or written answers. Their clients were told, by an error. */
  get misses(): readonly Miss[] {
    return this.#run?.player.tally.misses ?? [];
  }

  /** The same as sentences, with what is nearest and how to mend it. */
  get explanations(): readonly string[] {
    return this.#explanations;
  }

  /** What is recorded, or written, and nobody asked. */
  get unused(): readonly Asked[] {
    return this.report().unused;
  }

  report(): Report {
    return this.#running().player.report();
  }

  /**
   * Fails a test that is to fail: for misses, and for whatever else its options name. The entries for test runners call it
   * when the test is over.
   * @throws VcrError `test-failed`, with all that is to be said
   */
  check(): void {
    const failure = failureOf(
      {
        name: this.name,
        misses: this.#explanations,
        problems: this.#run?.problems() ?? [],
        report: () => this.report(),
        strict: this.#play.strict,
        remedy: this.#play.remedy,
      },
      this.#verdicts,
      this.#opened,
    );
    if (failure) throw failure;
  }

  /** As if it had just been opened: connections are closed, and nothing was received. `url` and `args` stay. */
  reset(): void {
    this.#mustBeOpen();
    this.#disconnect();
    this.#run = undefined;
    this.#received = [];
    this.#explanations = [];
  }

  /** Closes all connections and whatever listens. What was received and missed can still be read. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#disconnect();
    const server = await this.#server;
    await Promise.all([server?.close(), this.#spawn?.close()]);
    await this.#play.close(this.#run);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new VcrError("usage", `the tape of ${this.name} is closed`);
  }

  /** Faults that cannot be shown where a client is about to come from are told of before it does. */
  #mustShow(carrier: Carrier): void {
    const { faults, recording } = this.#play;
    if (faults) refuseImpossible(faults, { carrier, recording });
  }

  get #http(): HttpDoors {
    // On loopback, where it listens, every name of this machine is its own.
    this.#doors ??= new HttpDoors(this.#running().player, { ownHosts: [], newSessionId: randomUUID });
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
    this.#listening = server;
    return server;
  }

  #spawnDoor(): SpawnDoor {
    this.#mustBeOpen();
    this.#mustShow("stdio");
    this.#spawn ??= new SpawnDoor(() => this.#running().player);
    return this.#spawn;
  }

  #disconnect(): void {
    for (const transport of [...this.#transports]) void transport.close();
    this.#doors?.close();
    this.#doors = undefined;
    this.#gone.abort(new VcrError("usage", `the tape of ${this.name} was closed or reset`));
    this.#gone = new AbortController();
    this.#listening?.disconnect();
    this.#spawn?.disconnect();
    this.#run?.end();
  }

  /** Begun when it is first needed. */
  #running(): Run {
    if (this.#run) return this.#run;
    const received: JsonRpcMessage[] = [];
    const explanations: string[] = [];
    this.#heard = (message) => {
      if (message.kind === "malformed" || message.kind === "batch") return;
      received.push(jsonOf(message) as unknown as JsonRpcMessage);
    };
    this.#run = this.#play.begin({
      onNotice: warn,
      onReceived: this.#heard,
      onMiss: (_miss, explanation) => explanations.push(explanation),
    });
    this.#received = received;
    this.#explanations = explanations;
    return this.#run;
  }
}
