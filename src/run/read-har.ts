import { isoOf, momentOf } from "../convert/foreign.ts";
import type { Piece } from "../convert/piece.ts";
import type { Source } from "../exchange/entry.ts";
import { readMessage } from "../protocol/message.ts";
import type { RawHeaders } from "../transport/http-proxy-tap.ts";
import type { Seen } from "./entry-sink.ts";
import { HttpTap } from "./http-tap.ts";

/** What was seen, and when: milliseconds since the recording began. */
export interface TimedSeen {
  readonly at: number;
  readonly seen: Seen;
}

export interface HarRecording {
  readonly recorded: string;
  readonly source: Source;
  readonly entries: readonly TimedSeen[];
  readonly notices: readonly string[];
}

/** One request of a HAR with its answer (http://www.softwareishard.com/blog/har-12-spec/#entries). */
interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: RawHeaders;
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly began: number;
  readonly ended: number;
  readonly connection: string;
  /** 0 where there was no answer. */
  readonly status: number;
  readonly answerHeaders: RawHeaders;
  readonly answer: Uint8Array;
}

/**
 * The MCP traffic in a HAR, as the recorder would have taken it down. Which server is the MCP server, the first POST
 * of a JSON-RPC message tells; nothing else is taken.
 * @throws VcrError `cassette-invalid` where there is none, or the HAR is broken
 */
export function readHar(root: Piece): HarRecording {
  const exchanges = root.need("log").need("entries").items().map(readExchange);
  exchanges.sort((a, b) => a.began - b.began);
  const first = exchanges.find(isMcp);
  if (!first) throw root.need("log").fault("no request in it posts a JSON-RPC message");
  const { began } = exchanges.find(({ url }) => url.origin === first.url.origin) ?? first;
  const entries: TimedSeen[] = [];
  let now = began;
  const sink = { add: (seen: Seen) => entries.push({ at: Math.max(0, Math.round(now - began)), seen }) };
  const tap = new HttpTap({ upstream: first.url, sink, defer: (start) => start() });
  for (const { at, run } of momentsOf(exchanges, first.url.origin, tap)) {
    now = at;
    run();
  }
  return {
    recorded: isoOf(began),
    source: { transport: "http", url: first.url.href },
    entries,
    notices: ["a HAR does not tell when the events of a stream came: they are placed at its end"],
  };
}

interface Moment {
  readonly at: number;
  readonly run: () => void;
}

/** Requests and answers of the server, in the order in which they happened. */
function momentsOf(exchanges: readonly Exchange[], origin: string, tap: HttpTap): Moment[] {
  const connections = new Map<string, object>();
  const moments: Moment[] = [];
  for (const each of exchanges.filter(({ url }) => url.origin === origin)) {
    const connection = connections.get(each.connection) ?? {};
    connections.set(each.connection, connection);
    let watched: ReturnType<HttpTap["request"]>;
    const { method, url, headers } = each;
    moments.push({
      at: each.began,
      run: () => {
        watched = tap.request({ method, path: url.pathname + url.search, headers, connection });
        watched?.requestBody(each.body);
        watched?.requestEnd();
      },
    });
    moments.push({
      at: each.ended,
      run: () => {
        if (each.status === 0) return watched?.responseEnd("aborted-by-client");
        watched?.response(each.status, each.answerHeaders);
        watched?.responseBody(each.answer);
        watched?.responseEnd("end");
      },
    });
  }
  return moments.sort((a, b) => a.at - b.at);
}

function isMcp({ method, body }: Exchange): boolean {
  if (method !== "POST") return false;
  const { kind, scan } = readMessage(body);
  return kind === "batch" || (kind !== "malformed" && scan.members.jsonrpc !== undefined);
}

const encoder = new TextEncoder();

function readExchange(entry: Piece): Exchange {
  const request = entry.need("request");
  const response = entry.need("response");
  const began = momentOf(entry.need("startedDateTime").text());
  if (Number.isNaN(began)) throw entry.need("startedDateTime").fault("no moment that can be read");
  const address = request.need("url").text();
  if (!URL.canParse(address)) throw request.need("url").fault("no URL");
  const url = new URL(address);
  return {
    method: request.need("method").text(),
    url,
    headers: headersOf(request, url.host),
    body: encoder.encode(request.find("postData")?.find("text")?.text() ?? ""),
    began,
    ended: began + Math.max(0, entry.find("time")?.number() ?? 0),
    connection: entry.find("connection")?.text() ?? url.origin,
    status: response.find("status")?.number() ?? 0,
    answerHeaders: headersOf(response, undefined),
    answer: contentOf(response),
  };
}

/** Bodies stand in a HAR decoded, whatever the headers say; pseudo-headers of HTTP/2 are none. */
function headersOf(side: Piece, host: string | undefined): RawHeaders {
  const pairs = (side.find("headers")?.items() ?? []).map(
    (header) => [header.need("name").text(), header.find("value")?.text() ?? ""] as const,
  );
  const kept = pairs.filter(([name]) => !name.startsWith(":") && name.toLowerCase() !== "content-encoding");
  const named = kept.some(([name]) => name.toLowerCase() === "host");
  return [...kept.flat(), ...(named || host === undefined ? [] : ["host", host])];
}

function contentOf(response: Piece): Uint8Array {
  const content = response.find("content");
  const text = content?.find("text")?.text() ?? "";
  return content?.find("encoding")?.text() === "base64" ? Buffer.from(text, "base64") : encoder.encode(text);
}
