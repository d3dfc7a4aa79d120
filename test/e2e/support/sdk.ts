import { fixture } from "./program.ts";
import type { Client } from "./walk.ts";

interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly timeout?: number;
  readonly onprogress?: (progress: { readonly progress: number }) => void;
}

/** A connected client of a published SDK, in this process. */
export interface Sdk {
  readonly client: {
    connect(transport: unknown): Promise<void>;
    close(): Promise<void>;
    listTools(
      params?: object,
    ): Promise<{ readonly tools: readonly { readonly name: string }[]; readonly nextCursor?: string }>;
    /** Told of what has no handler of its own. */
    fallbackNotificationHandler?: (notification: {
      readonly method: string;
      readonly params?: object;
    }) => Promise<void>;
  };
  open(transport: string, way: object): unknown;
  request(
    method: string,
    params: object,
    options?: RequestOptions,
  ): Promise<{ readonly content: readonly { readonly text: string }[]; readonly isError?: boolean }>;
}

/** A program to start, or a URL: of Streamable HTTP, or of the HTTP+SSE pair. */
export type Way =
  | { readonly command: readonly string[] }
  | { readonly url: string; readonly transport?: "http" | "sse" };

interface ConnectOptions {
  /** Let the SDK ask a process of its own which revision the server speaks. */
  readonly siblingProbe?: boolean;
}

const { SDKS } = (await import(fixture("clients/walk/sdk.mjs"))) as {
  SDKS: Record<Client["sdk"], (options: object) => Promise<Sdk>>;
};

export async function connect({ sdk, era }: Client, way: Way, options: ConnectOptions = {}): Promise<Sdk> {
  const connected = await SDKS[sdk]({
    era,
    clientName: "tested",
    siblingProbe: options.siblingProbe ?? false,
  });
  await connected.client.connect(
    connected.open("url" in way ? (way.transport ?? "http") : "stdio", { ...way, fetch }),
  );
  return connected;
}
