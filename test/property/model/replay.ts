import { readMessage, textOf } from "../../../src/protocol/message.ts";
import type { Player } from "../../../src/replay/player.ts";
import { fetchDoor } from "../../../src/transport/fetch-door.ts";
import { HttpDoor } from "../../../src/transport/http-door.ts";
import { SseFramer } from "../../../src/wire/sse-framer.ts";
import { ModelClient, type Story } from "./client.ts";
import { headersOf } from "./record.ts";
import type { Said } from "./server.ts";
import type { Call, Life, World } from "./world.ts";

export interface Replayed {
  readonly name: string;
  readonly life: Life;
  readonly firstId: number;
  /** Whether a call was recorded without an answer. */
  readonly hangs: (call: Call) => boolean;
}

/** A live client, and what is under way for it. */
interface Seat {
  readonly client: ModelClient;
  readonly life: Life;
  /** Pauses of the door that are to end, the first one first. */
  readonly pauses: (() => void)[];
}

/** The lives once more, against the player itself, all at once. */
export function replayInProcess(world: World, player: Player, lives: readonly Replayed[]): ModelClient[] {
  const seats = lives.map((replayed) => seatOf(world, player, replayed));
  for (const { client } of seats) client.open();
  const turns = lives.flatMap(({ life }) => life.turns);
  for (let turn = 0; ; turn++) {
    const possible = seats.flatMap(stepsOf);
    if (possible.length > 0) {
      possible[((turns[turn % turns.length] as number) + turn) % possible.length]?.();
      continue;
    }
    // Nothing moves any more: what waits now waits for ever, and is given up.
    const stuck = seats.find(({ client }) => client.waiting.length > 0);
    if (!stuck) break;
    stuck.client.giveUp(stuck.client.waiting[0] as Story, "says so");
  }
  return seats.map(({ client }) => client);
}

function stepsOf({ client, pauses }: Seat): (() => void)[] {
  const [pause] = pauses;
  return [
    ...(client.canBegin ? [() => client.begin()] : []),
    ...client.asks.map((ask) => () => client.reply(ask)),
    ...(pause ? [() => (pauses.shift() as () => void)()] : []),
  ];
}

function seatOf(world: World, player: Player, { name, life, firstId }: Replayed): Seat {
  const pauses: (() => void)[] = [];
  const session = player.connect({
    carriesStatus: false,
    timer: (_ms, then) => {
      pauses.push(then);
      return () => {
        const index = pauses.indexOf(then);
        if (index >= 0) pauses.splice(index, 1);
      };
    },
    act: (action) => {
      if (action.type === "send" || action.type === "outcome")
        client.receive(JSON.parse(textOf(action.bytes)));
      else if (action.type === "end" && action.on !== undefined) session.resume(action.on);
    },
  });
  const client: ModelClient = new ModelClient(world, life, {
    name,
    firstId,
    send: (message) => {
      session.receive(readMessage(Buffer.from(JSON.stringify(message))));
    },
  });
  return { client, life, pauses };
}

/** Milliseconds after which what waits is given up: soon, where no answer is to come. */
const PATIENCE = { hanging: 30, waiting: 20_000 };

/** The same over HTTP, without a socket: requests and responses as fetch has them. */
export async function replayOverHttp(
  world: World,
  player: Player,
  lives: readonly Replayed[],
): Promise<ModelClient[]> {
  let sessions = 0;
  const door = new HttpDoor(player, {
    path: "/mcp",
    ownHosts: ["model.test"],
    newSessionId: () => `live-${sessions++}`,
  });
  const seats = lives.map((replayed) => new HttpSeat(world, door, replayed));
  await Promise.all(seats.map((seat) => seat.live()));
  door.close();
  return seats.map(({ client }) => client);
}

class HttpSeat {
  readonly client: ModelClient;
  readonly #world: World;
  readonly #door: HttpDoor;
  readonly #connection = {};
  readonly #running = new Map<unknown, AbortController>();
  readonly #hangs: Replayed["hangs"];
  #session: string | undefined;
  #wake: () => void = () => undefined;

  constructor(world: World, door: HttpDoor, { name, life, firstId, hangs }: Replayed) {
    this.#world = world;
    this.#hangs = hangs;
    this.#door = door;
    this.client = new ModelClient(world, life, {
      name,
      firstId,
      send: (message) => void this.#post(message),
    });
  }

  async live(): Promise<void> {
    const { client } = this;
    client.open();
    for (;;) {
      if (client.canBegin) client.begin();
      else if (client.asks[0]) client.reply(client.asks[0]);
      else if (client.isOver) return;
      else if (!(await this.#somethingComes())) this.#giveUpOne();
    }
  }

  #giveUpOne(): void {
    const [story] = this.client.waiting;
    if (!story) throw new Error("the door does not answer");
    const modern = this.#world.era === "modern";
    const id = this.client.giveUp(story, modern ? "hangs up" : "says so");
    if (modern) this.#running.get(id)?.abort();
  }

  #somethingComes(): Promise<boolean> {
    const { waiting } = this.client;
    const hanging =
      waiting.length > 0 && waiting.every(({ deed }) => deed.do === "call" && this.#hangs(deed));
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), PATIENCE[hanging ? "hanging" : "waiting"]);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  async #post(message: Said): Promise<void> {
    const abort = new AbortController();
    this.#running.set(message.id, abort);
    const session: Record<string, string> =
      this.#session === undefined ? {} : { "mcp-session-id": this.#session };
    const response = await fetchDoor(
      this.#door,
      new Request("http://model.test/mcp", {
        method: "POST",
        body: JSON.stringify(message),
        headers: {
          host: "model.test",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headersOf(this.#world, message),
          ...session,
        },
      }),
      this.#connection,
    );
    this.#session ??= response.headers.get("mcp-session-id") ?? undefined;
    await this.#read(response, abort.signal).catch(() => undefined);
  }

  async #read(response: Response, signal: AbortSignal): Promise<void> {
    if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
      const text = await response.text();
      if (text !== "" && !signal.aborted) this.#receive(text);
      return;
    }
    const framer = new SseFramer();
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    signal.addEventListener("abort", () => void reader.cancel());
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      framer.push(part.value, (event) => {
        if (event.data !== undefined && event.data.length > 0) this.#receive(textOf(event.data));
      });
    }
  }

  #receive(text: string): void {
    this.client.receive(JSON.parse(text));
    this.#wake();
  }
}
