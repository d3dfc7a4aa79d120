import type { Source } from "../exchange/entry.ts";
import { eachMessage, type Message, readMessage } from "../protocol/message.ts";
import { labelIn } from "../replay/noted.ts";
import { warn } from "./notices.ts";
import type { RedactSettings } from "./own-secrets.ts";
import { nameOfSource } from "./real-server.ts";
import { FetchRecorder, type ServerFailure } from "./record-fetch.ts";
import { openRecorder } from "./record-session.ts";
import type { Recorder } from "./recorder.ts";

/** Sends a request to a real server, past whatever stands before it. */
export type Send = (request: Request) => Promise<Response>;

export interface ToRecordRequests {
  readonly file: string;
  readonly source: Extract<Source, { transport: "http" }>;
  readonly redact: RedactSettings | undefined;
  readonly send: Send;
  readonly onReceived: (message: Message) => void;
}

/**
 * A cassette that is made of what clients ask of a real server behind a URL, where their requests are handed in one by
 * one. It is opened with the first of them.
 */
export class RequestRecording {
  /** Its MCP endpoint. */
  readonly server: URL;
  readonly #parts: ToRecordRequests;
  #opened: Promise<{ readonly recorder: Recorder; readonly passing: FetchRecorder }> | undefined;
  #lost: unknown;
  #asked = 0;
  #heard = true;
  /** Sentences. */
  readonly #failures: string[] = [];

  constructor(parts: ToRecordRequests) {
    this.#parts = parts;
    this.server = new URL(parts.source.url);
  }

  /**
   * The real server's answer; undefined for a request that is not for its MCP endpoint.
   * @throws VcrError where the cassette cannot be written
   */
  async fetch(request: Request): Promise<Response | undefined> {
    this.#opened ??= this.#open();
    const { passing } = await this.#opened;
    return passing.fetch(request);
  }

  /** Breaks off what is under way, completes the cassette, and says on stderr what was asked. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    this.#opened = undefined;
    await opened?.passing.close();
    opened?.recorder.close();
    if (!opened || !this.#heard || this.#lost !== undefined) return;
    const { file, source } = this.#parts;
    const asked = this.#asked === 1 ? "1 request was" : `${this.#asked} requests were`;
    warn(`${asked} asked of the real server (${nameOfSource(source)}), and recorded in ${file}`);
  }

  /** Where the real server failed, and that what was asked is not in the cassette, as sentences. */
  problems(): readonly string[] {
    if (this.#lost === undefined) return this.#failures;
    const reason = this.#lost instanceof Error ? this.#lost.message : String(this.#lost);
    return [...this.#failures, `${this.#parts.file} does not hold what was asked: ${reason}`];
  }

  #failed(body: Uint8Array, { reason, status }: ServerFailure): void {
    const messages = [...eachMessage(readMessage(body))];
    const request = messages.find(({ kind }) => kind === "request");
    // A notification that it does not want is no harm.
    if (!request && status !== undefined) return;
    const asked = request ?? messages[0];
    const label = asked?.method === undefined ? "What a client sent" : labelIn(asked);
    this.#failures.push(
      `${label} was not answered: the real server (${nameOfSource(this.#parts.source)}) ${reason}`,
    );
  }

  async #open() {
    const { file, source, redact, send, onReceived } = this.#parts;
    const onLost = (error: unknown): void => {
      this.#lost = error;
    };
    const onNothing = (): void => {
      this.#heard = false;
    };
    const opening = openRecorder({ file, mode: "once", source, redact, onLost, onNothing });
    opening.catch(onLost);
    const recorder = await opening;
    const passing = new FetchRecorder({
      upstream: this.server,
      sink: recorder,
      send: (request, body) => {
        for (const message of eachMessage(readMessage(body))) {
          if (message.kind === "request") this.#asked++;
          onReceived(message);
        }
        return send(request);
      },
      onFailed: (body, failure) => this.#failed(body, failure),
    });
    return { recorder, passing };
  }
}
