import { recordHttp } from "./record-http.ts";
import type { Recorder } from "./recorder.ts";
import { untilAskedToEnd } from "./signals.ts";

/**
 * Stands in front of the server behind `url` until this process is asked to end. Prints where clients reach it as one
 * JSON line on stdout.
 * @throws VcrError when the address cannot be listened at
 */
export async function runHttpRecorder(
  url: string,
  listen: { readonly host: string; readonly port: number },
  recorder: Recorder,
): Promise<number> {
  const proxy = await recordHttp({ upstream: new URL(url), listen, sink: recorder });
  process.stdout.write(`${JSON.stringify({ url: proxy.url })}\n`);
  await untilAskedToEnd();
  await proxy.close();
  recorder.close();
  return 0;
}
