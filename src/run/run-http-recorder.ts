import { type EntrySink, NOT_REACHED, type Seen } from "./entry-sink.ts";
import { warn } from "./notices.ts";
import { recordHttp } from "./record-http.ts";
import type { Recorder } from "./recorder.ts";
import { untilAskedToEnd } from "./signals.ts";

/**
 * Stands in front of the server behind `url` until this process is asked to end. Prints where clients reach it as one
 * JSON line on stdout. Resolves to the exit code: 4 when the server was asked and never reached,
 * 2 when the cassette could not be written to the end.
 * @throws VcrError when the address cannot be listened at
 */
export async function runHttpRecorder(
  url: string,
  listen: { readonly host: string; readonly port: number },
  recorder: Recorder,
): Promise<number> {
  const sink = new ReachedSink(url, recorder);
  const proxy = await recordHttp({
    upstream: new URL(url),
    listen,
    sink,
    room: recorder.room(),
  });
  // Whoever reads the URL may ask us to end at once.
  const asked = untilAskedToEnd();
  process.stdout.write(`${JSON.stringify({ url: proxy.url })}\n`);
  await asked;
  await proxy.close();
  recorder.close();
  if (sink.failed && !sink.reached) return 4;
  return recorder.failed ? 2 : 0;
}

/** Hands on to the recorder, and tells people when the server cannot be reached: only the client would know. */
class ReachedSink implements EntrySink {
  readonly #url: string;
  readonly #recorder: Recorder;
  reached = false;
  failed = false;

  constructor(url: string, recorder: Recorder) {
    this.#url = url;
    this.#recorder = recorder;
  }

  add(seen: Seen): void {
    if (seen.from === "server" && seen.http?.status !== undefined) this.reached = true;
    if (seen.from === "server" && seen.closed?.reason === NOT_REACHED && !this.failed) {
      this.failed = true;
      warn(`${this.#url}: ${NOT_REACHED}; clients get a 502 that says why`);
    }
    this.#recorder.add(seen);
  }

  fail(error: unknown): void {
    this.#recorder.fail(error);
  }
}
