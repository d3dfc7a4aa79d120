import type { JsonValue, Message } from "../protocol/message.ts";
import { errorBytes } from "../replay/probes.ts";
import { type Irregularity, type RequestFacts, refusalOf } from "../wire/irregularity.ts";
import type { Answer } from "./open-body.ts";

const PLAIN = "text/plain;charset=utf-8";
const encoder = new TextEncoder();

export function refuse(flaw: Irregularity, facts: RequestFacts, message: Message | undefined): Answer {
  const answer = refusalOf(flaw, facts);
  if (!answer) throw new Error(`a request was refused for ${flaw}, which it does not have`);
  const { status, ...error } = answer;
  return refusal(status, error.code, error.message, { id: message?.id, data: answer.data });
}

export function refusal(
  status: number,
  code: number,
  message: string,
  more: { id?: string | undefined; data?: JsonValue | undefined } = {},
): Answer {
  const body =
    more.data === undefined
      ? errorBytes(more.id ?? "null", code, message)
      : encoder.encode(
          `{"jsonrpc":"2.0","id":${more.id ?? "null"},"error":${JSON.stringify({ code, message, data: more.data })}}`,
        );
  return { status, headers: { "content-type": "application/json" }, body };
}

export function methodNotAllowed(): Answer {
  return text(405, "Method Not Allowed", { allow: "POST" });
}

export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...headers, "content-type": PLAIN }, body: encoder.encode(body) };
}
