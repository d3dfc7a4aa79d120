import { memberAt } from "../protocol/member.ts";
import {
  type IdToken,
  type JsonObject,
  type JsonValue,
  jsonOf,
  type Message,
  readMessage,
} from "../protocol/message.ts";
import { type Era, META } from "../protocol/revisions.ts";
import { mcpHeaders } from "../wire/mcp-headers.ts";
import type { Answer } from "./answers.ts";
import type { Ask } from "./move.ts";

/** Who a client says it is, and what it can do. */
export interface ClientProfile {
  readonly info: { readonly name: string; readonly version: string };
  readonly capabilities: JsonObject;
}

interface Speech {
  readonly era: Era;
  readonly version: string;
}

/** JSON-RPC: a method that the receiver does not have. */
const METHOD_NOT_FOUND = -32601;

/** Writes a client's messages as the era of the conversation has them, and numbers its requests from 1. */
export class Composer {
  readonly #client: ClientProfile;
  readonly #toolSchemas = new Map<string, JsonValue>();
  #lastId = 0;
  speech: Speech | undefined;
  logLevel: string | undefined;

  constructor(client: ClientProfile) {
    this.#client = client;
  }

  get era(): Era | undefined {
    return this.speech?.era;
  }

  nextId(): number {
    return ++this.#lastId;
  }

  request(id: number, { method, params, progress }: Omit<Ask, "type" | "timeout">): Message {
    const whole = this.#withMeta(params, progress ? { progressToken: id } : {});
    return written({ jsonrpc: "2.0", id, method, ...(whole === undefined ? {} : { params: whole }) });
  }

  notification(method: string, params: JsonValue | undefined): Message {
    return written({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
  }

  cancellation(id: IdToken, reason: string | undefined): Message {
    const requestId = JSON.parse(id) as JsonValue;
    return this.notification("notifications/cancelled", {
      requestId,
      ...(reason === undefined ? {} : { reason }),
    });
  }

  /** Without an answer, the client has no such method. */
  response(request: Message, answer: Answer | undefined): Message {
    const body = answer ?? {
      error: { code: METHOD_NOT_FOUND, message: `Method not found: ${request.method}` },
    };
    // The id as the server wrote it.
    return readMessage(
      new TextEncoder().encode(`{"jsonrpc":"2.0","id":${request.id},${JSON.stringify(body).slice(1)}`),
    );
  }

  /** Input schemas say which arguments HTTP headers have to mirror. */
  learnTools(result: JsonValue | undefined): void {
    const tools = memberAt(result, "tools");
    for (const tool of Array.isArray(tools) ? tools : []) {
      const name = memberAt(tool, "name");
      const schema = memberAt(tool, "inputSchema");
      if (typeof name === "string" && schema !== undefined) this.#toolSchemas.set(name, schema);
    }
  }

  headers(message: Message): Readonly<Record<string, string>> {
    if (!this.speech) return {};
    const { method } = message;
    const params = method === undefined ? undefined : memberAt(jsonOf(message), "params");
    const name = memberAt(params, "name");
    const inputSchema = typeof name === "string" ? this.#toolSchemas.get(name) : undefined;
    return mcpHeaders({ ...this.speech, method, params, inputSchema });
  }

  /** Params that are no object are sent as they are: nothing can be added to them. */
  #withMeta(params: JsonValue | undefined, more: JsonObject): JsonValue | undefined {
    if (params !== undefined && !isObject(params)) return params;
    const meta = { ...this.#ownMeta(), ...more, ...(memberAt(params, "_meta") as JsonObject | undefined) };
    return Object.keys(meta).length === 0 ? params : { ...params, _meta: meta };
  }

  /** What every request of the modern era carries (2026-07-28 basic/index.mdx). */
  #ownMeta(): JsonObject {
    if (this.speech?.era !== "modern") return {};
    return {
      [META.protocolVersion]: this.speech.version,
      [META.clientInfo]: { ...this.#client.info },
      [META.clientCapabilities]: this.#client.capabilities,
      ...(this.logLevel === undefined ? {} : { [META.logLevel]: this.logLevel }),
    };
  }
}

function written(message: JsonObject): Message {
  return readMessage(new TextEncoder().encode(JSON.stringify(message)));
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
