import { type IdToken, idToken, type Message, textOf } from "../protocol/message.ts";
import { findSpan } from "../protocol/scan-json.ts";

/** The JSON value at a path of a message's object as a token, spelt as ids are: see `IdToken`. */
export function tokenAt(message: Message, path: readonly string[]): IdToken | undefined {
  const span = findSpan(message.bytes, path);
  return span && idToken(textOf(message.bytes.subarray(span.start, span.end)));
}
