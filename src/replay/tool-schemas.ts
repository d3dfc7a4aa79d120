import { answerOf, type Exchange } from "../exchange/exchange.ts";
import { memberAt } from "../protocol/member.ts";
import { type JsonValue, jsonOf, type Message } from "../protocol/message.ts";

/** The `inputSchema` of each tool, by its name, as the recorded `tools/list` answers have it last. */
export function readToolSchemas(
  exchanges: Iterable<Exchange>,
  messageAt: (place: { readonly entry: number; readonly item: number }) => Message,
): ReadonlyMap<string, JsonValue> {
  const schemas = new Map<string, JsonValue>();
  for (const exchange of exchanges) {
    if (exchange.method !== "tools/list") continue;
    const answer = answerOf(exchange);
    if (answer?.role !== "outcome") continue;
    const tools = memberAt(jsonOf(messageAt(answer)), "result", "tools");
    if (!Array.isArray(tools)) continue;
    for (const tool of tools) {
      const name = memberAt(tool, "name");
      const schema = memberAt(tool, "inputSchema");
      if (typeof name === "string" && schema !== undefined) schemas.set(name, schema);
    }
  }
  return schemas;
}
