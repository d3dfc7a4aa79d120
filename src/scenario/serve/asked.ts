import { tokenAt } from "../../exchange/token.ts";
import { memberAt } from "../../protocol/member.ts";
import type { IdToken, JsonObject, JsonValue, Message } from "../../protocol/message.ts";
import { labelOf } from "../../protocol/methods.ts";
import { META, type Revision } from "../../protocol/revisions.ts";
import { isObject } from "../matcher.ts";
import { speltParamsOf } from "../spelt-number.ts";
import type { Scope } from "../template.ts";

/** Who asks, as far as it is known. */
export interface Client {
  readonly revision: Revision;
  readonly capabilities: JsonObject;
  readonly info: JsonValue;
  /** Log lines of this level and above are told; none when undefined. */
  readonly logLevel: string | undefined;
}

/** A request of the client. */
export interface Asked {
  readonly message: Message;
  readonly id: IdToken;
  readonly method: string;
  readonly params: JsonObject;
  readonly client: Client;
  /** As the client spelt it. */
  readonly progressToken: string | undefined;
  /** Method and name. */
  readonly label: string;
}

export function askedBy(message: Message, client: Client): Asked {
  const params = speltParamsOf(message);
  const method = message.method ?? "";
  return {
    message,
    id: message.id ?? "null",
    method,
    params: isObject(params) ? params : {},
    client,
    progressToken: tokenAt(message, ["params", "_meta", "progressToken"]),
    label: labelOf(method, params),
  };
}

/** What templates can take values from. */
export function scopeOf(
  { client, params }: Asked,
  known: Pick<Scope, "args" | "answers" | "state" | "nth">,
): Scope {
  return { ...known, params, client: isObject(client.info) ? client.info : {} };
}

/** A client of the modern era, by what each of its requests says of it. */
export function modernClient(params: JsonValue | undefined, revision: Revision): Client {
  const meta = (key: string) => memberAt(params, "_meta", key);
  const capabilities = meta(META.clientCapabilities);
  const level = meta(META.logLevel);
  return {
    revision,
    capabilities: isObject(capabilities) ? capabilities : {},
    info: meta(META.clientInfo) ?? null,
    logLevel: typeof level === "string" ? level : undefined,
  };
}
