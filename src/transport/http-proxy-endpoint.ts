/** Past this many bytes without an event's end, nothing is held back any more. */
const MOST_HELD = 65_536;
const END_OF_EVENT = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r)/g;

/**
 * Rewrites the URL in the `endpoint` event that opens a stream of the HTTP+SSE pair
 * (https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse), and nothing else in the
 * stream. Bytes are held back until the first event with data is whole, which is when a client could first
 * act on it; after it they are returned as they come.
 */
export class EndpointRewriter {
  readonly #rewrite: (url: string) => string;
  #held: Buffer | undefined = Buffer.alloc(0);

  constructor(rewrite: (url: string) => string) {
    this.#rewrite = rewrite;
  }

  /** What may be sent on now, possibly nothing. */
  push(chunk: Buffer): Buffer {
    if (!this.#held) return chunk;
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const text = bytes.toString("latin1");
    let start = 0;
    for (const { index, 0: ending } of text.matchAll(END_OF_EVENT)) {
      const end = index + ending.length;
      if (/^data/m.test(text.slice(start, end))) {
        this.#held = undefined;
        return this.#rewritten(text, start, end);
      }
      start = end;
    }
    const release = bytes.length - start > MOST_HELD;
    this.#held = release ? undefined : bytes.subarray(start);
    return release ? bytes : bytes.subarray(0, start);
  }

  /** What is still held when the stream ends. */
  end(): Buffer {
    const held = this.#held ?? Buffer.alloc(0);
    this.#held = undefined;
    return held;
  }

  #rewritten(text: string, start: number, end: number): Buffer {
    const event = text.slice(start, end);
    const [data, ...more] = [...event.matchAll(/^data:( ?)([^\r\n]*)/gm)];
    if (!data || more.length > 0 || !/^event: ?endpoint$/m.test(event)) return Buffer.from(text, "latin1");
    const from = start + data.index + "data:".length + (data[1] as string).length;
    const url = data[2] as string;
    return Buffer.from(text.slice(0, from) + this.#rewrite(url) + text.slice(from + url.length), "latin1");
  }
}
