import type { On } from "../exchange/entry.ts";
import { eachMessage, type IdToken, type Message, readMessage, textOf } from "../protocol/message.ts";
import { findSpan } from "../protocol/scan-json.ts";
import { headerValue } from "../transport/http-proxy-headers.ts";
import type { Ending, RawHeaders, RequestFacts, TapRequest } from "../transport/http-proxy-tap.ts";
import { Pieces } from "../wire/pieces.ts";
import type { Room } from "../wire/room.ts";
import type { EntrySink } from "./entry-sink.ts";
import { type Answer, type Asked, BodyAnswer, closedBy, EventAnswer } from "./http-answers.ts";
import { codingsOf, decodeBody } from "./http-content.ts";
import type { HttpFactsReader } from "./http-facts.ts";
import type { HttpLane, HttpLanes, RequestSigns } from "./http-lanes.ts";
import { type HttpPlaces, withSession } from "./http-places.ts";
import type { Turns } from "./http-turns.ts";

/** What all requests of one recording share. */
export interface Watch {
  readonly sink: EntrySink;
  /** Where bodies are joined. */
  readonly room: Room | undefined;
  readonly lanes: HttpLanes;
  readonly places: HttpPlaces;
  readonly turns: Turns;
  readonly facts: HttpFactsReader;
  readonly onPair: () => void;
}

/** One HTTP request and its answer, on their way into the recording. */
export class HttpExchange implements TapRequest {
  readonly #watch: Watch;
  readonly #facts: RequestFacts;
  readonly #body = new Pieces();
  /** Known once the request is recorded. */
  #asked: Asked | undefined;
  #answer: Answer | undefined;
  /** The server answered before the request was whole: its answer is recorded after it all the same. */
  readonly #early: (() => void | Promise<void>)[] = [];

  constructor(watch: Watch, facts: RequestFacts) {
    this.#watch = watch;
    this.#facts = facts;
  }

  requestBody(chunk: Uint8Array): void {
    this.#body.add(chunk);
  }

  requestEnd(): void {
    this.#watch.turns.run(() => {
      if (this.#asked) return;
      this.#record(false);
      if (this.#early.length > 0) return this.#catchUp();
    });
  }

  response(status: number, headers: RawHeaders): void {
    this.#afterRequest(() => this.#open(status, headers));
  }

  responseBody(chunk: Uint8Array): void {
    this.#afterRequest(() => this.#answer?.push(chunk));
  }

  responseEnd(how: Ending): void {
    this.#watch.turns.run(() => {
      if (this.#asked) this.#close(how);
      else return this.#breakOff(how);
    });
  }

  #afterRequest(job: () => void | Promise<void>): void {
    this.#watch.turns.run(() => {
      if (this.#asked) return job();
      this.#early.push(job);
    });
  }

  async #breakOff(how: Ending): Promise<void> {
    this.#record(how === "aborted-by-client");
    await this.#catchUp();
    this.#close(how);
  }

  async #catchUp(): Promise<void> {
    for (const job of this.#early.splice(0)) await job();
  }

  #record(aborted: boolean): void {
    const { headers, method } = this.#facts;
    const { lanes, sink, room } = this.#watch;
    const sent = this.#body.take(room?.for(this.#body.length));
    const raw = decodeBody(sent, codingsOf(headerValue(headers, "content-encoding"))) ?? sent;
    const message = readMessage(raw, true);
    const signs = this.#signs(message, headerValue(headers, "mcp-session-id"));
    const http = this.#watch.facts.ofRequest(this.#facts);
    const lane = lanes.take(signs);
    const on = streamOf(lane, signs, headers);
    this.#asked = { sink, room, lane, on, ids: idsOf(on, signs), onEndpoint: this.#endpointWatch(lane) };
    if (method === "GET") lane.streams += 1;
    const resumes = method === "GET" && on !== "get";
    sink.add({
      from: "client",
      session: lane.number,
      ...(resumes && { on }),
      http,
      ...(raw.length > 0 && { raw, scan: message.scan }),
      ...(aborted && { on: "post", closed: { reason: "aborted" } }),
    });
  }

  #signs(message: Message, sessionId: string | undefined): RequestSigns {
    const { method, path, connection } = this.#facts;
    const endpoint = this.#watch.places.isEndpoint(path) ? path : undefined;
    const { ids, initialize, clientInfo } = method === "POST" ? readSigns(message) : NO_SIGNS;
    return { connection, method, sessionId, endpoint, ids, initialize, clientInfo };
  }

  #endpointWatch(lane: HttpLane): ((reference: string) => string) | undefined {
    if (this.#facts.method !== "GET" || lane.named === "session") return undefined;
    return (reference) => {
      this.#watch.places.addEndpoint(lane, reference);
      this.#watch.onPair();
      return withSession(reference, lane);
    };
  }

  #open(status: number, headers: RawHeaders): void {
    const asked = this.#asked as Asked;
    const sessionId = headerValue(headers, "mcp-session-id");
    if (sessionId !== undefined) this.#watch.lanes.nameSession(asked.lane, sessionId);
    this.#watch.places.addRedirect(status, headerValue(headers, "location"));
    const http = this.#watch.facts.ofResponse(status, headers);
    const codings = codingsOf(headerValue(headers, "content-encoding"));
    if (isEventStream(headers)) this.#answer = new EventAnswer(asked, http, codings);
    else {
      const resumed = this.#facts.method === "GET";
      this.#answer = new BodyAnswer(resumed ? { ...asked, ids: [] } : asked, http, codings);
    }
  }

  #close(how: Ending): void {
    const asked = this.#asked as Asked;
    if (this.#facts.method === "GET") asked.lane.streams -= 1;
    if (this.#answer) this.#answer.end(how);
    else neverAnswered(asked, how);
  }
}

function neverAnswered(asked: Asked, how: Ending): void {
  const closed = closedBy(asked, how);
  if (closed) asked.sink.add(closed);
  asked.lane.release(asked.ids);
}

const CLIENT_INFO = [
  ["params", "_meta", "io.modelcontextprotocol/clientInfo"],
  ["params", "clientInfo"],
] as const;

type BodySigns = Pick<RequestSigns, "ids" | "initialize" | "clientInfo">;

const NO_SIGNS: BodySigns = { ids: [] };

/** What a POST's body tells of the client that sent it. */
function readSigns(frame: Message): BodySigns {
  const ids: IdToken[] = [];
  let initialize: IdToken | undefined;
  let clientInfo: string | undefined;
  for (const { kind, id, method, bytes } of eachMessage(frame)) {
    if (kind === "response" || kind === "malformed") continue;
    const span = findSpan(bytes, CLIENT_INFO[method === "initialize" ? 1 : 0]);
    if (span) clientInfo = textOf(bytes.subarray(span.start, span.end));
    if (kind !== "request" || id === undefined) continue;
    ids.push(id);
    if (method === "initialize") initialize = id;
  }
  return { ids, initialize, clientInfo };
}

/** The stream that a request's answer belongs to. */
function streamOf(lane: HttpLane, { method, ids }: RequestSigns, headers: RawHeaders): On | undefined {
  if (method === "GET") {
    const eventId = headerValue(headers, "last-event-id");
    return (eventId === undefined ? undefined : lane.streamOf(eventId)) ?? "get";
  }
  if (method === "DELETE") return "delete";
  const [id] = ids;
  if (id !== undefined) return { id };
  return method === "POST" ? "post" : undefined;
}

/** A stream that is resumed carries the response to the request it began with. */
function idsOf(on: On | undefined, { method, ids }: RequestSigns): readonly IdToken[] {
  return method === "GET" && typeof on === "object" ? [on.id] : ids;
}

function isEventStream(headers: RawHeaders): boolean {
  return headerValue(headers, "content-type")?.toLowerCase().startsWith("text/event-stream") === true;
}
