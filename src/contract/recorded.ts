import { memberAt } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";
import { answeredIn, type Exchanges } from "./extract.ts";

/** What tools were called with, and what structured content they answered, by their names. */
export interface RecordedValues {
  readonly arguments: ReadonlyMap<string, readonly JsonValue[]>;
  readonly results: ReadonlyMap<string, readonly JsonValue[]>;
}

/** The values of all calls in these recordings that a tool carried out. */
export function recordedValues(...recordings: readonly Exchanges[]): RecordedValues {
  const args = new Map<string, JsonValue[]>();
  const results = new Map<string, JsonValue[]>();
  for (const recording of recordings) {
    for (const { params, result } of answeredIn(recording, (method) => method === "tools/call")) {
      const name = memberAt(params, "name");
      if (typeof name !== "string" || result === undefined || memberAt(result, "isError") === true) continue;
      add(args, name, memberAt(params, "arguments") ?? {});
      const structured = memberAt(result, "structuredContent");
      if (structured !== undefined) add(results, name, structured);
    }
  }
  return { arguments: args, results };
}

function add(map: Map<string, JsonValue[]>, name: string, value: JsonValue): void {
  const values = map.get(name);
  if (values) values.push(value);
  else map.set(name, [value]);
}
