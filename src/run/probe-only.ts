import { readFileSync, statSync } from "node:fs";
import type { Codec, Decoder } from "../cassette/codec.ts";
import type { Entry } from "../exchange/entry.ts";
import { readMessage } from "../protocol/message.ts";

/** A probe and its answer are far smaller than this. */
const MOST_BYTES = 256 * 1024;
/** Bytes looked at a time. */
const PIECE = 4096;

/**
 * Whether a cassette holds nothing but a client's question which era the server speaks (`server/discover`) and the
 * answer. Clients of the official SDK 2.x ask it of a process of its own and then start the server anew
 * (2026-07-28 basic/versioning), so the recording proper is still to come.
 * @throws VcrError `cassette-invalid`
 */
export function isProbeOnly(file: string, codec: Codec): boolean {
  if (statSync(file).size > MOST_BYTES) return false;
  let probed = false;
  for (const entry of entriesOf(readFileSync(file), codec.decoder(file))) {
    if (isProbe(entry)) probed = true;
    else if (entry.from !== "server" && !entry.closed) return false;
  }
  return probed;
}

/** A piece at a time: of most cassettes the first shows that there is more. */
function* entriesOf(bytes: Uint8Array, decoder: Decoder): Iterable<Entry> {
  for (let at = 0; at < bytes.length; at += PIECE) {
    for (const { entry } of decoder.push(bytes.subarray(at, at + PIECE))) yield entry;
  }
  for (const { entry } of decoder.end().entries) yield entry;
}

function isProbe({ from, body }: Entry): boolean {
  return from === "client" && body !== undefined && readMessage(body.bytes).method === "server/discover";
}
