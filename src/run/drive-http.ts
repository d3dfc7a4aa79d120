import type { DriveEnd } from "../drive/script.ts";
import { HttpClient } from "../transport/http-client.ts";
import type { Prepare } from "./drive-run.ts";
import { recordHttp } from "./record-http.ts";
import type { Recorder } from "./recorder.ts";

/**
 * Drives a server over HTTP through the recording proxy, as any client would. What was under way is over when this
 * resolves.
 * @throws VcrError `server-failed`
 */
export async function driveHttp(url: string, recorder: Recorder, prepare: Prepare): Promise<DriveEnd> {
  const listen = { host: "127.0.0.1", port: 0 };
  const proxy = await recordHttp({ upstream: new URL(url), listen, sink: recorder });
  const { driver, go } = prepare("http", (action) => client.act(action));
  const client = new HttpClient(proxy.url, driver);
  try {
    return await go();
  } finally {
    await client.close();
    await proxy.close();
  }
}
