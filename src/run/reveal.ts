import { type Message, readMessage, textOf } from "../protocol/message.ts";
import { hashOf } from "./redaction.ts";

const PLACEHOLDER = /\[redacted:([0-9a-f]{8})\]/g;

/**
 * Puts values of environment variables where a recording has the placeholders that they became. A placeholder is a
 * hash, so what is put there is what stood there, or nothing.
 * @param variables names of the variables that may hold secrets
 */
export function revealer(
  variables: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): (message: Message) => Message {
  const values = new Map(
    variables.flatMap((name): [string, string][] => {
      const value = env[name];
      return value ? [[hashOf(value), value]] : [];
    }),
  );
  if (values.size === 0) return (message) => message;
  return (message) => {
    const text = textOf(message.bytes);
    const revealed = text.replace(PLACEHOLDER, (whole, hash: string) => {
      const value = values.get(hash);
      return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
    });
    return revealed === text ? message : readMessage(new TextEncoder().encode(revealed));
  };
}
