import type { Player } from "../replay/player.ts";
import type { Recording } from "../replay/recording.ts";
import type { Asked, Door } from "./door.ts";
import { HttpDoor, type HttpDoorOptions } from "./http-door.ts";
import type { Answer } from "./open-body.ts";
import { ENDPOINT, SseDoor } from "./sse-door.ts";

export type HttpDoorsOptions = Omit<HttpDoorOptions, "path">;

/** Where a cassette answers over a transport that it was not recorded with. */
const STREAMABLE_PATH = "/mcp";
const PAIR_PATH = "/sse";

/** Where a recording answers over the transport it was recorded with: the path of the MCP endpoint first. */
export function pathsOf(recording: Recording): readonly [endpoint: string, ...others: string[]] {
  const endpoint = endpointOf(recording);
  const others = recording.isPair ? [ENDPOINT] : [...recording.paths];
  return [endpoint, ...others.filter((path) => path !== endpoint)];
}

function endpointOf({ path }: Recording): string {
  return path?.split("?")[0] ?? STREAMABLE_PATH;
}

/**
 * A cassette over HTTP: at the recorded path over the recorded transport, and beside
 * it over the other one, Streamable HTTP at `/mcp` or the HTTP+SSE pair at `/sse`, as servers do that serve old and new
 * clients (2025-11-25 basic/transports, backwards compatibility). What the recording has at such a path comes first.
 */
export class HttpDoors implements Door {
  /** The path of the MCP endpoint, over the recorded transport. */
  readonly path: string;
  readonly #streamable: HttpDoor;
  readonly #pair: SseDoor;
  readonly #pairPaths: ReadonlySet<string>;

  constructor(player: Player, options: HttpDoorsOptions) {
    const { recording } = player;
    this.path = endpointOf(recording);
    const pairPath = recording.isPair ? this.path : PAIR_PATH;
    this.#pair = new SseDoor(player, { ...options, path: pairPath });
    this.#pairPaths = new Set(
      [pairPath, ENDPOINT].filter((path) => recording.isPair || !this.#recorded(player, path)),
    );
    this.#streamable = new HttpDoor(player, {
      ...options,
      path: recording.isPair ? STREAMABLE_PATH : this.path,
    });
  }

  #recorded({ recording }: Player, path: string): boolean {
    return path === this.path || recording.paths.has(path);
  }

  answer(asked: Asked): Answer | Promise<Answer> {
    return (this.#pairPaths.has(asked.pathname) ? this.#pair : this.#streamable).answer(asked);
  }

  /** The TCP connection is closed. */
  disconnected(connection: object): void {
    // Clients of the pair are told apart by their streams.
    this.#streamable.disconnected(connection);
  }

  close(): void {
    this.#streamable.close();
    this.#pair.close();
  }
}
