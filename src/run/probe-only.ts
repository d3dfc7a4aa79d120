import { readFileSync, statSync } from "node:fs";
import type { Codec } from "../cassette/codec.ts";
import type { Entry } from "../exchange/entry.ts";
import { readMessage } from "../protocol/message.ts";

/** A probe and its answer are far smaller than this. */
const MOST_BYTES = 256 * 1024;

/**
 * Whether a cassette holds nothing but a client's question which era the server speaks (`server/discover`) and the
 * answer. Clients of the official SDK 2.x ask it of a process of its own and then start the server anew
 * (2026-07-28 basic/versioning), so the recording proper is still to come.
 * @throws VcrError `cassette-invalid`
 */
export function isProbeOnly(file: string, codec: Codec): boolean {
  if (statSync(file).size > MOST_BYTES) return false;
  const decoder = codec.decoder(file);
  const entries = [...decoder.push(readFileSync(file)), ...decoder.end().entries].map(({ entry }) => entry);
  return (
    entries.some(isProbe) &&
    entries.every((entry) => isProbe(entry) || entry.from === "server" || entry.closed)
  );
}

function isProbe({ from, body }: Entry): boolean {
  return from === "client" && body !== undefined && readMessage(body.bytes).method === "server/discover";
}
