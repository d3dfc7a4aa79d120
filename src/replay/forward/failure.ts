import type { Message } from "../../protocol/message.ts";
import { findSpan } from "../../protocol/scan-json.ts";
import type { Pending } from "./in-flight.ts";

/** JSON-RPC error code of a request that the real server did not answer; implementation-defined, as that of a miss. */
const FAILURE_CODE = -32011;

interface Failure {
  readonly server: string;
  readonly reason: string;
}

/** What the client gets in place of an answer, and the same for people. */
export function failureAnswer({ id, label }: Pick<Pending, "id" | "label">, failure: Failure) {
  const explanation = `${label} was not answered: the real server (${failure.server}) ${failure.reason}`;
  const error = JSON.stringify({
    code: FAILURE_CODE,
    message: `mcp-vcr: ${explanation}`,
    data: { label, ...failure },
  });
  return {
    explanation,
    message: new TextEncoder().encode(`{"jsonrpc":"2.0","id":${id},"error":${error}}`),
  };
}

/** What an error says, as it stands in its JSON. */
export function errorOf({ bytes }: Message): string {
  const span = findSpan(bytes, ["error", "message"]);
  return span ? new TextDecoder().decode(bytes.subarray(span.start, span.end)) : "without a reason";
}
