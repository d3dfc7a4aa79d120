import { VcrError } from "../errors.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";
import { type Era, eraOf, META, versionsOf } from "../protocol/revisions.ts";
import type { ClientProfile } from "./composer.ts";
import type { Course, Outcome } from "./move.ts";
import { troubleOf } from "./report.ts";

/** A conversation that is open. */
export interface Opened {
  readonly era: Era;
  readonly version: string;
  /** Undefined where the server did not say. */
  readonly capabilities: JsonValue | undefined;
  /** Arguments are mirrored in HTTP headers (`x-mcp-header`). */
  readonly mirrors: boolean;
  /** `name version`, as the server calls itself. */
  readonly server: string | undefined;
}

export interface OpeningOptions {
  /** Undefined: found out by asking. */
  readonly era: Era | undefined;
  readonly client: ClientProfile;
  readonly door: "stdio" | "http";
  /** Milliseconds. */
  readonly timeout: number;
  /** The revision that `initialize` asks for; the latest when undefined. */
  readonly version?: string | undefined;
}

const LEGACY_VERSION = versionsOf("legacy").at(-1) as string;
const MODERN_VERSION = versionsOf("modern").at(-1) as string;

/** Milliseconds after which a server that does not answer the probe counts as a legacy one. */
const PROBE_PATIENCE = 10_000;

const UNSUPPORTED_VERSION = -32022;
/** Errors that only a server of the modern era gives (2026-07-28 basic/versioning). */
const MODERN_ERRORS: ReadonlySet<number> = new Set([-32020, -32021, UNSUPPORTED_VERSION]);

/** HTTP statuses to `initialize` after which the older pair of endpoints may be there (2025-03-26 basic/transports). */
const NOT_STREAMABLE: ReadonlySet<number | undefined> = new Set([400, 404, 405]);

/**
 * Opens a conversation: asks `server/discover` to learn the server's era and falls back to `initialize`, by the rules
 * of https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#backward-compatibility and the
 * same of Streamable HTTP.
 * @throws VcrError `server-failed`
 */
export function* open(options: OpeningOptions): Course<Opened> {
  const { era } = options;
  if (era === "legacy") return yield* handshake(options);
  const probed = yield* probe(options);
  if (probed.opened) return probed.opened;
  if (era === "modern") throw notOpened("server/discover", probed.outcome, MODERN_HINT);
  return yield* handshake(options);
}

const MODERN_HINT =
  "Leave --era out, or give --era legacy, if the server speaks the revisions up to 2025-11-25.";

interface Probed {
  readonly opened: Opened | undefined;
  readonly outcome: Outcome;
}

function* probe({ era, door, timeout }: OpeningOptions): Course<Probed> {
  yield { type: "speak", era: "modern", version: MODERN_VERSION };
  const patience = era === undefined ? Math.min(timeout, PROBE_PATIENCE) : timeout;
  const outcome = yield { type: "ask", method: "server/discover", timeout: patience };
  if (outcome.kind === "result") {
    const { supportedVersions, capabilities } = outcome.result;
    if (!Array.isArray(supportedVersions)) return { opened: undefined, outcome };
    const opened = speaksOurs(supportedVersions)
      ? modern(door, capabilities, memberAt(outcome.result, "_meta", META.serverInfo))
      : undefined;
    return { opened, outcome };
  }
  if (outcome.kind !== "error" || !isModern(outcome)) return { opened: undefined, outcome };
  const supported = supportedBy(outcome);
  if (supported.length > 0 && !speaksOurs(supported)) {
    if (supported.some((version) => eraOf(String(version)) === "legacy"))
      return { opened: undefined, outcome };
    throw notOpened("server/discover", outcome, `The server speaks ${supported.join(", ")} only.`);
  }
  return { opened: modern(door), outcome };
}

function isModern({ error: { code } }: Extract<Outcome, { kind: "error" }>): boolean {
  return code !== undefined && MODERN_ERRORS.has(code);
}

function supportedBy(outcome: Extract<Outcome, { kind: "error" }>): readonly JsonValue[] {
  const supported = memberAt(outcome.error.data, "supported");
  return Array.isArray(supported) ? supported : [];
}

function speaksOurs(versions: readonly JsonValue[]): boolean {
  return versions.includes(MODERN_VERSION);
}

function modern(door: "stdio" | "http", capabilities?: JsonValue, serverInfo?: JsonValue): Opened {
  return {
    mirrors: door === "http",
    era: "modern",
    version: MODERN_VERSION,
    capabilities,
    server: nameOf(serverInfo),
  };
}

function* handshake(options: OpeningOptions): Course<Opened> {
  yield { type: "speak", era: "legacy", version: LEGACY_VERSION };
  const outcome = yield* initialize(options);
  if (outcome.kind !== "result") throw notOpened("initialize", outcome, hintFor(outcome));
  const { protocolVersion, capabilities, serverInfo } = outcome.result;
  if (typeof protocolVersion !== "string" || eraOf(protocolVersion) !== "legacy") {
    const spoken = `it answers in protocol version ${JSON.stringify(protocolVersion)}`;
    throw new VcrError("server-failed", `the server could not be opened by initialize: ${spoken}`);
  }
  yield { type: "speak", era: "legacy", version: protocolVersion };
  yield { type: "notify", method: "notifications/initialized" };
  yield { type: "standalone" };
  return {
    mirrors: false,
    era: "legacy",
    version: protocolVersion,
    capabilities: capabilities ?? {},
    server: nameOf(serverInfo),
  };
}

function* initialize({ client, door, timeout, version = LEGACY_VERSION }: OpeningOptions): Course<Outcome> {
  const params = {
    protocolVersion: version,
    capabilities: client.capabilities,
    clientInfo: { ...client.info },
  };
  const request = { type: "ask", method: "initialize", params, timeout } as const;
  const outcome = yield request;
  if (door === "stdio" || !mayBePair(outcome)) return outcome;
  const paired = yield { type: "pair" };
  return paired.kind === "done" ? yield request : outcome;
}

/** Whether the older pair of endpoints may be there, after this came of `initialize`. */
export function mayBePair(outcome: Outcome): boolean {
  if (outcome.kind === "refused") return NOT_STREAMABLE.has(outcome.status);
  return outcome.kind === "error" && NOT_STREAMABLE.has(outcome.status) && !isModern(outcome);
}

function hintFor(outcome: Outcome): string | undefined {
  if (
    outcome.kind === "error" &&
    supportedBy(outcome).some((version) => eraOf(String(version)) === "modern")
  ) {
    return "The server speaks the modern era alone: leave --era out, or give --era modern.";
  }
  return undefined;
}

function notOpened(method: string, outcome: Outcome, hint: string | undefined): VcrError {
  const reason = troubleOf(outcome) ?? "its answer names no version that is known here";
  return new VcrError("server-failed", `the server could not be opened by ${method}: ${reason}`, { hint });
}

function nameOf(info: JsonValue | undefined): string | undefined {
  const [name, version] = [memberAt(info, "name"), memberAt(info, "version")];
  if (typeof name !== "string") return undefined;
  return typeof version === "string" ? `${name} ${version}` : name;
}
