import { type IdToken, idToken, type Message, textOf } from "../protocol/message.ts";
import { findSpan, type RootMember } from "../protocol/scan-json.ts";

/** The JSON value at a path of a message's object as a token, spelt as ids are: see `IdToken`. */
export function tokenAt(
  { bytes, scan }: Message,
  [root, ...path]: readonly [RootMember, ...string[]],
): IdToken | undefined {
  const within = scan.members[root];
  const span = within && findSpan(bytes, path, within);
  return span && idToken(textOf(bytes.subarray(span.start, span.end)));
}
