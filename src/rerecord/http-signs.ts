import type { Entry } from "../exchange/entry.ts";
import { opensStream } from "./oddities.ts";

/** Whether an HTTP answer says that what was sent is not taken. */
export function isRefusal(status: number): boolean {
  return status >= 300;
}

/** Which forms a server's HTTP answers had. */
export class HttpSigns {
  /** There were answers with a status. */
  statuses = false;
  /** One of them told the client the id of its session. */
  sessionIds = false;
  /** Messages came in answer to requests. */
  answers = false;
  /** Some of them came as events of a stream. */
  streams = false;
  /** POSTs that carried no request were refused. */
  postsRefused = false;

  add({ from, on, http, event, body }: Entry): void {
    if (from !== "server") return;
    if (http?.status !== undefined) {
      this.statuses = true;
      if (on === "post" && isRefusal(http.status)) this.postsRefused = true;
      if (http.headers?.["mcp-session-id"] !== undefined) this.sessionIds = true;
    }
    if (typeof on !== "object" || body === undefined) return;
    this.answers = true;
    // What comes after the first event of a response has no HTTP facts.
    if (event !== undefined || http === undefined || opensStream(http)) this.streams = true;
  }
}
