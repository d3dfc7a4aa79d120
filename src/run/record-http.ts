import { startProxy } from "../transport/http-proxy.ts";
import type { Address } from "../transport/origin.ts";
import type { Room } from "../wire/room.ts";
import type { EntrySink } from "./entry-sink.ts";
import { HttpTap } from "./http-tap.ts";

export interface RecordHttpOptions {
  /** The server's MCP endpoint. */
  readonly upstream: URL;
  /** Where clients connect instead; port 0 takes any free one. */
  readonly listen: Address;
  readonly sink: EntrySink;
  /** Where bodies are joined; for a sink that keeps none of them. */
  readonly room?: Room | undefined;
}

export interface HttpRecording {
  /** What clients use in place of the upstream URL. */
  readonly url: string;
  /** What the server has turned out to speak so far. */
  transport(): "http" | "http+sse";
  /** Breaks off what is under way and resolves when all that was seen is with the sink. */
  close(): Promise<void>;
}

/**
 * Stands between clients and an MCP server over HTTP, and gives the sink what passes.
 * @throws VcrError `usage` when the address cannot be listened on.
 */
export async function recordHttp({
  upstream,
  listen,
  sink,
  room,
}: RecordHttpOptions): Promise<HttpRecording> {
  // @note Node sends what was written only after the current callback; looking at it there would hold it up.
  const tap = new HttpTap({ upstream, sink, room, defer: setImmediate });
  const proxy = await startProxy({ upstream, listen, tap });
  return {
    url: proxy.url,
    transport: () => tap.transport(),
    close: async () => {
      await proxy.close();
      await tap.settled();
    },
  };
}
