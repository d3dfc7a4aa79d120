import { readFileSync, statSync } from "node:fs";
import type { Codec, Decoder } from "../cassette/codec.ts";
import type { Entry } from "../exchange/entry.ts";
import { memberAt } from "../protocol/member.ts";
import { jsonOf, type Message, readMessage } from "../protocol/message.ts";

/** A session that did not come about is far shorter than this, a server that says much before it fails aside. */
const MOST_BYTES = 256 * 1024;
/** Bytes looked at a time. */
const PIECE = 4096;
/** Characters of a server's reason. */
const LONGEST_WHY = 200;

/**
 * What there is in a cassette in which no session came about.
 * `nothing` no message of a client's
 * `probe`   a client's question which era the server speaks (`server/discover`), and the answer. Clients of the official
 *           SDK 2.x ask it of a process of its own and then start the server anew (2026-07-28 basic/versioning), so the
 *           recording proper is still to come, after this
 * `failed`  an `initialize` that failed, so that whoever is served it fails too
 */
export type Beginning =
  | { readonly kind: "nothing" | "probe" }
  | {
      readonly kind: "failed";
      /** What became of it, as the end of a sentence. */
      readonly why: string;
    };

/**
 * What a cassette holds that is no more than a beginning; undefined for one that holds more, or may.
 * @param codec the file's own
 * @throws VcrError `cassette-invalid`
 */
export function beginningOf(file: string, codec: Codec): Beginning | undefined {
  if (statSync(file).size > MOST_BYTES) return undefined;
  const reading = new Reading();
  for (const entry of entriesOf(readFileSync(file), codec.decoder(file))) {
    if (!reading.goesOnBeginning(entry)) return undefined;
  }
  return reading.beginning;
}

/**
 * What is said of a recording in which no session came about.
 * @param kept in a file of its own, rather than thrown away for the cassette that there is
 */
export function noSession(file: string, why: string, kept: boolean): string {
  const then = kept ? "The next recording takes its place." : "It stays as it was.";
  return `${file}: no session was recorded, since initialize ${why}. ${then}`;
}

/** A piece at a time: of most cassettes the first shows that there is more. */
function* entriesOf(bytes: Uint8Array, decoder: Decoder): Iterable<Entry> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    for (const { entry } of decoder.push(bytes.subarray(at, at + PIECE))) yield entry;
  }
  for (const { entry } of decoder.end().entries) yield entry;
}

/** What a client says that only wants to begin. */
const OPENERS: ReadonlySet<string | undefined> = new Set([
  "server/discover",
  "initialize",
  "notifications/cancelled",
]);

class Reading {
  #probed = false;
  #discovered = false;
  #initialized = false;
  /** The client sent HTTP requests without a message: it looks for something. */
  #looked = false;
  #why: string | undefined;

  /** False for an entry that shows that there is more. */
  goesOnBeginning(entry: Entry): boolean {
    return entry.from === "client" ? this.#client(entry) : this.#server(entry);
  }

  get beginning(): Beginning | undefined {
    if (this.#initialized)
      return this.#discovered ? undefined : { kind: "failed", why: this.#why ?? "got no answer" };
    if (this.#looked) return undefined;
    return { kind: this.#probed ? "probe" : "nothing" };
  }

  #client({ body, http }: Entry): boolean {
    if (!body) {
      this.#looked ||= http !== undefined;
      return true;
    }
    const { method } = readMessage(body.bytes);
    this.#probed ||= method === "server/discover";
    this.#initialized ||= method === "initialize";
    return OPENERS.has(method);
  }

  #server(entry: Entry): boolean {
    const message = entry.body && readMessage(entry.body.bytes);
    if (message?.kind === "batch") return false;
    const answers = message?.kind === "response" && !message.isError;
    if (answers && this.#initialized) return false;
    this.#discovered ||= answers;
    if (this.#initialized) this.#why ??= whyNot(entry, message);
    return true;
  }
}

/** What an entry that came after `initialize` says of why that failed, if anything. */
function whyNot({ http, closed }: Entry, message: Message | undefined): string | undefined {
  if (message?.isError) return `was refused: ${textIn(message)}`;
  if (http?.status !== undefined && http.status >= 400) return `was answered with status ${http.status}`;
  return closed?.exit ? `got no answer from a server that ended with exit code ${closed.exit}` : undefined;
}

function textIn(message: Message): string {
  const text = JSON.stringify(memberAt(jsonOf(message), "error", "message") ?? null);
  return text.length > LONGEST_WHY ? `${text.slice(0, LONGEST_WHY)}…` : text;
}
