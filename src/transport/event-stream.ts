import { SseFramer } from "../wire/sse-framer.ts";

/** What an event stream left for taking it up again. */
export interface EventStream {
  readonly lastEventId?: string | undefined;
  /** Milliseconds. */
  readonly retry?: number | undefined;
}

export interface StreamEvent {
  readonly name: string | undefined;
  readonly data: Uint8Array;
}

/**
 * Reads a response's event stream to its end, which may be a broken connection; events without data only leave what
 * they say of the stream.
 */
export async function readEvents(
  response: Response,
  onEvent: (event: StreamEvent) => void,
): Promise<EventStream> {
  const framer = new SseFramer();
  const left: { lastEventId?: string; retry?: number } = {};
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      framer.push(part.value, ({ id, retry, name, data }) => {
        if (id !== undefined) left.lastEventId = id;
        if (retry !== undefined) left.retry = retry;
        if (data !== undefined && data.length > 0) onEvent({ name, data });
      });
    }
  } catch {
    // A stream that breaks is over, like one that ends; who wants more takes it up again.
  }
  return left;
}
