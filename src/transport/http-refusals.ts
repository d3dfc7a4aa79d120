import type { JsonValue, Message } from "../protocol/message.ts";
import { errorBytes } from "../replay/probes.ts";
import { type Irregularity, type RequestFacts, refusalOf } from "../wire/irregularity.ts";

const PLAIN = "text/plain;charset=utf-8";

export function refuse(flaw: Irregularity, facts: RequestFacts, message: Message | undefined): Response {
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
): Response {
  const body =
    more.data === undefined
      ? errorBytes(more.id ?? "null", code, message)
      : new TextEncoder().encode(
          `{"jsonrpc":"2.0","id":${more.id ?? "null"},"error":${JSON.stringify({ code, message, data: more.data })}}`,
        );
  return new Response(body as Uint8Array<ArrayBuffer>, {
    status,
    headers: { "content-type": "application/json" },
  });
}

export function methodNotAllowed(): Response {
  return new Response("Method Not Allowed", {
    status: 405,
    headers: { allow: "POST", "content-type": PLAIN },
  });
}

export function text(status: number, body: string): Response {
  return new Response(body, { status, headers: { "content-type": PLAIN } });
}
