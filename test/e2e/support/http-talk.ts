import { INITIALIZE, type Rpc } from "./talk.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Messages of the body: JSON, or the data of each SSE event. */
  readonly messages: readonly Rpc[];
}

/** Posts JSON-RPC messages to a Streamable HTTP server, in one session. */
export class HttpTalk {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  #session: Readonly<Record<string, string>> = {};
  #nextId = 1;

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  async post(message: object, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> {
    const response = await fetch(this.#url, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...this.#session,
        ...this.#headers,
        ...headers,
      },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, messages: messagesOf(response, text) };
  }

  /** The answer to a request, which ends its response. */
  async ask(
    method: string,
    params: object = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Rpc> {
    const id = this.#nextId++;
    const { messages, text } = await this.post({ jsonrpc: "2.0", id, method, params }, headers);
    const answer = messages.find((message) => message.method === undefined && message.id === id);
    if (!answer) throw new Error(`no answer to ${method} in ${JSON.stringify(text)}`);
    return answer;
  }

  call(name: string, args: object = {}): Promise<Rpc> {
    return this.ask("tools/call", { name, arguments: args });
  }

  async initialize(): Promise<HttpAnswer> {
    const answer = await this.post({ jsonrpc: "2.0", id: 0, method: "initialize", params: INITIALIZE });
    const id = answer.headers.get("mcp-session-id");
    if (id !== null) this.#session = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
    await this.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Ends the session. */
  async end(): Promise<void> {
    await fetch(this.#url, { method: "DELETE", headers: { ...this.#session, ...this.#headers } });
  }
}

function messagesOf(response: Response, text: string): Rpc[] {
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    return [...text.matchAll(/^data: ?(\S.*)$/gm)].map(([, data]) => JSON.parse(data ?? "") as Rpc);
  }
  return text.startsWith("{") ? [JSON.parse(text) as Rpc] : [];
}
