import { MODERN_META, type Said } from "./server.ts";
import type { Call, Deed, Life, World } from "./world.ts";

export interface Ask {
  readonly id: unknown;
  readonly message: string;
}

/** What became of one deed. */
export interface Story {
  readonly deed: Deed;
  /** Ids of its requests, the last of them the one that waits or was answered. */
  readonly ids: unknown[];
  /** Results and errors, without what asks for input. */
  readonly answers: Said[];
  /** `message` of its progress notifications. */
  readonly progress: string[];
  givenUp: boolean;
  over: boolean;
}

/** A client that lives a life, one step at a time, over whatever carries its messages. */
export class ModelClient {
  readonly name: string;
  readonly stories: Story[] = [];
  readonly asks: Ask[] = [];
  /** What came that belongs to nothing this client waits for. */
  readonly stray: Said[] = [];
  readonly #world: World;
  readonly #life: Life;
  readonly #send: (message: Said) => void;
  #nextId: number;
  #opened: boolean;

  constructor(
    world: World,
    life: Life,
    { name, firstId, send }: { name: string; firstId: number; send: (message: Said) => void },
  ) {
    this.#world = world;
    this.#life = life;
    this.name = name;
    this.#nextId = firstId;
    this.#send = send;
    this.#opened = world.era === "modern";
  }

  /** Legacy clients first say hello; call once. */
  open(): void {
    if (this.#opened) return;
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: {} },
      clientInfo: { name: this.name, version: "1" },
    };
    this.#send({ jsonrpc: "2.0", id: this.#id(), method: "initialize", params });
  }

  get waiting(): readonly Story[] {
    return this.stories.filter(({ over }) => !over);
  }

  get canBegin(): boolean {
    return (
      this.#opened && this.stories.length < this.#life.deeds.length && this.waiting.length < this.#life.atOnce
    );
  }

  get isOver(): boolean {
    return this.#opened && this.stories.length === this.#life.deeds.length && this.waiting.length === 0;
  }

  begin(): void {
    const deed = this.#life.deeds[this.stories.length] as Deed;
    const story: Story = { deed, ids: [], answers: [], progress: [], givenUp: false, over: false };
    this.stories.push(story);
    if (deed.do === "list") this.#request(story, "tools/list", {});
    else this.#request(story, "tools/call", this.#paramsOf(deed, this.stories.length));
  }

  reply(ask: Ask): void {
    this.asks.splice(this.asks.indexOf(ask), 1);
    this.#send({ jsonrpc: "2.0", id: ask.id, result: { action: "accept", content: { to: ask.message } } });
  }

  /** Gives up a request, and says so unless it just hangs up. Answers the request's id. */
  giveUp(story: Story, how: "says so" | "hangs up"): unknown {
    const requestId = story.ids.at(-1);
    story.givenUp = true;
    story.over = true;
    if (how === "says so")
      this.#send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    return requestId;
  }

  receive(said: Said): void {
    if (said.method === "notifications/progress") return this.#progressed(said);
    if (said.method === "notifications/message") return;
    if (said.method !== undefined) {
      this.asks.push({ id: said.id, message: said.params.message });
      return;
    }
    if (!this.#opened) {
      if (!said.result) throw new Error(`initialize is answered with ${JSON.stringify(said.error)}`);
      this.#opened = true;
      this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
      return;
    }
    const story = this.waiting.find(({ ids }) => ids.at(-1) === said.id);
    if (story) this.#answered(story, said);
    else this.stray.push(said);
  }

  #progressed(said: Said): void {
    const story = this.waiting.find(
      (_story) => `t${this.stories.indexOf(_story) + 1}` === said.params.progressToken,
    );
    if (story) story.progress.push(said.params.message);
    else this.stray.push(said);
  }

  #answered(story: Story, said: Said): void {
    const { deed } = story;
    if (said.result?.resultType === "input_required") {
      const inputResponses = Object.fromEntries(
        Object.keys(said.result.inputRequests).map((key) => [key, { action: "accept", content: {} }]),
      );
      const params = { ...this.#paramsOf(deed as Call, this.stories.indexOf(story) + 1), inputResponses };
      this.#request(story, "tools/call", { ...params, requestState: said.result.requestState });
      return;
    }
    story.answers.push(said);
    const cursor = said.result?.nextCursor;
    if (cursor !== undefined) this.#request(story, "tools/list", { cursor });
    else story.over = true;
  }

  #paramsOf(call: Call, nth: number): Record<string, unknown> {
    const _meta = call.token ? { _meta: { progressToken: `t${nth}` } } : {};
    return { name: "do", arguments: { tool: call.tool, arg: call.arg }, ..._meta };
  }

  #request(story: Story, method: string, params: Record<string, unknown>): void {
    const id = this.#id();
    story.ids.push(id);
    const meta = this.#world.era === "modern" ? MODERN_META(this.name) : undefined;
    const _meta = meta || params._meta ? { _meta: { ...meta, ...(params._meta as object) } } : {};
    this.#send({ jsonrpc: "2.0", id, method, params: { ...params, ..._meta } });
  }

  #id(): unknown {
    return this.#nextId++;
  }
}
