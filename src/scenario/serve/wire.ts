import type { IdToken, JsonObject } from "../../protocol/message.ts";
import { META } from "../../protocol/revisions.ts";
import { jsonText } from "../spelt-number.ts";
import type { RpcError, Settled } from "./settled.ts";

const encoder = new TextEncoder();

/** An id is spelt as its sender spelt it. */
export function resultBytes(id: IdToken, result: JsonObject): Uint8Array {
  return encoder.encode(`{"jsonrpc":"2.0","id":${id},"result":${jsonText(result)}}`);
}

export function errorBytes(id: IdToken, error: RpcError | JsonObject): Uint8Array {
  return encoder.encode(`{"jsonrpc":"2.0","id":${id},"error":${jsonText(error as JsonObject)}}`);
}

export function settledBytes(id: IdToken, outcome: Settled): Uint8Array {
  return "error" in outcome ? errorBytes(id, outcome.error) : resultBytes(id, outcome.result);
}

export function requestBytes(id: IdToken, method: string, params: JsonObject): Uint8Array {
  return encoder.encode(
    `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${jsonText(params)}}`,
  );
}

export function notificationBytes(method: string, params: JsonObject | undefined): Uint8Array {
  return encoder.encode(jsonText({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) }));
}

/** `notifications/progress` of a request, whose token is spelt as the client spelt it. */
export function progressBytes(token: string, params: JsonObject): Uint8Array {
  return withParam("notifications/progress", params, `"progressToken":${token}`);
}

/** A notification to a subscription, which is known by its request's id. */
export function subscriptionBytes(id: IdToken, method: string, params: JsonObject): Uint8Array {
  return withParam(method, params, `"_meta":{${JSON.stringify(META.subscriptionId)}:${id}}`);
}

function withParam(method: string, params: JsonObject, member: string): Uint8Array {
  const others = Object.keys(params).length > 0 ? `,${jsonText(params).slice(1, -1)}` : "";
  return encoder.encode(`{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":{${member}${others}}}`);
}
