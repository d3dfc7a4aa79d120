import type { Path } from "../protocol/conformity/shape.ts";

/** What is looked at, and why a finding of it matters. */
export const CHECK_RULES = {
  format: "the file does not hold to the format of a cassette",
  "cut-off": "the file stops in the middle of an entry, which is not served",
  empty: "nothing was checked, so nothing can be said to be right",
  unasked: "an answer that no request waits for is never served",
  unanswered: "a client that asks this waits for ever, and the recording does not say why",
  "same-id": "while two requests with one id wait, answers cannot be told apart",
  "wrong-stream": "the entry says it came with a request that there is not",
  dangling: "what one side gives back was never given out by the other",
  message: "the message breaks a rule of its protocol revision",
  schema: "the tool's own schema cannot be used",
  arguments: "a call was accepted that the tool's inputSchema rejects",
  result: "a result breaks the tool's outputSchema",
  secret: "a credential is in a file that is made to be shared",
} as const;

export type CheckRule = keyof typeof CHECK_RULES;

export interface Finding {
  readonly rule: CheckRule;
  /** Without the place; never with a secret in it. */
  readonly message: string;
  /** How to mend it. */
  readonly hint?: string | undefined;
  /** Of the entry, counted from 0. */
  readonly ordinal: number;
  /** Where in the entry's document; empty for the entry itself. */
  readonly path: Path;
}

/** Takes findings as they are made. */
export type Report = (finding: Finding) => void;
