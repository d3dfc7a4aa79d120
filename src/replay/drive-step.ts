import { memberAt, rowOf } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";

/** What was asked: see `Miss`. */
interface Missed {
  readonly method: string;
  readonly asked: JsonValue;
  readonly askedText?: string | undefined;
}

/** Characters of a line that may be pasted. */
const LONGEST = 160;

/** How drive files spell the requests that they have words for, given the params. */
const SPELT: Readonly<Record<string, (params: JsonValue) => object>> = {
  "tools/call": (params) => ({ call: memberAt(params, "name"), arguments: memberAt(params, "arguments") }),
  "resources/read": (params) => ({ read: memberAt(params, "uri") }),
  "prompts/get": (params) => ({ prompt: memberAt(params, "name"), arguments: memberAt(params, "arguments") }),
};

/**
 * The step of a drive file that asks what was missed, for people without a client at hand: JSON, which is YAML as well.
 * Undefined where it would be long, or hold a number that JavaScript cannot.
 */
export function driveStep({ method, asked, askedText }: Missed): string | undefined {
  if (askedText !== undefined) return undefined;
  const step = rowOf(SPELT, method)?.(asked) ?? { request: method, params: asked };
  const text = JSON.stringify(step);
  return text.length > LONGEST ? undefined : text;
}
