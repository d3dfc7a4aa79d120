import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { Player } from "../replay/player.ts";
import { serveStdio } from "../run/serve-stdio.ts";

/**
 * What a client starts instead of the server: it passes its stdin and stdout to the test's process, where the player is.
 * It ends as a server would: with 0 when its client closed its stdin, with 1 when the recorded server died or the tape
 * was closed. It is written to a file, which every configuration and command line can name, and needs nothing but Node.
 */
const relayTo = (address: string) => `"use strict";
const { stdin, stdout } = process;
const socket = require("node:net").connect({ path: ${JSON.stringify(address)}, allowHalfOpen: true });
let left = false;
stdin.once("end", () => { left = true; });
stdin.pipe(socket).pipe(stdout);
socket.once("end", () => { process.exitCode = left ? 0 : 1; stdin.destroy(); });
socket.once("error", (error) => {
  console.error("mcp-vcr: the test's tape is closed (" + error.code + ")");
  process.exit(1);
});
`;

const folders = new Set<string>();

/** One listener for all: Node warns of many. */
function removeAtExit(folder: string): void {
  if (folders.size === 0) process.on("exit", removeAll);
  folders.add(folder);
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  folders.delete(folder);
  if (folders.size === 0) process.off("exit", removeAll);
}

function removeAll(): void {
  for (const folder of [...folders]) remove(folder);
}

/** Lets clients that start a command reach a player of this process. */
export class SpawnDoor {
  readonly command: string = process.execPath;
  /** Of the relay and, where the system has them in folders, of the socket. */
  readonly #folder: string;
  readonly #relay: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #player: () => Player;

  /** @param player the one that answers who connects now */
  constructor(player: () => Player) {
    this.#player = player;
    this.#folder = mkdtempSync(join(tmpdir(), "mcp-vcr-"));
    const address =
      process.platform === "win32" ? `\\\\.\\pipe\\mcp-vcr-${randomUUID()}` : join(this.#folder, "tape");
    this.#relay = join(this.#folder, "server.cjs");
    writeFileSync(this.#relay, relayTo(address));
    // Of a tape that nobody closes.
    removeAtExit(this.#folder);
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket));
    this.#server.listen(address);
    // A test that leaves its tape open still ends.
    this.#server.unref();
  }

  get args(): string[] {
    return [this.#relay];
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    const gone = new Promise<void>((resolve) => {
      socket.once("error", () => resolve());
      socket.once("close", () => {
        this.#sockets.delete(socket);
        resolve();
      });
    });
    // Its own end of the socket must outlive the client's.
    const stdin = socket.pipe(new PassThrough());
    void serveStdio({ stdin, stdout: socket }, this.#player(), gone).finally(() => socket.end());
  }

  /** Ends the connections there are; who connects later starts afresh. */
  disconnect(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.disconnect();
    await closed;
    remove(this.#folder);
  }
}
