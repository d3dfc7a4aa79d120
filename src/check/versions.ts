import { memberAt } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";
import { claimedVersion } from "../protocol/revisions.ts";

/** Which revision each session speaks, as its messages say. */
export class Versions {
  readonly #settled = new Map<number, string>();

  /** Of a request or notification; empty where nothing says it yet. */
  ofAsk(session: number, method: string, params: JsonValue | undefined): string {
    const claimed = claimedVersion(params);
    if (claimed !== undefined) return claimed;
    if (method !== "initialize") return this.#settled.get(session) ?? "";
    const offered = memberAt(params, "protocolVersion");
    return typeof offered === "string" ? offered : "";
  }

  /** The answer to an `initialize` settles it. */
  settle(session: number, result: JsonValue | undefined): void {
    const version = memberAt(result, "protocolVersion");
    if (typeof version === "string") this.#settled.set(session, version);
  }

  /** Of the session's notifications and batches. */
  of(session: number): string {
    return this.#settled.get(session) ?? "";
  }
}
