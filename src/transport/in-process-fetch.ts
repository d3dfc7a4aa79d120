/** A mock that answers fetch requests; see `HttpDoors`. */
interface Answering {
  fetch(request: Request): Promise<Response>;
}

/**
 * `fetch` without a network: a caller's abort ends the response as it would end a connection, which the mock is told of.
 */
export async function fetchFrom(
  door: Answering,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> {
  const request = new Request(input, init);
  const { signal } = request;
  signal.throwIfAborted();
  const response = await door.fetch(request);
  if (!response.body) return response;
  const body = response.body.pipeThrough(new TransformStream(), { signal });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
