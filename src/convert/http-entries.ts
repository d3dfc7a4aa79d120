import type { IdToken } from "../protocol/message.ts";
import { readMessage } from "../protocol/message.ts";
import type { ForeignEntry } from "./foreign.ts";

/** How an answer came over HTTP. */
export interface AnswerFacts {
  readonly at: number;
  /** What is usual where not given: 200, or 202 to what is no request. */
  readonly status?: number | undefined;
  readonly sse: boolean;
}

/** Entries of Streamable HTTP from messages whose formats keep little of it. */
export class HttpEntries {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  post(raw: Uint8Array, at: number): ForeignEntry {
    return { at, from: "client", raw, http: { method: "POST", path: this.#path } };
  }

  /** What the server sent on the response to a request; `first` bears the facts of the response. */
  answer(
    raw: Uint8Array,
    id: IdToken | undefined,
    { at, first, ...facts }: AnswerFacts & { first: boolean },
  ): ForeignEntry {
    const on = id === undefined ? "post" : { id };
    return { at, from: "server", raw, on, ...(first && { http: factsOf({ at, ...facts }) }) };
  }

  /** The answer to a POST that held no request, or to a request that got nothing. */
  empty(request: Uint8Array, { at, status }: AnswerFacts): ForeignEntry {
    const { kind, id } = readMessage(request);
    const isRequest = kind === "request" && id !== undefined;
    return {
      at,
      from: "server",
      on: isRequest ? { id } : "post",
      http: { status: status ?? (isRequest ? 200 : 202) },
    };
  }
}

function factsOf({ status = 200, sse }: AnswerFacts): NonNullable<ForeignEntry["http"]> {
  return { status, headers: { "content-type": sse ? "text/event-stream" : "application/json" } };
}

/** The path of an endpoint; `/mcp` where only the origin is known. */
export function endpointPath(url: string, known?: string): string {
  if (!URL.canParse(url)) return known ?? "/mcp";
  const { pathname, search } = new URL(url);
  return pathname === "/" ? (known ?? "/mcp") : `${pathname}${search}`;
}

export function isHttp(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
