import { memberAt } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";
import { claimedVersion, type Era, eraOf, META } from "../protocol/revisions.ts";
import { isObject, type Revisions, type ServerFacts } from "./contract.ts";

/** An answered `initialize` or `server/discover`. */
export interface Opened {
  readonly method: string;
  readonly params: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: JsonValue | undefined;
  readonly seenAt: number;
}

/** What the server said of itself last. */
export function serverFactsOf(opened: readonly Opened[]): ServerFacts | undefined {
  const last = opened.findLast(({ result }) => isObject(result));
  if (!last) return undefined;
  const { result, seenAt } = last;
  const capabilities = memberAt(result, "capabilities");
  const instructions = memberAt(result, "instructions");
  const info = memberAt(result, "_meta", META.serverInfo) ?? memberAt(result, "serverInfo");
  return {
    capabilities: isObject(capabilities) ? capabilities : {},
    instructions: typeof instructions === "string" ? instructions : undefined,
    serverInfo: isObject(info) ? info : undefined,
    seenAt,
  };
}

/**
 * Which revisions the server speaks: `initialize` shows one, and whether it is the one that was asked for;
 * `server/discover` and the error -32022 tell all modern ones (2026-07-28, basic/versioning.mdx).
 */
export function revisionsOf(opened: readonly Opened[]): Revisions {
  const spoken = new Set<string>();
  const refused = new Set<string>();
  const complete = new Set<Era>();
  const refusedEras = new Set<Era>();
  for (const each of opened) {
    const told = toldVersions(each);
    for (const version of told) spoken.add(version);
    if (told.length > 0 && each.method === "server/discover") complete.add("modern");
    const asked = askedVersion(each);
    if (asked !== undefined && !told.includes(asked)) refused.add(asked);
    const refusal = told.length === 0 ? refusedEra(each) : undefined;
    if (refusal) refusedEras.add(refusal);
  }
  for (const version of spoken) {
    refused.delete(version);
    const era = eraOf(version);
    if (era) refusedEras.delete(era);
  }
  return {
    spoken: [...spoken].sort(),
    refused: [...refused].sort(),
    complete: [...complete].sort(),
    refusedEras: [...refusedEras].sort(),
  };
}

/** Unknown method, and a version that is not spoken: what turns `initialize` away for good. */
const NO_LEGACY: ReadonlySet<unknown> = new Set([-32601, -32022]);
/** A missing header or capability: only a modern server says so. */
const MODERN_ERRORS: ReadonlySet<unknown> = new Set([-32020, -32021, -32022]);

function refusedEra({ method, error }: Opened): Era | undefined {
  const code = memberAt(error, "code");
  if (error === undefined) return undefined;
  if (method === "initialize") return NO_LEGACY.has(code) ? "legacy" : undefined;
  return MODERN_ERRORS.has(code) ? undefined : "modern";
}

function toldVersions({ result, error }: Opened): string[] {
  const one = memberAt(result, "protocolVersion");
  const all = memberAt(result, "supportedVersions") ?? memberAt(error, "data", "supported");
  return [one, ...(Array.isArray(all) ? all : [])].filter((version) => typeof version === "string");
}

function askedVersion({ method, params }: Opened): string | undefined {
  const version = method === "initialize" ? memberAt(params, "protocolVersion") : claimedVersion(params);
  return typeof version === "string" ? version : undefined;
}
