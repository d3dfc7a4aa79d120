import { idToken, readMessage, textOf } from "../protocol/message.ts";
import { type ForeignEntry, type ForeignRecording, isoOf, momentOf, Times } from "./foreign.ts";
import { endpointPath, HttpEntries } from "./http-entries.ts";
import type { Piece } from "./piece.ts";

const encoder = new TextEncoder();
const VERSIONS = [1, 2];

/**
 * A cassette of mcp-cassette for Node, versions 1 and 2 (https://github.com/ivermin1123/mcp-cassette,
 * docs/cassette-format-v2.md and src/cassette.ts): a header and a line for each frame, or for each stream of frames.
 * @throws VcrError `cassette-invalid` for another version
 */
export function readMcpCassetteJsonl([header, ...lines]: readonly [Piece, ...Piece[]]): ForeignRecording {
  const version = header.need("cassetteVersion");
  if (!VERSIONS.includes(version.number())) {
    throw version.fault(`version ${version.number()} is not known; ${VERSIONS.join(" and ")} are`);
  }
  const url = header.find("url")?.text();
  const isHttp = header.find("transport")?.text() === "http" && url !== undefined;
  const told: Told[] = lines.flatMap(readLine);
  // A stream stands in the file where it ended, and each of its frames has the time at which it came.
  told.sort((a, b) => a.at - b.at);
  const times = new Times();
  const timed = told.map((each) => ({ ...each, at: times.at(each.at) }));
  return {
    recorded: isoOf(momentOf(header.find("startedAt")?.text() ?? "")),
    source: isHttp
      ? { transport: "http", url }
      : {
          transport: "stdio",
          command:
            header
              .find("command")
              ?.items()
              .map((arg) => arg.text()) ?? [],
        },
    entries: isHttp
      ? overHttp(timed, endpointPath(url))
      : timed.map(({ at, from, raw }) => ({ at, from, raw })),
    notices: lines.flatMap((line) => unknownNotice(line)),
  };
}

/** A frame, and which stream it came on. */
interface Told {
  readonly at: number;
  readonly from: "client" | "server";
  readonly raw: Uint8Array;
  readonly status?: number | undefined;
  /** Exact token of the request whose stream it is on; `get` for the standalone one. */
  readonly stream?: string | undefined;
  /** It is the first of its stream. */
  readonly first?: boolean | undefined;
}

function readLine(line: Piece): Told[] {
  const type = line.need("type").text();
  if (type !== "frame" && type !== "raw" && type !== "chunks") return [];
  const from = line.need("dir").text() === "c2s" ? "client" : "server";
  const at = line.find("t")?.number() ?? 0;
  if (type === "raw") return [{ at, from, raw: encoder.encode(line.need("data").text()) }];
  const status = line.find("http")?.find("status")?.number();
  if (type === "frame") return [{ at, from, raw: line.need("frame").bytes, status }];
  const id = line.find("id");
  const stream = id ? idToken(textOf(id.bytes)) : "get";
  return line
    .need("chunks")
    .items()
    .map((chunk, index) => ({
      at: chunk.find("t")?.number() ?? at,
      from,
      raw: chunk.need("frame").bytes,
      stream,
      first: index === 0,
    }));
}

function unknownNotice(line: Piece): string[] {
  const type = line.find("type")?.text();
  const known = type === "frame" || type === "raw" || type === "chunks";
  return known ? [] : [`an entry of the unknown type ${JSON.stringify(type)} is left out`];
}

function overHttp(told: readonly Told[], path: string): ForeignEntry[] {
  const http = new HttpEntries(path);
  return told.flatMap(({ at, from, raw, status, stream, first = false }): ForeignEntry[] => {
    const { kind, id } = readMessage(raw);
    if (from === "client") {
      const posted = http.post(raw, at);
      return kind === "request" ? [posted] : [posted, http.empty(raw, { at, status, sse: false })];
    }
    if (stream === "get") return [{ at, from, raw, on: "get" }];
    if (stream !== undefined) return [http.answer(raw, stream, { at, status, sse: true, first })];
    return [http.answer(raw, id, { at, status, sse: false, first: true })];
  });
}
