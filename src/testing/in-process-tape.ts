import { VcrError } from "../errors.ts";
import { httpCarrierOf, refuseImpossible } from "../faults/suits.ts";
import { jsonOf, type Message, readMessage } from "../protocol/message.ts";
import type { Miss } from "../replay/miss.ts";
import type { Carrier, Redaction } from "../replay/playing.ts";
import type { Asked, Report } from "../replay/report.ts";
import { turnedAwayNotice } from "../replay/summary.ts";
import { HttpDoors, pathsOf } from "../transport/http-doors.ts";
import { fetchFrom } from "../transport/in-process-fetch.ts";
import { type ClientTransport, type JsonRpcMessage, MemoryTransport } from "../transport/memory.ts";
import type { Heard } from "./expect/received.ts";
import type { Play, Run } from "./play.ts";
import { failureOf, type Verdicts } from "./verdict.ts";

export interface TapeOptions extends Verdicts {
  /** Where in the test it was opened: lines of a stack. */
  readonly opened: string | undefined;
}

/** What a tape is told by, and makes sessions with. */
export interface Surroundings {
  readonly onNotice: (notice: string) => void;
  /** Fresh, unguessable. */
  readonly newSessionId: () => string;
}

const NO_MESSAGE = "What is no JSON-RPC message was refused by an error.";

interface Trial {
  readonly run: Run;
  /** Of its misses. */
  readonly explanations: readonly string[];
}

/**
 * A recorded or written server as far as clients reach it within this process, in Node or in a browser, and what they
 * said to it. Each client starts afresh, and all is told here.
 */
export class InProcessTape {
  /** The cassette or scenario, as an absolute path. Of what no file holds, how messages call it. */
  readonly file: string;
  /** As messages call it. */
  readonly name: string;
  /** @internal */
  protected readonly play: Play;
  /** @internal */
  protected closed = false;
  readonly #surroundings: Surroundings;
  readonly #verdicts: Verdicts;
  /** Where in the test it was opened. */
  readonly #opened: string | undefined;
  readonly #transports = new Set<MemoryTransport>();
  #run: Run | undefined;
  /** Those that ended with a reset: what went wrong in them did, and may still, while answers are under way. */
  readonly #before: Trial[] = [];
  #received: JsonRpcMessage[] = [];
  #explanations: readonly string[] = [];
  /** What clients sent that no server takes, in whichever run. */
  readonly #refused: string[] = [];
  #doors: HttpDoors | undefined;
  /** Of the connections made until the next reset. */
  #gone = new AbortController();

  /** @internal */
  constructor(play: Play, { opened, ...verdicts }: TapeOptions, surroundings: Surroundings) {
    this.file = play.file;
    this.name = play.name;
    this.play = play;
    this.#verdicts = verdicts;
    this.#opened = opened;
    this.#surroundings = surroundings;
  }

  /** For a client in this process: `await client.connect(tape.transport())`. One for each connection. */
  transport(): ClientTransport {
    this.mustShow("memory");
    const { player } = this.running();
    const transport = new MemoryTransport(player, () => this.#transports.delete(transport));
    this.#transports.add(transport);
    return transport;
  }

  /**
   * For a client that takes a `fetch`: answers as the recorded server did at its path (`/mcp` where it was not recorded
   * over HTTP), whatever the host.
   */
  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    this.mustShow(httpCarrierOf(this.play.recording));
    return fetchFrom({ door: this.http(), gone: this.#gone.signal }, input, init);
  };

  /** Where `fetch` answers: the path of the MCP endpoint, and others that the recorded server had. */
  get paths(): readonly string[] {
    return pathsOf(this.play.recording);
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
    return this.running().player.report();
  }

  /**
   * Fails a test that is to fail: for misses, and for whatever else its options name. The entries for test runners call it
   * when the test is over.
   * @throws VcrError `test-failed`, with all that is to be said
   */
  check(): void {
    const before = this.#before.map(({ run }) => run);
    const runs = this.#run ? [...before, this.#run] : before;
    const failure = failureOf(
      {
        name: this.name,
        misses: [...this.#before.flatMap(({ explanations }) => explanations), ...this.#explanations],
        refused: once(this.#refused),
        turnedAway: once(runs.flatMap(({ player }) => turnedAwayNotice(player.tally) ?? [])),
        problems: once([this.play, ...runs].flatMap((each) => each.problems?.() ?? [])),
        report: () => this.report(),
        reportsBefore: () => before.map(({ player }) => player.report()),
        strict: this.play.strict,
        remedy: this.play.remedy,
      },
      this.#verdicts,
      this.#opened,
    );
    if (failure) throw failure;
  }

  /**
   * As if it had just been opened: connections are closed, and nothing was received. A miss, or what else went wrong,
   * still fails the test.
   */
  reset(): void {
    this.mustBeOpen();
    this.disconnect();
    if (this.#run) this.#before.push({ run: this.#run, explanations: this.#explanations });
    this.#run = undefined;
    this.#received = [];
    this.#explanations = [];
  }

  /** Closes all connections. What was received and missed can still be read. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.disconnect();
    await this.play.close(this.#run);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** @internal For what failures of matchers show. */
  get redacted(): Heard["redacted"] {
    const redact = this.#run?.player.options.redact;
    return redact && ((method, params) => redactedParams(redact, method, params));
  }

  /** @internal */
  protected mustBeOpen(): void {
    if (this.closed) throw new VcrError("usage", `the tape of ${this.name} is closed`);
  }

  /** @internal Faults that cannot be shown where a client is about to come from are told of before it does. */
  protected mustShow(carrier: Carrier): void {
    this.mustBeOpen();
    const { faults, recording } = this.play;
    if (faults) refuseImpossible(faults, { carrier, recording });
  }

  /** @internal */
  protected http(): HttpDoors {
    const { newSessionId } = this.#surroundings;
    // On loopback, where a tape listens, every name of this machine is its own.
    this.#doors ??= new HttpDoors(this.running().player, { ownHosts: [], newSessionId });
    return this.#doors;
  }

  /** @internal */
  protected disconnected(connection: object): void {
    this.#doors?.disconnected(connection);
  }

  /** @internal Ends the connections there are. */
  protected disconnect(): void {
    for (const transport of [...this.#transports]) void transport.close();
    this.#doors?.close();
    this.#doors = undefined;
    this.#gone.abort(new VcrError("usage", `the tape of ${this.name} was closed or reset`));
    this.#gone = new AbortController();
    this.#run?.end();
  }

  /** @internal Adds to what was received. */
  protected hear(message: Message): void {
    if (message.kind === "malformed" || message.kind === "batch") return;
    this.#received.push(jsonOf(message) as unknown as JsonRpcMessage);
  }

  /** Text that is no message was recorded, so that it may be asked for. */
  get #recordedMalformed(): boolean {
    return this.play.recording.catalogue.shelf("malformed").all.length > 0;
  }

  /** @internal Begun when it is first needed. */
  protected running(): Run {
    if (this.#run) return this.#run;
    const explanations: string[] = [];
    this.#explanations = explanations;
    const received: JsonRpcMessage[] = [];
    this.#received = received;
    this.#run = this.play.begin({
      onNotice: this.#surroundings.onNotice,
      onReceived: (message) => {
        if (this.#received === received) this.hear(message);
        if (message.kind === "malformed" && !this.#recordedMalformed) this.#refused.push(NO_MESSAGE);
      },
      onRefused: (refused) => this.#refused.push(refused),
      onMiss: (_miss, explanation) => explanations.push(explanation),
    });
    return this.#run;
  }
}

/** What several runs say alike. */
function once(sentences: readonly string[]): string[] {
  return [...new Set(sentences)];
}

function redactedParams(redact: Redaction, method: string, params: object): object {
  const message = readMessage(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", method, params })));
  return (jsonOf(redact.message(message)) as { readonly params: object }).params;
}
