import { isSettled } from "../../exchange/exchange.ts";
import { type Message, textOf } from "../../protocol/message.ts";
import { flawsOf } from "../../replay/flaws.ts";
import type { Outline, Outlined } from "../../rerecord/outline.ts";
import { messageAt } from "./places.ts";

/** Puts secrets where a recording has placeholders for them, as far as they are known. */
export type Reveal = (message: Message) => Message;

const PLACEHOLDER = /\[redacted:[0-9a-f]{8}\]/;

/** Why a recorded request cannot be made again, whatever the server says; undefined where it can. */
export function hindranceOf(outline: Outline, { exchange }: Outlined, reveal: Reveal): string | undefined {
  if (!isSettled(exchange)) return "recorded without an answer";
  const message = messageAt(outline.entries, exchange);
  if (PLACEHOLDER.test(textOf(reveal(message).bytes))) return "holds a secret that was redacted";
  const flaws = flawsOf(outline.entries.entryAt(exchange.entry), message);
  return flaws.length > 0 ? "broke the rules of HTTP transport" : undefined;
}
