import { tokenAt } from "../../exchange/token.ts";
import { eachMessage, type IdToken, type Message, readMessage } from "../../protocol/message.ts";
import type { Outline } from "../../rerecord/outline.ts";

/** How often these come differs from run to run, so one is enough. */
const ONCE: ReadonlySet<string | undefined> = new Set(["notifications/progress", "notifications/message"]);

interface Expected {
  readonly ordinal: number;
  readonly key: string;
  readonly once: boolean;
}

/**
 * What the server sent of its own accord on one recorded connection, and what of that has come this time: a client goes
 * on when it has heard what it had heard before it went on in the recording.
 */
export class Heard {
  readonly #expected: readonly Expected[];
  readonly #counts = new Map<string, number>();
  /** Waited for in vain. */
  readonly #missing = new Set<string>();
  /** Exchanges by the progress token that they have now. */
  readonly #byToken = new Map<IdToken, number>();
  readonly #leftOut: ReadonlySet<number>;

  /** @param leftOut ordinals of entries that belong to what is not asked */
  constructor(outline: Outline, session: number, leftOut: ReadonlySet<number>) {
    this.#expected = expectedIn(outline, session);
    this.#leftOut = leftOut;
  }

  /** An exchange of the recording, by its index, has been begun under this token. */
  begun(exchange: number, token: IdToken): void {
    this.#byToken.set(token, exchange);
  }

  hear(message: Message): void {
    const token = tokenAt(message, ["params", "progressToken"]);
    const key = keyOf(message, token === undefined ? undefined : this.#byToken.get(token));
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Whether all has come that had before an entry. */
  upTo(ordinal: number): boolean {
    return this.#lacking(ordinal).length === 0;
  }

  /** What has not come by now is not waited for again. */
  giveUp(ordinal: number): void {
    for (const key of this.#lacking(ordinal)) this.#missing.add(key);
  }

  #lacking(before: number): string[] {
    const wanted = new Map<string, number>();
    for (const { ordinal, key, once } of this.#expected) {
      if (ordinal >= before) break;
      if (!this.#leftOut.has(ordinal)) wanted.set(key, once ? 1 : (wanted.get(key) ?? 0) + 1);
    }
    return [...wanted].flatMap(([key, count]) =>
      this.#missing.has(key) || (this.#counts.get(key) ?? 0) >= count ? [] : [key],
    );
  }
}

function expectedIn(outline: Outline, session: number): Expected[] {
  const expected: Expected[] = [];
  for (let ordinal = 0; ordinal < outline.count; ordinal++) {
    const entry = outline.entries.entryAt(ordinal);
    if (entry.session !== session || entry.from !== "server" || !entry.body) continue;
    for (const message of eachMessage(readMessage(entry.body.bytes))) {
      if ((message.kind !== "notification" && message.kind !== "request") || message.method === "ping")
        continue;
      const key = keyOf(message, outline.homes[ordinal]);
      expected.push({ ordinal, key, once: ONCE.has(message.method) });
    }
  }
  return expected;
}

function keyOf(message: Message, exchange: number | undefined): string {
  const { method = "" } = message;
  if (method === "notifications/progress") return `${method} ${exchange}`;
  return `${method} ${tokenAt(message, ["params", "uri"]) ?? ""}`;
}
