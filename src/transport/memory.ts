import { clearImmediate as never, setImmediate as soon } from "node:timers";
import { readMessage, textOf } from "../protocol/message.ts";
import type { Action } from "../replay/action.ts";
import type { Timer } from "../replay/pacer.ts";
import type { Player } from "../replay/player.ts";
import type { ClientSession } from "../replay/playing.ts";
import { Timers } from "./timer.ts";

/** A JSON-RPC message as JavaScript holds it: what MCP clients hand to their transport, and get from it. */
export interface JsonRpcMessage {
  jsonrpc: "2.0";
  id?: string | number | null | undefined;
  method?: string | undefined;
  params?: object | undefined;
  result?: object | undefined;
  error?: { code: number; message: string; data?: unknown } | undefined;
}

/**
 * What clients of the official SDKs connect to: the `Transport` of `@modelcontextprotocol/sdk` and of
 * `@modelcontextprotocol/client` alike, as far as a connection without HTTP has its members. It has no session id, and
 * messages of all requests share it, as over stdio.
 */
export interface ClientTransport {
  /** Called by the client when it has set its handlers. */
  start(): Promise<void>;
  /** Rejects once the connection is closed. */
  send(message: JsonRpcMessage, options?: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: JsonRpcMessage, extra?: object) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
}

const encoder = new TextEncoder();

/**
 * Within a process nothing is on its way, so one turn of the event loop keeps an outcome apart from what came before it.
 * Out of reach of a test's fake timers: nobody should have to advance them for an answer.
 */
const nextTurn: Timer = (_ms, then) => {
  const turn = soon(then);
  return () => never(turn);
};

/**
 * The mock within the client's process: a client's objects become the bytes the player takes, and its bytes objects.
 * Numbers that JavaScript cannot hold are what `JSON.parse` makes of them, which is what clients get of any transport.
 */
export class MemoryTransport implements ClientTransport {
  onmessage?: (message: JsonRpcMessage, extra?: object) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #player: Player;
  readonly #onClosed: () => void;
  readonly #timers = new Timers();
  #session: ClientSession | undefined;
  #closed = false;

  constructor(player: Player, onClosed: () => void) {
    this.#player = player;
    this.#onClosed = onClosed;
  }

  async start(): Promise<void> {
    if (this.#closed) throw new Error("This transport is closed: take a new one for every connection.");
    if (this.#session) throw new Error("This transport is in use: take a new one for every client.");
    this.#session = this.#player.connect({
      carriesStatus: false,
      carrier: "memory",
      ...this.#timers.ofDoor,
      timer: nextTurn,
      act: (action) => this.#act(action),
    });
  }

  async send(message: JsonRpcMessage): Promise<void> {
    if (!this.#session) throw new Error("This transport is not started.");
    if (this.#closed) throw new Error("This transport is closed.");
    this.#session.receive(readMessage(encoder.encode(JSON.stringify(message))));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#session?.close();
    this.#session?.disconnect();
    this.#timers.close();
    this.#onClosed();
    this.onclose?.();
  }

  #act(action: Action): void {
    switch (action.type) {
      case "send":
      case "outcome":
        // Clients do not expect an answer while they are still sending.
        this.#later(() => this.#deliver(action.bytes));
        return;
      case "status":
      case "event":
      case "part":
      case "forget":
        // Facts of HTTP, or of bytes on their way.
        return;
      case "end":
        // There is no stream of its own to end, so the client is still there.
        if (action.on !== undefined) this.#session?.resume(action.on);
        return;
      case "crash":
        this.#later(() => this.close());
    }
  }

  /** In the order in which it is asked for. */
  #later(act: () => void): void {
    void Promise.resolve().then(act);
  }

  #deliver(bytes: Uint8Array): void {
    if (this.#closed) return;
    try {
      this.onmessage?.(JSON.parse(textOf(bytes)) as JsonRpcMessage);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
