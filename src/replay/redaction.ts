import { readMessage } from "../protocol/message.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Redaction } from "./playing.ts";

/** What a redactor makes of live messages. */
export function redactionBy(redactor: Redactor): Redaction {
  return {
    message: (message) => {
      const bytes = message.scan.valid ? redactor.json(message.bytes) : redactor.text(message.bytes);
      return bytes === message.bytes ? message : readMessage(bytes);
    },
    header: (name, value) => redactor.header(name, value),
  };
}
