import type { Door } from "./door.ts";
import { fetchDoor } from "./fetch-door.ts";

export interface InProcessServer {
  readonly door: Door;
  /** Aborted when the server goes away, and its connections with it. */
  readonly gone: AbortSignal;
}

/**
 * `fetch` without a network: an abort by the caller ends the response as it would end a connection, which the mock is
 * told of.
 */
export async function fetchFrom(
  { door, gone }: InProcessServer,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const asked = new Request(input, init);
  const signal = AbortSignal.any([asked.signal, gone]);
  signal.throwIfAborted();
  const request = new Request(asked, { signal });
  const response = await fetchDoor(door, request);
  if (!response.body) return response;
  const body = response.body.pipeThrough(new TransformStream(), { signal });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
