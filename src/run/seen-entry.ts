import { isUtf8 } from "node:buffer";
import type { Body, Entry, HttpFacts } from "../exchange/entry.ts";
import { type JsonScan, scanJson } from "../protocol/scan-json.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Seen } from "./entry-sink.ts";

type Unplaced = Omit<Seen, "session">;

/** Makes entries of what was seen on the wire: redacted, and with the form that keeps the body unharmed. */
export class EntryMaker {
  readonly #redactor: Redactor;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Member by member, since this is done for every message that passes. */
  entry({ from, on, http, event, raw, scan, closed }: Unplaced, at: number, session: number): Entry {
    return {
      at,
      from,
      session,
      on,
      http: http && this.#facts(http),
      event,
      body: raw && this.#body(raw, scan ?? scanJson(raw, true)),
      closed,
    };
  }

  #body(raw: Uint8Array, scan: JsonScan): Body {
    if (scan.valid) return { form: scan.harmed ? "json" : "message", bytes: this.#redactor.json(raw) };
    return { form: isUtf8(raw) ? "text" : "base64", bytes: this.#redactor.text(raw) };
  }

  #facts(http: HttpFacts): HttpFacts {
    const path = http.path === undefined ? {} : { path: this.#redactor.url(http.path) };
    if (!http.headers) return { ...http, ...path };
    const headers = Object.entries(http.headers).map(
      ([name, value]) => [name, this.#redactor.header(name, value)] as const,
    );
    return { ...http, ...path, headers: Object.fromEntries(headers) };
  }
}
