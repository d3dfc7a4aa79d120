import type { JsonObject, JsonValue } from "../../protocol/message.ts";

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue | undefined;
}

/** What a request comes to. */
export type Settled = { readonly result: JsonObject } | { readonly error: RpcError | JsonObject };
