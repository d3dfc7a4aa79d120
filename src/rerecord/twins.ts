import type { Entry } from "../exchange/entry.ts";
import type { Message } from "../protocol/message.ts";
import { type JsonScan, scanJson } from "../protocol/scan-json.ts";
import type { Outline, Outlined } from "./outline.ts";
import type { Facts } from "./references.ts";
import type { Wordings } from "./wordings.ts";

/** A message that another recording holds in the same words. */
export interface Twin {
  /** Its ordinal there. */
  readonly ordinal: number;
  readonly message: Message;
  /** The exchange that it began there; undefined of an answer. */
  readonly outlined: Outlined | undefined;
  /** Of an answer: the method of the request that it answered there. */
  readonly answers: string | undefined;
}

/** Finds what is known of a recording's entries from another recording. */
export class Twins {
  readonly outline: Outline;
  readonly #wordings: Wordings;

  /** @param wordings those of the outline's messages that `maybeTwin` is true of */
  constructor(outline: Outline, wordings: Wordings) {
    this.outline = outline;
    this.#wordings = wordings;
  }

  of({ from, on, http, event, closed, body }: Entry): Twin | undefined {
    if (on || http || event || closed || body?.form !== "message") return undefined;
    const ordinal = this.#wordings.find(from, body.bytes);
    if (ordinal < 0) return undefined;
    if (from === "server") {
      const { token, method } = this.outline.meantBy(ordinal, 0);
      const message = new Repeated(body.bytes, { kind: "response", id: token, method: undefined });
      return { ordinal, message, outlined: undefined, answers: method };
    }
    const outlined = this.outline.exchanges[this.outline.homes[ordinal] as number];
    if (outlined?.exchange.entry !== ordinal) return undefined;
    return { ordinal, message: new Repeated(body.bytes, outlined.exchange), outlined, answers: undefined };
  }
}

/**
 * Whether all that an entry says is a message of the client with which an exchange begins, or a result, and it holds no
 * name but its id.
 */
export function maybeTwin(
  { from, on, http, event, closed, body }: Entry,
  frame: Message,
  facts: Facts,
): boolean {
  if (on || http || event || closed || body?.form !== "message" || !facts.plain) return false;
  if (from === "server") return frame.kind === "response" && !frame.isError && facts.references.length === 1;
  return frame.kind === "request" || frame.kind === "notification";
}

/** Read only by whoever looks into it. */
class Repeated implements Message {
  readonly bytes: Uint8Array;
  readonly kind: Message["kind"];
  readonly id: Message["id"];
  readonly method: Message["method"];
  readonly isError = false;
  #scan: JsonScan | undefined;

  constructor(bytes: Uint8Array, { kind, id, method }: Pick<Message, "kind" | "id" | "method">) {
    this.bytes = bytes;
    this.kind = kind;
    this.id = id;
    this.method = method;
  }

  get scan(): JsonScan {
    this.#scan ??= scanJson(this.bytes);
    return this.#scan;
  }
}
