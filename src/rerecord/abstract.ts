import type { Entry } from "../exchange/entry.ts";
import { type Message, readMessage } from "../protocol/message.ts";
import { markOf } from "./marks.ts";
import { factsOf } from "./references.ts";
import { type Renaming, rewritten } from "./rewrite.ts";

/** Marks every name and value as one, so that what differs in nothing else is equal. */
export const ABSTRACT: Renaming = {
  name: (reference) => `"•${markOf(reference)}"`,
  value: ({ type }) => JSON.stringify(`•${type}`),
  session: () => "0",
  retry: () => 0,
  pair: true,
};

/** A client asks the same with what the server gave it, whatever that was. */
const ASKED: Renaming = { ...ABSTRACT, name: ({ kind }) => `"•${kind}"` };

/** A question as it is asked in every recording. */
export function abstractOf({ bytes }: Message): Message {
  const entry: Entry = { at: 0, from: "client", session: 1, body: { form: "message", bytes } };
  const abstract = rewritten(
    entry,
    factsOf(entry, () => undefined),
    ASKED,
  );
  return readMessage(abstract.body?.bytes ?? bytes);
}
