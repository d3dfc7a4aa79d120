import { type IdToken, type Message, readMessage } from "../../protocol/message.ts";

/** What tells a server that the request with this id is given up. */
export function cancellationOf(id: IdToken): Message {
  const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
  return readMessage(new TextEncoder().encode(text));
}
