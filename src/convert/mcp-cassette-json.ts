import type { On } from "../exchange/entry.ts";
import { readMessage, type Side } from "../protocol/message.ts";
import { type ForeignEntry, type ForeignRecording, isoOf, momentOf, Times } from "./foreign.ts";
import type { Piece } from "./piece.ts";

const encoder = new TextEncoder();
const NEWEST = 3;

/**
 * A cassette of mcp-cassette for Python, formats 1 to 3 (https://github.com/cheneeheng/mcp-cassette,
 * src/mcp_cassette/cassette.py): every message, with its time and, over HTTP, the exchange it travelled in.
 * @throws VcrError `cassette-invalid` for another format
 */
export function readMcpCassetteJson(root: Piece): ForeignRecording {
  const version = root.need("format_version");
  if (version.number() > NEWEST)
    throw version.fault(`format ${version.number()} is not known; 1 to ${NEWEST} are`);
  const url = root.find("server_url")?.text();
  const times = new Times();
  const asked = new Map<number, On>();
  const entries = root
    .need("messages")
    .items()
    .map((message) => entryOf(message, times, asked));
  return {
    recorded: isoOf(momentOf(root.need("recorded_at").text())),
    source:
      url === undefined ? { transport: "stdio", command: ["mcp-cassette"] } : { transport: "http", url },
    entries,
    notices: url === undefined ? ["mcp-cassette does not keep the command that started the server"] : [],
  };
}

function entryOf(message: Piece, times: Times, asked: Map<number, On>): ForeignEntry {
  const payload = message.need("payload");
  const value = payload.value();
  const raw = typeof value === "string" ? encoder.encode(value) : payload.bytes;
  const from = message.need("sender").text() as Side;
  if (from !== "client" && from !== "server") throw message.fault("sender must be client or server");
  const entry = { at: times.at(message.find("t_offset_ms")?.number() ?? 0), from, raw };
  const exchange = message.find("exchange")?.number();
  if (from === "server") return { ...entry, on: streamOf(message, exchange, asked) };
  const { kind, id } = readMessage(raw);
  if (exchange !== undefined && kind === "request" && id !== undefined) asked.set(exchange, { id });
  return entry;
}

function streamOf(
  message: Piece,
  exchange: number | undefined,
  asked: ReadonlyMap<number, On>,
): On | undefined {
  if (message.find("channel")?.text() === "get") return "get";
  return exchange === undefined ? undefined : asked.get(exchange);
}
