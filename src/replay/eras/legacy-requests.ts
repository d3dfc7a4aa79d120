import { type JsonValue, type Message, readMessage } from "../../protocol/message.ts";
import { META, versionsOf } from "../../protocol/revisions.ts";
import { findSpan, replaceSpans } from "../../protocol/scan-json.ts";
import { adding, isObjectAt } from "./members.ts";

/** What a legacy client said of itself in `initialize`. */
export interface ClientFacts {
  readonly info: JsonValue | undefined;
  readonly capabilities: JsonValue | undefined;
  /** The negotiated revision. */
  readonly version: JsonValue | undefined;
}

/** The same request as a modern client makes it: with what each request says of its client there. */
export function modernRequest(message: Message, client: ClientFacts): Message {
  const { bytes, scan } = message;
  const { params } = scan.members;
  const meta = metaMembers(client);
  const own = findSpan(bytes, ["params", "_meta"]);
  if (isObjectAt(bytes, own)) return readMessage(replaceSpans(bytes, [adding(bytes, own, meta)]));
  const whole = `"_meta":{${meta.join(",")}}`;
  if (isObjectAt(bytes, params)) return readMessage(replaceSpans(bytes, [adding(bytes, params, [whole])]));
  const root = { start: bytes.indexOf(0x7b), end: bytes.lastIndexOf(0x7d) + 1 };
  // Params that are no object name nothing of MCP; they stay behind the ones put in, and count.
  return readMessage(replaceSpans(bytes, [adding(bytes, root, [`"params":{${whole}}`])]));
}

function metaMembers({ info, capabilities }: ClientFacts): readonly string[] {
  const member = (key: string, value: JsonValue) => `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  return [
    member(META.protocolVersion, versionsOf("modern").at(-1) as string),
    member(META.clientCapabilities, capabilities ?? {}),
    ...(info === undefined ? [] : [member(META.clientInfo, info)]),
  ];
}
