import type { Entry } from "../../exchange/entry.ts";
import { eachMessage, jsonOf, type Message, readMessage, textOf } from "../../protocol/message.ts";
import type { Entries } from "../../rerecord/outline.ts";
import { isNumber, textOfIds } from "./id-members.ts";
import { isDrawn, pairPieces, uniqueIn, withPieces } from "./minted.ts";
import { messageAt, type Place } from "./places.ts";

const encoder = new TextEncoder();

/** Ids that a note lists. */
const MOST_SHOWN = 5;

/**
 * Ids that a server draws anew in each run, where no rule of the protocol says so (of a record that a tool made, say),
 * and that a client sends back later, in arguments or in a URI: what they are called now.
 */
export class Echoes {
  readonly #entries: Entries;
  /** Ids that the server gave, and the client sent back later: the ordinal of the entry that gave it first. */
  readonly #givers = new Map<string, number>();
  readonly #live = new Map<string, string>();
  /** Recorded ids by those that were sent in their place. */
  readonly #sent = new Map<string, string>();

  constructor(entries: Entries) {
    this.#entries = entries;
    const asked = new Set<string>();
    const given = new Map<string, number>();
    for (let ordinal = 0; ordinal < entries.count; ordinal++) {
      const { from, body } = entries.entryAt(ordinal);
      if (!body) continue;
      const message = readMessage(body.bytes);
      const pieces = uniqueIn(textOf(body.bytes));
      const ids = from === "server" ? new Ids(message, pieces) : undefined;
      for (const piece of pieces) {
        const giver = given.get(piece);
        if (ids) {
          if (!asked.has(piece) && giver === undefined && ids.has(piece)) given.set(piece, ordinal);
        } else if (giver === undefined) asked.add(piece);
        else this.#givers.set(piece, giver);
      }
    }
  }

  /** Learns from a message of the server, and the recorded one in whose place it is. What was said first holds. */
  pair(place: Place, live: Message): void {
    if (this.#givers.size === 0 || !live.scan.valid) return;
    const recorded = messageAt(this.#entries, place);
    if (!recorded.scan.valid) return;
    const still = uniqueIn(textOf(live.bytes));
    pairPieces(jsonOf(recorded), jsonOf(live), (piece, now) => {
      if (!this.#givers.has(piece) || this.#live.has(piece)) return;
      this.#live.set(piece, still.has(piece) ? piece : now);
    });
  }

  /** A recorded message of the client, with the ids that hold now. */
  write(message: Message): Message {
    return this.#rewritten(message, (piece) => {
      const live = this.#live.get(piece);
      if (live !== undefined && live !== piece && !this.#sent.has(live)) this.#sent.set(live, piece);
      return live;
    });
  }

  /** What was sent in the place of recorded ids, and therefore counts as the same: for people to judge. */
  get notes(): string[] {
    if (this.#sent.size === 0) return [];
    const pairs = [...this.#sent].map(([live, recorded]) => `${recorded} (now ${live})`);
    const shown = pairs.slice(0, MOST_SHOWN).join(", ");
    const more = pairs.length > MOST_SHOWN ? ` and ${pairs.length - MOST_SHOWN} more` : "";
    return [`Taken for ids that the server draws anew, so no difference: ${shown}${more}.`];
  }

  /** Whether a recorded message sends back an id that only one of these entries can have drawn. */
  isOf(message: Message, leftOut: ReadonlySet<number>): boolean {
    if (this.#givers.size === 0 || leftOut.size === 0) return false;
    return [...uniqueIn(textOf(message.bytes))].some((piece) => {
      const giver = this.#givers.get(piece);
      return giver !== undefined && leftOut.has(giver) && isDrawn(piece) && !this.#live.has(piece);
    });
  }

  /** A live message with the recorded ids in place of those that were sent instead. */
  asRecorded(message: Message): Message {
    return this.#rewritten(message, (piece) => this.#sent.get(piece));
  }

  /** The same of an entry, its HTTP headers too. */
  entryAsRecorded(entry: Entry): Entry {
    if (this.#sent.size === 0) return entry;
    const old = (piece: string) => this.#sent.get(piece);
    const { body, http } = entry;
    const headers =
      http?.headers &&
      Object.fromEntries(Object.entries(http.headers).map(([name, value]) => [name, withPieces(value, old)]));
    const text = body && body.form !== "base64" ? textOf(body.bytes) : undefined;
    const now = text === undefined ? undefined : withPieces(text, old);
    return {
      ...entry,
      ...(http && headers && { http: { ...http, headers } }),
      ...(body && now !== undefined && now !== text && { body: { ...body, bytes: encoder.encode(now) } }),
    };
  }

  #rewritten(message: Message, pieceFor: (piece: string) => string | undefined): Message {
    if (this.#live.size === 0 || !message.scan.valid) return message;
    const text = textOf(message.bytes);
    const now = withPieces(text, pieceFor);
    return now === text ? message : readMessage(encoder.encode(now));
  }
}

/** Which pieces of a server's message may be ids: a number only where it is said to be one. */
class Ids {
  readonly #named: ReadonlySet<string>;

  constructor(message: Message, pieces: ReadonlySet<string>) {
    const numbers = message.scan.valid && [...pieces].some(isNumber);
    const messages = numbers ? [...eachMessage(message)] : [];
    this.#named = uniqueIn(messages.map((each) => textOfIds(jsonOf(each))).join("\n"));
  }

  has(piece: string): boolean {
    return !isNumber(piece) || this.#named.has(piece);
  }
}
