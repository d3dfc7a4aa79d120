// As little HTTP/1.1 as a load needs: POSTs over kept sockets, one at a time on each; bodies by length or chunked.
import { connect } from "node:net";

const HEAD_END = "\r\n\r\n";

export class RawHttpClient {
  #url;
  #head;
  #idle = [];

  constructor(url, headers) {
    this.#url = url;
    const lines = Object.entries({ host: url.host, ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    this.#head = `POST ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}`;
  }

  post(text, onBody) {
    const connection = this.#idle.pop() ?? this.#connect();
    connection.onBody = onBody;
    connection.socket.write(`${this.#head}content-length: ${Buffer.byteLength(text)}${HEAD_END}${text}`);
  }

  #connect() {
    const socket = connect(Number(this.#url.port), this.#url.hostname);
    socket.setNoDelay(true);
    const connection = { socket, onBody: undefined };
    let received = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const body = bodyOf(received);
      if (body === undefined) return;
      received = Buffer.alloc(0);
      this.#idle.push(connection);
      connection.onBody(body);
    });
    socket.on("close", () => {
      throw new Error("the server closed a connection");
    });
    return connection;
  }
}

/** The body of a complete response, or undefined while it is not complete. */
function bodyOf(bytes) {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString("latin1", 0, end).toLowerCase();
  if (!head.startsWith("http/1.1 200")) throw new Error(`answered with ${bytes.toString("utf8", 0, 500)}`);
  const rest = bytes.subarray(end + HEAD_END.length);
  const length = head.match(/\r\ncontent-length: *(\d+)/)?.[1];
  if (length !== undefined) return rest.length >= Number(length) ? rest : undefined;
  if (!/\r\ntransfer-encoding: *chunked/.test(head)) throw new Error(`neither a length nor chunks: ${head}`);
  return dechunk(rest);
}

function dechunk(bytes) {
  const chunks = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
