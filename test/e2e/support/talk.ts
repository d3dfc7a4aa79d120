import type { Program } from "./program.ts";

export interface Rpc {
  readonly jsonrpc: "2.0";
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into errors of any shape
  readonly error?: { readonly code: number; readonly message: string; readonly data?: any };
}

export const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: { roots: {}, elicitation: {}, sampling: {} },
  clientInfo: { name: "talk", version: "1" },
};

/** Speaks JSON-RPC lines with a program on its stdin and stdout. Lines that are no messages are only kept. */
export class Talk {
  readonly program: Program;
  /** Every line so far, without its newline. */
  readonly lines: string[] = [];
  #rest = Buffer.alloc(0);
  #nextId = 1;
  readonly #waiting = new Map<unknown, (answer: Rpc) => void>();
  readonly #handlers = new Map<string, (request: Rpc) => unknown>();

  constructor(program: Program) {
    this.program = program;
    program.child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  /** Answers the server's requests of a method with what `result` makes; not at all where that is undefined. */
  on(method: string, result: (request: Rpc) => unknown): void {
    this.#handlers.set(method, result);
  }

  raw(text: string): void {
    this.program.child.stdin.write(text);
  }

  notify(method: string, params?: object): void {
    this.raw(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`);
  }

  /** Asks and waits for the answer; fails when the program ends before. */
  ask(method: string, params?: object, id: string | number = this.#nextId++): Promise<Rpc> {
    const answer = this.answerTo(id);
    this.raw(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return answer;
  }

  answerTo(id: string | number | null): Promise<Rpc> {
    const over = this.program.ended.then(({ code, signal, stderr }) => {
      throw new Error(`ended with ${code ?? signal} before it answered ${JSON.stringify(id)}: ${stderr}`);
    });
    return Promise.race([new Promise<Rpc>((resolve) => this.#waiting.set(id, resolve)), over]);
  }

  call(name: string, args: object = {}): Promise<Rpc> {
    return this.ask("tools/call", { name, arguments: args });
  }

  async initialize(): Promise<Rpc> {
    const answer = await this.ask("initialize", INITIALIZE);
    this.notify("notifications/initialized");
    return answer;
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let end = this.#rest.indexOf(10); end >= 0; end = this.#rest.indexOf(10)) {
      const line = this.#rest.subarray(0, end).toString();
      this.#rest = this.#rest.subarray(end + 1);
      this.lines.push(line);
      const frame = parsed(line);
      for (const message of Array.isArray(frame) ? (frame as Rpc[]) : [frame as Rpc]) this.#receive(message);
    }
  }

  #receive(message: Rpc | undefined): void {
    if (typeof message !== "object" || message === null || message.id === undefined) return;
    if (message.method === undefined) {
      this.#waiting.get(message.id)?.(message);
      return;
    }
    const handler = this.#handlers.get(message.method);
    if (handler === undefined) throw new Error(`nobody answers ${message.method}`);
    const result = handler(message);
    if (result === undefined) return;
    this.raw(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result })}\n`);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
