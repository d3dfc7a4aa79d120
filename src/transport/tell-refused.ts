import type { Message } from "../protocol/message.ts";
import { labelIn } from "../replay/noted.ts";
import type { Player } from "../replay/player.ts";
import { type Irregularity, type RequestFacts, refusalOf } from "../wire/irregularity.ts";

/** Requests by which a client finds out what a server speaks: it may be refused, and go on in another way. */
const OPENINGS: ReadonlySet<string | undefined> = new Set(["initialize", "server/discover"]);

/** Tells a door's user that a request did not get as far as the recording: a client that is right sends none such. */
export function tellRefused({ options }: Player, message: Message, how: string): void {
  const asks = message.kind === "request" || message.kind === "malformed";
  if (!asks || OPENINGS.has(message.method)) return;
  const what =
    message.kind === "malformed"
      ? "What is no JSON-RPC message"
      : labelIn(options.redact?.message(message) ?? message);
  options.onRefused?.(`${what} was refused by ${how}`);
}

/** The same of one that breaks a rule of the transport. A version that is not supported may be a client's question. */
export function tellFlaw(player: Player, message: Message, flaw: Flaw): void {
  const refusal = refusalOf(flaw.name, flaw.facts);
  if (!refusal || flaw.name === "protocol-version") return;
  tellRefused(player, message, `HTTP ${refusal.status}: ${refusal.message}`);
}

interface Flaw {
  readonly name: Irregularity;
  readonly facts: RequestFacts;
}
