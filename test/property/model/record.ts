import type { Header } from "../../../src/exchange/entry.ts";
import { META } from "../../../src/protocol/revisions.ts";
import { CassetteFile } from "../../../src/run/cassette-file.ts";
import { HttpTap } from "../../../src/run/http-tap.ts";
import { StdioTap } from "../../../src/run/record-stdio.ts";
import { Recorder } from "../../../src/run/recorder.ts";
import { openRedactor } from "../../../src/run/redaction.ts";
import type { TapRequest } from "../../../src/transport/http-proxy-tap.ts";
import { ModelClient } from "./client.ts";
import { ModelServer, type Said } from "./server.ts";
import type { Life, World } from "./world.ts";

/** A client with its server, and what can happen next between them. */
interface Pair {
  readonly hangsUp: boolean;
  readonly client: ModelClient;
  readonly server: ModelServer;
  readonly life: Life;
  /** The client drops the response stream of a request. */
  readonly drop: (id: unknown) => void;
}

/** Records lives with the recorder that `mcp-vcr record` uses, and answers what each client then knows. */
export async function recordLives(
  world: World,
  lives: readonly Life[],
  file: string,
): Promise<ModelClient[]> {
  return world.transport === "stdio"
    ? await overStdio(world, lives, file)
    : await overHttp(world, lives, file);
}

export const nameOf = (index: number): string => `client-${index}`;

async function overStdio(world: World, lives: readonly Life[], file: string): Promise<ModelClient[]> {
  const clients: ModelClient[] = [];
  for (const [index, life] of lives.entries()) {
    const recorder = await recorderOf(file, index === 0 ? "all" : "append", {
      transport: "stdio",
      command: ["node", "model.js"],
    });
    const tap = new StdioTap(recorder);
    const say = (side: "client" | "server", message: object, nth: number) => {
      const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
      const cut = (life.turns[nth % life.turns.length] as number) % bytes.length;
      tap.bytes(side, bytes.subarray(0, cut));
      tap.bytes(side, bytes.subarray(cut));
    };
    let nth = 0;
    const client: ModelClient = new ModelClient(world, life, {
      name: nameOf(index),
      firstId: index * 3,
      send: (message) => {
        say("client", message, nth++);
        server.receive(message);
      },
    });
    const server = new ModelServer(world, client.name, (message) => {
      say("server", message, nth++);
      client.receive(message as Said);
    });
    live([{ client, server, life, hangsUp: false, drop: () => undefined }]);
    tap.clientEnded();
    tap.serverEnded({ code: 0, signal: null });
    recorder.close();
    clients.push(client);
  }
  return clients;
}

async function overHttp(world: World, lives: readonly Life[], file: string): Promise<ModelClient[]> {
  const upstream = new URL("http://model.test/mcp");
  const recorder = await recorderOf(file, "all", { transport: "http", url: upstream.href });
  const tap = new HttpTap({ upstream, sink: recorder, defer: (start) => start() });
  const pairs = lives.map((life, index) => httpPair(world, life, { tap, index }));
  live(pairs);
  for (const { end } of pairs) end();
  await tap.settled();
  recorder.close();
  return pairs.map(({ client }) => client);
}

function httpPair(
  world: World,
  life: Life,
  { tap, index }: { tap: HttpTap; index: number },
): Pair & { end: () => void } {
  const open = new Map<unknown, Traffic>();
  const connection = {};
  const session = world.era === "legacy" ? { "mcp-session-id": `session-${index}` } : undefined;
  let nth = 0;
  const post = (message: Said): Traffic => {
    const headers = {
      ...POST_HEADERS,
      ...headersOf(world, message),
      ...(message.method === "initialize" ? {} : session),
    };
    const request = tap.request({
      method: "POST",
      path: "/mcp",
      headers: Object.entries(headers).flat(),
      connection,
    });
    request?.requestBody(Buffer.from(JSON.stringify(message)));
    request?.requestEnd();
    return new Traffic(request as TapRequest, (life.turns[nth++ % life.turns.length] as number) % 2 === 0);
  };
  const client: ModelClient = new ModelClient(world, life, {
    name: nameOf(index),
    firstId: 0,
    send: (message) => {
      const traffic = post(message);
      if (message.id !== undefined && message.method !== undefined) open.set(message.id, traffic);
      else traffic.accepted();
      server.receive(message);
    },
  });
  const server = new ModelServer(world, client.name, (message, on) => {
    const isOutcome = !("method" in message);
    const isOpening = isOutcome && JSON.stringify(message).includes("protocolVersion");
    open.get(on)?.say(message, { isOutcome, headers: isOpening ? session : undefined });
    if (isOutcome) open.delete(on);
    client.receive(message as Said);
  });
  return {
    client,
    server,
    life,
    hangsUp: world.era === "modern",
    drop: (id) => {
      open.get(id)?.abort();
      open.delete(id);
    },
    end: () => {
      for (const traffic of open.values()) traffic.abort();
    },
  };
}

const POST_HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export function headersOf({ era }: World, { method, params }: Said): Record<string, string> {
  if (era === "legacy") return method === "initialize" ? {} : { "mcp-protocol-version": "2025-11-25" };
  return {
    "mcp-protocol-version": params._meta[META.protocolVersion],
    "mcp-method": method ?? "",
    ...(params.name === undefined ? {} : { "mcp-name": params.name }),
  };
}

/** The answer to one POST. */
class Traffic {
  readonly #request: TapRequest;
  readonly #json: boolean;
  #streaming = false;

  constructor(request: TapRequest, json: boolean) {
    this.#request = request;
    this.#json = json;
  }

  accepted(): void {
    this.#request.response(202, []);
    this.#request.responseEnd("end");
  }

  say(
    message: object,
    { isOutcome, headers = {} }: { isOutcome: boolean; headers?: Record<string, string> | undefined },
  ): void {
    const json = isOutcome && !this.#streaming && this.#json;
    if (!this.#streaming) {
      const type = json ? "application/json" : "text/event-stream";
      this.#request.response(200, Object.entries({ "content-type": type, ...headers }).flat());
      this.#streaming = true;
    }
    const text = JSON.stringify(message);
    this.#request.responseBody(Buffer.from(json ? text : `data: ${text}\n\n`));
    if (isOutcome) this.#request.responseEnd("end");
  }

  abort(): void {
    this.#request.responseEnd("aborted-by-client");
  }
}

/** Lets the clients live until nothing more can happen, each step chosen by a client's turns. */
function live(pairs: readonly Pair[]): void {
  for (const { client } of pairs) client.open();
  const turns = pairs.flatMap(({ life }) => life.turns);
  for (let turn = 0; ; turn++) {
    const possible = pairs.flatMap(stepsOf);
    if (possible.length === 0) break;
    possible[((turns[turn % turns.length] as number) + turn) % possible.length]?.();
  }
  for (const { client } of pairs) {
    if (!client.isOver || client.stray.length > 0) throw new Error("the model does not come to its end");
  }
}

function stepsOf({ client, server, hangsUp, drop }: Pair): (() => void)[] {
  const hanging = client.waiting.filter((story) =>
    server.works.some(({ id, hangs }) => hangs && id === story.ids.at(-1)),
  );
  return [
    ...(client.canBegin ? [() => client.begin()] : []),
    ...server.works.filter(({ blocked }) => !blocked).map((work) => () => work.step()),
    ...client.asks.map((ask) => () => client.reply(ask)),
    ...hanging.map((story) => () => {
      const id = client.giveUp(story, hangsUp ? "hangs up" : "says so");
      server.cancel(id);
      drop(id);
    }),
  ];
}

async function recorderOf(file: string, mode: "all" | "append", source: Header["source"]): Promise<Recorder> {
  const header: Header = { recorded: "2026-11-30T09:00:00.000Z", recorder: "mcp-vcr/0", source };
  let now = 0;
  return new Recorder({
    file: await CassetteFile.open(file, mode, header),
    redactor: openRedactor(),
    clock: { now: () => now++ },
    onFailure: (error) => {
      throw error;
    },
  });
}
