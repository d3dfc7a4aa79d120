import { readMessage } from "../protocol/message.ts";
import { type ForeignEntry, type ForeignRecording, isoOf, momentOf, Times } from "./foreign.ts";
import { endpointPath, HttpEntries, isHttp } from "./http-entries.ts";
import type { Piece } from "./piece.ts";

/**
 * A recording of mcp-recorder, version 1 (https://github.com/devhelmhq/mcp-recorder, src/mcp_recorder/_types.py): what
 * was asked and answered, in order, each with how long it took.
 */
export function readMcpRecorder(root: Piece): ForeignRecording {
  const metadata = root.need("metadata");
  const interactions = root.need("interactions").items();
  const url = metadata.find("server_url")?.text() ?? "";
  const known = interactions.map((each) => each.find("http_path")?.text()).find((path) => path !== undefined);
  const times = new Times();
  const recorded = metadata.find("recorded_at")?.text() ?? "";
  const reader = isHttp(url) ? new OverHttp(endpointPath(url, known), times) : new OverStdio(times);
  return {
    recorded: isoOf(momentOf(recorded)),
    source: isHttp(url)
      ? { transport: "http", url }
      : { transport: "stdio", command: [url || "mcp-recorder"] },
    entries: interactions.flatMap((each) => reader.entries(each)),
    notices: [
      "mcp-recorder keeps the first message of each answer: progress and requests of the server are not in its " +
        "recordings, and times are sums of what each answer took",
    ],
  };
}

interface Reader {
  entries(interaction: Piece): ForeignEntry[];
}

class OverHttp implements Reader {
  readonly #http: HttpEntries;
  readonly #times: Times;
  #at = 0;

  constructor(path: string, times: Times) {
    this.#http = new HttpEntries(path);
    this.#times = times;
  }

  entries(interaction: Piece): ForeignEntry[] {
    const asked = this.#times.at(this.#at);
    this.#at += interaction.find("latency_ms")?.number() ?? 0;
    const at = this.#times.at(this.#at);
    const request = interaction.find("request");
    const status = interaction.find("response_status")?.number();
    if (!request) return lifecycle(interaction, { asked, at, status });
    const sse = interaction.find("response_is_sse")?.value() === true;
    const response = interaction.find("response");
    const { id } = readMessage(request.bytes);
    return [
      this.#http.post(request.bytes, asked),
      response
        ? this.#http.answer(response.bytes, id, { at, status, sse, first: true })
        : this.#http.empty(request.bytes, { at, status, sse }),
    ];
  }
}

/** A GET or DELETE. */
function lifecycle(
  interaction: Piece,
  { asked, at, status = 200 }: { asked: number; at: number; status?: number | undefined },
) {
  const method = interaction.need("http_method").text();
  const path = interaction.find("http_path")?.text() ?? "/mcp";
  const on = method === "DELETE" ? "delete" : "get";
  const entries: ForeignEntry[] = [{ at: asked, from: "client", http: { method, path } }];
  entries.push({ at, from: "server", on, http: { status } });
  return entries;
}

class OverStdio implements Reader {
  readonly #times: Times;
  #at = 0;

  constructor(times: Times) {
    this.#times = times;
  }

  entries(interaction: Piece): ForeignEntry[] {
    const asked = this.#times.at(this.#at);
    this.#at += interaction.find("latency_ms")?.number() ?? 0;
    const request = interaction.need("request");
    const response = interaction.find("response");
    return [
      { at: asked, from: "client", raw: request.bytes },
      ...(response ? [{ at: this.#times.at(this.#at), from: "server", raw: response.bytes } as const] : []),
    ];
  }
}
