import { type RootReader, walkJson } from "../../protocol/json-walk.ts";
import { NamedSpans } from "./named-spans.ts";

/** The members a line of a cassette can have, numbered. */
export const MEMBER = {
  at: 0,
  from: 1,
  session: 2,
  on: 3,
  http: 4,
  event: 5,
  message: 6,
  closed: 7,
  json: 8,
  text: 9,
  base64: 10,
} as const;

/** The members of a message that tell what it is, numbered. */
export const INNER = { id: 0, method: 1, params: 2, result: 3, error: 4, jsonrpc: 5 } as const;

/**
 * Finds the members of one line at a time, and those of its message, without decoding or allocating anything. What it
 * says of a line holds until the next one is read.
 */
export class LineMembers extends NamedSpans implements RootReader {
  /** Those of the message. */
  readonly inner = new MessageMembers(Object.keys(INNER));

  constructor() {
    super(Object.keys(MEMBER));
  }

  /** False when the line is no JSON object, or holds a member twice or one of another name. */
  read(line: Uint8Array): boolean {
    this.reset(line);
    this.inner.reset(line);
    return walkJson(line, this, false).valid && !this.foreign && !this.twice;
  }

  override key(start: number, end: number): void {
    super.key(start, end);
    this.inner.listening = this.current === MEMBER.message;
  }
}

/** The children of whichever member is the message. */
class MessageMembers extends NamedSpans {
  listening = false;
  /** A name was spelt with escapes, and may be one of those that are looked for. Of a name that is there twice, the last counts. */
  escaped = false;

  override reset(bytes: Uint8Array): void {
    super.reset(bytes);
    this.listening = false;
    this.escaped = false;
  }

  override key(start: number, end: number, escaped = false): void {
    if (!this.listening) return;
    if (escaped) this.escaped = true;
    super.key(start, end);
  }

  override value(start: number, end: number): void {
    if (this.listening) super.value(start, end);
  }
}
