import { VcrError } from "../errors.ts";
import { HttpClient } from "../transport/http-client.ts";
import type { Prepare } from "./drive-run.ts";
import type { EntrySink, Seen } from "./entry-sink.ts";
import { recordHttp } from "./record-http.ts";
import type { Tape } from "./recorder.ts";

export interface HttpServer {
  readonly url: string;
  /** Sent with every request, such as credentials. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Waited for when the client has left, before it ends its session. */
  readonly lingering?: (() => Promise<void>) | undefined;
}

/**
 * Drives a server over HTTP through the recording proxy, as any client would. What was under way is over when this
 * resolves.
 * @throws VcrError `server-failed`
 */
export async function driveHttp<End>(
  { url, headers, lingering }: HttpServer,
  recorder: Tape,
  prepare: Prepare<End>,
): Promise<End> {
  const listen = { host: "127.0.0.1", port: 0 };
  let reached = false;
  const add = (seen: Seen) => {
    reached ||= seen.from === "server" && seen.http?.status !== undefined;
    recorder.add(seen);
  };
  const sink: EntrySink = { add, fail: (error) => recorder.fail(error) };
  const proxy = await recordHttp({ upstream: new URL(url), listen, sink });
  const { driver, go } = prepare("http", (action) => client.act(action));
  const client = new HttpClient(proxy.url, driver, headers);
  try {
    return await go();
  } catch (error) {
    throw (reached ? undefined : unreached(url, error)) ?? error;
  } finally {
    await client.close(lingering);
    await proxy.close();
  }
}

/** What the system says of a connection that does not come about. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name could not be looked up",
  EHOSTUNREACH: "there is no way to the host",
  ETIMEDOUT: "the connection timed out",
};

/** The proxy tells its client, which is the driver; people are not to hear of a proxy. */
function unreached(url: string, error: unknown): VcrError | undefined {
  const told = error instanceof Error ? error.message : "";
  const code = Object.keys(REASONS).find((each) => told.includes(each));
  if (code === undefined) return undefined;
  return new VcrError("server-failed", `no answer from ${url}: ${REASONS[code]}`, {
    hint: "Check the URL, and that the server runs.",
    cause: error,
  });
}
