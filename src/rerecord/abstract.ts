import type { Entry } from "../exchange/entry.ts";
import { type Message, readMessage } from "../protocol/message.ts";
import { factsOf } from "./references.ts";
import { type Renaming, rewritten } from "./rewrite.ts";

/** Marks every name and value as one, so that what differs in nothing else is equal. */
export const ABSTRACT: Renaming = {
  name: ({ kind }) => `"•${kind}"`,
  value: ({ type }) => JSON.stringify(`•${type}`),
  session: () => "0",
  retry: () => 0,
  pair: true,
};

/** A question as it is asked in every recording. */
export function abstractOf({ bytes }: Message): Message {
  const entry: Entry = { at: 0, from: "client", session: 1, body: { form: "message", bytes } };
  const abstract = rewritten(
    entry,
    factsOf(entry, () => undefined),
    ABSTRACT,
  );
  return readMessage(abstract.body?.bytes ?? bytes);
}
