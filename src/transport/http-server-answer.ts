import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Answer, BodySink, OpenBody } from "./open-body.ts";

/** Sends an answer, its head together with what there is of its body. */
export function send(outgoing: ServerResponse, { status, headers, body }: Answer): void {
  if (!body) outgoing.writeHead(status, headers as OutgoingHttpHeaders).end();
  else if (body instanceof Uint8Array) sendWhole(outgoing, { status, headers, body });
  else sendOpen(outgoing, { status, headers, body });
}

function sendWhole(outgoing: ServerResponse, { status, headers, body }: Answer & { body: Uint8Array }): void {
  outgoing.statusCode = status;
  for (const name in headers) outgoing.setHeader(name, headers[name] as string);
  const { req } = outgoing;
  // Node tells the length of a body that it has whole, but not of one that HEAD asks about, or HTTP/1.0.
  if (req.method === "HEAD" || req.httpVersionMinor === 0) outgoing.setHeader("Content-Length", body.length);
  outgoing.end(body);
}

function sendOpen(outgoing: ServerResponse, { status, headers, body }: Answer & { body: OpenBody }): void {
  const { socket } = outgoing;
  outgoing.writeHead(status, headers as OutgoingHttpHeaders);
  outgoing.on("close", () => body.leave());
  socket?.cork();
  outgoing.flushHeaders();
  body.pour(new ResponseSink(outgoing));
  socket?.uncork();
}

class ResponseSink implements BodySink {
  readonly #outgoing: ServerResponse;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  write(bytes: Uint8Array): void {
    this.#outgoing.write(bytes);
  }

  close(): void {
    this.#outgoing.end();
  }

  break(): void {
    this.#outgoing.req.socket.destroySoon();
  }
}
