import { setImmediate as turn } from "node:timers/promises";
import { vi } from "vitest";
import { readMessage } from "../../src/protocol/message.ts";
import { fetchDoor } from "../../src/transport/fetch-door.ts";
import { HttpDoor } from "../../src/transport/http-door.ts";
import { Timers } from "../../src/transport/timer.ts";
import { bytesOf, notice, request, type Tape, textsOf } from "./tape.ts";

export type DoorName = "stdio, legacy" | "HTTP, legacy" | "stdio, modern" | "HTTP, modern";

export const isHttp = (door: DoorName): boolean => door.startsWith("HTTP");
export const isModern = (door: DoorName): boolean => door.endsWith("modern");

/** What every request of the modern era says of itself; a legacy one nothing. */
export const metaOf = (door: DoorName): Record<string, unknown> =>
  isModern(door)
    ? {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      }
    : {};

/** A live client behind a door, and what it hears. Time is vitest's fake one. */
export interface DoorClient {
  /** Sends a tool call, or a notification. */
  say(message: Said): Promise<void>;
  /** Goes away from the response of a request; over stdio there is none to go away from. */
  leave(id: number): Promise<void>;
  /** Lets milliseconds pass. */
  passes(ms: number): Promise<void>;
  /** Messages since the last call. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages freely
  heard(): any[];
}

interface Said {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: unknown;
}

/** Opens a client of a recording behind a door. */
export async function openDoor(door: DoorName, recorded: Tape): Promise<DoorClient> {
  if (!isHttp(door)) return new StdioClient(recorded);
  const http = new HttpClient(door, recorded);
  if (!isModern(door)) await http.open();
  return http;
}

class StdioClient implements DoorClient {
  readonly #heard: string[] = [];
  readonly #session: ReturnType<Tape["player"]["connect"]>;

  constructor({ player }: Tape) {
    this.#session = player.connect({
      carriesStatus: false,
      timer: new Timers().start,
      act: (action) => this.#heard.push(...textsOf([action])),
    });
  }

  async say(message: Said): Promise<void> {
    this.#session.receive(readMessage(bytesOf(JSON.stringify(message))));
  }

  async leave(): Promise<void> {
    throw new Error("over stdio no request has a stream of its own");
  }

  async passes(ms: number): Promise<void> {
    vi.advanceTimersByTime(ms);
  }

  heard(): unknown[] {
    return this.#heard.splice(0).map((text) => JSON.parse(text));
  }
}

class HttpClient implements DoorClient {
  readonly #door: HttpDoor;
  readonly #modern: boolean;
  readonly #connection = {};
  readonly #left = new Map<unknown, AbortController>();
  #session: Record<string, string> = {};
  #heard: string[] = [];

  constructor(door: DoorName, { player }: Tape) {
    this.#modern = isModern(door);
    this.#door = new HttpDoor(player, { path: "/mcp", ownHosts: [], newSessionId: () => "session" });
  }

  /** A session, and its standalone stream. */
  async open(): Promise<void> {
    const opening = this.#fetch("POST", request(0, "initialize", { protocolVersion: "2025-11-25" }));
    await this.passes(1_000);
    const opened = await opening;
    this.#session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    await opened.text();
    void this.#read(this.#fetch("GET"), new AbortController().signal);
    await settled();
  }

  async say(message: Said): Promise<void> {
    const controller = new AbortController();
    this.#left.set(message.id, controller);
    void this.#read(this.#fetch("POST", message, controller.signal), controller.signal);
    await settled();
  }

  async leave(id: number): Promise<void> {
    this.#left.get(id)?.abort();
    await settled();
  }

  async passes(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    await settled();
  }

  heard(): unknown[] {
    return this.#heard.splice(0).map((text) => JSON.parse(text));
  }

  #fetch(method: string, message?: Said, signal?: AbortSignal): Promise<Response> {
    const { name } = (message?.params ?? {}) as { name?: string };
    const named = name === undefined ? {} : { "mcp-name": name };
    const modern = this.#modern && message ? { "mcp-method": message.method, ...named } : {};
    const headers = {
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": this.#modern ? "2026-07-28" : "2025-11-25",
      ...this.#session,
      ...modern,
    };
    const body = message ? { body: JSON.stringify(message) } : {};
    const init = { method, headers, ...body, ...(signal ? { signal } : {}) };
    return fetchDoor(this.#door, new Request("http://127.0.0.1:1/mcp", init), this.#connection);
  }

  /** Takes what comes in a response, until the client leaves it. */
  async #read(response: Promise<Response>, signal: AbortSignal): Promise<void> {
    const { body, headers } = await response;
    if (!body) return;
    const reader = body.getReader();
    signal.addEventListener("abort", () => void reader.cancel());
    const isStream = headers.get("content-type") === "text/event-stream";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const text = new TextDecoder().decode(read.value);
      if (isStream) for (const [, data] of text.matchAll(/^data: (.+)$/gm)) this.#heard.push(data ?? "");
      else this.#heard.push(text);
    }
  }
}

/** Resolves when what was set off has run its course. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await turn();
}

/** Cancels a request as its door and era have it. */
export async function cancel(door: DoorName, live: DoorClient, requestId: number): Promise<void> {
  if (door === "HTTP, modern") await live.leave(requestId);
  else await live.say(notice("notifications/cancelled", { requestId }));
}
