import { memberAt } from "../../protocol/member.ts";
import type { JsonObject, JsonValue, Message } from "../../protocol/message.ts";
import { methodRow, senderOf } from "../../protocol/methods.ts";
import {
  claimedVersion,
  eraOf,
  eraOfRequest,
  META,
  type Revision,
  revisionOf,
} from "../../protocol/revisions.ts";
import { paramsOf } from "../../replay/key.ts";
import { isObject } from "../matcher.ts";
import type { Scenario } from "../model.ts";
import { type Client, modernClient } from "./asked.ts";
import type { RpcError } from "./settled.ts";
import { asInfo, INVALID_PARAMS, METHOD_NOT_FOUND, UNSUPPORTED_VERSION } from "./speech.ts";

/** Who asks, and the answer where the request is part of the greeting itself; or why it is refused. */
export type Greeted =
  | { readonly client: Client; readonly result?: (capabilities: JsonObject) => JsonObject }
  | { readonly error: RpcError };

/** In which revision a client speaks, by how it opens; several ways of opening on one connection may follow each other. */
export class Greeting {
  readonly #scenario: Scenario;
  readonly #legacy: readonly Revision[];
  readonly #modern: readonly Revision[];
  #opened: Omit<Client, "logLevel"> | undefined;
  /** Set by a legacy client; until then it is told everything. */
  logLevel = "debug";

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const revisions = scenario.revisions.flatMap((version) => revisionOf(version) ?? []);
    this.#legacy = revisions.filter(({ era }) => era === "legacy");
    this.#modern = revisions.filter(({ era }) => era === "modern");
  }

  of(message: Message): Greeted {
    const method = message.method ?? "";
    const params = paramsOf(message);
    return eraOfRequest({ method, params }) === "modern"
      ? this.#modernOf(method, params)
      : this.#legacyOf(method, params);
  }

  knows(method: string, { version }: Revision): boolean {
    return ["client", "both"].includes(senderOf(method, version) ?? "");
  }

  isProtocol(method: string): boolean {
    return methodRow(method) !== undefined;
  }

  #modernOf(method: string, params: JsonValue | undefined): Greeted {
    const newest = this.#modern.at(-1);
    // A server of the legacy era has no such method, which is how a client finds out.
    if (!newest) return { error: { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` } };
    const requested = claimedVersion(params);
    if (requested === undefined || !isObject(memberAt(params, "_meta", META.clientCapabilities))) {
      const lacking = requested === undefined ? META.protocolVersion : META.clientCapabilities;
      return { error: { code: INVALID_PARAMS, message: `Invalid params: _meta lacks ${lacking}` } };
    }
    const revision = this.#modern.find(({ version }) => version === requested);
    if (!revision) return { error: this.#unsupported(requested) };
    const client = modernClient(params, revision);
    if (method !== "server/discover") return { client };
    const { instructions } = this.#scenario;
    return {
      client,
      result: (capabilities) => ({
        supportedVersions: this.#modern.map(({ version }) => version),
        capabilities,
        ...(instructions === undefined ? {} : { instructions }),
      }),
    };
  }

  #legacyOf(method: string, params: JsonValue | undefined): Greeted {
    const newest = this.#legacy.at(-1);
    if (method === "initialize") return this.#initialized(params);
    if (!newest) return { error: this.#notModern(method) };
    const opened = this.#opened ?? { revision: newest, capabilities: {}, info: null };
    const client = { ...opened, logLevel: this.logLevel };
    return method === "ping" ? { client, result: () => ({}) } : { client };
  }

  #initialized(params: JsonValue | undefined): Greeted {
    const requested = memberAt(params, "protocolVersion");
    const newest = this.#legacy.at(-1);
    if (!newest) return { error: this.#unsupported(String(requested)) };
    if (typeof requested !== "string" || eraOf(requested) === undefined) {
      return {
        error: { code: INVALID_PARAMS, message: "Invalid params: protocolVersion must name a revision" },
      };
    }
    const revision = this.#legacy.find(({ version }) => version === requested) ?? newest;
    const capabilities = memberAt(params, "capabilities");
    const info = memberAt(params, "clientInfo") ?? null;
    this.#opened = { revision, capabilities: isObject(capabilities) ? capabilities : {}, info };
    const { server, instructions } = this.#scenario;
    return {
      client: { ...this.#opened, logLevel: this.logLevel },
      result: (able) => ({
        protocolVersion: revision.version,
        capabilities: able,
        serverInfo: asInfo(server, revision),
        ...(instructions === undefined ? {} : { instructions }),
      }),
    };
  }

  /** Of a request that does not say which revision it is in, to a server that speaks the modern ones alone. */
  #notModern(method: string): RpcError {
    const isGone = this.isProtocol(method) && !this.#modern.some((revision) => this.knows(method, revision));
    return isGone
      ? { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` }
      : { code: INVALID_PARAMS, message: `Invalid params: _meta lacks ${META.protocolVersion}` };
  }

  #unsupported(requested: string): RpcError {
    const supported = [...this.#modern, ...this.#legacy].map(({ version }) => version);
    return {
      code: UNSUPPORTED_VERSION,
      message: "Unsupported protocol version",
      data: { supported, requested },
    };
  }
}
