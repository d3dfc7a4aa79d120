import { memberAt } from "../protocol/member.ts";
import type { JsonObject, JsonValue } from "../protocol/message.ts";
import { type Era, META } from "../protocol/revisions.ts";
import { paramsOf } from "../replay/key.ts";
import type { Entries } from "../rerecord/outline.ts";
import { outlineOf } from "../rerecord/outlining.ts";
import { messageAt } from "./again/places.ts";
import type { Answers } from "./answers.ts";
import { everyList } from "./auto.ts";
import type { ClientProfile } from "./composer.ts";
import type { Course } from "./move.ts";
import { open } from "./opening.ts";
import { DriveReport } from "./report.ts";

/** How a client asks a server what it promises. */
export interface Inquiry {
  /** In which eras, one after the other. What the last one tells of lists counts. */
  readonly eras: readonly Era[];
  /** What the client says it can do, upon which some servers list more, or less. */
  readonly capabilities: JsonObject;
  /** The revision that `initialize` asks for; the latest when undefined. */
  readonly version: string | undefined;
}

/** All there is to know, by a client that can do everything. */
export const EVERYTHING: Inquiry = {
  eras: ["legacy", "modern"],
  capabilities: { elicitation: {}, roots: {}, sampling: {} },
  version: undefined,
};

/** Asks as the clients of a recording did, so that what differs is the server's. */
export function inquiryLike(entries: Entries, sharedStream: boolean): Inquiry {
  const { exchanges } = outlineOf(entries, sharedStream);
  const eras = new Set<Era>();
  let { capabilities, version } = EVERYTHING;
  for (const { exchange } of exchanges) {
    if (exchange.kind !== "request") continue;
    const params = paramsOf(messageAt(entries, exchange));
    const legacy = exchange.method === "initialize";
    const declared = legacy
      ? memberAt(params, "capabilities")
      : memberAt(params, "_meta", META.clientCapabilities);
    if (isObject(declared)) capabilities = declared;
    const asked = legacy ? memberAt(params, "protocolVersion") : undefined;
    if (typeof asked === "string") version = asked;
    const era = legacy ? "legacy" : declared === undefined ? undefined : "modern";
    if (era === undefined) continue;
    // The one that was spoken last is asked last.
    eras.delete(era);
    eras.add(era);
  }
  return { eras: eras.size > 0 ? [...eras] : EVERYTHING.eras, capabilities, version };
}

/** A client that is asked by the server has nothing there: no folder, and nobody to answer. */
export const NOBODY: Answers = {
  answer: (method) => (method === "roots/list" ? { result: { roots: [] } } : undefined),
};

export interface DiscoveryOptions {
  readonly era: Era;
  readonly client: ClientProfile;
  readonly version: string | undefined;
  readonly door: "stdio" | "http";
  /** Milliseconds. */
  readonly timeout: number;
  readonly onOpened: () => void;
}

/**
 * Opens a conversation and asks for every page of every list, and nothing else.
 * @throws VcrError `server-failed` when it cannot be opened
 */
export function* discovery({ timeout, onOpened, ...opening }: DiscoveryOptions): Course<void> {
  const opened = yield* open({ ...opening, timeout });
  onOpened();
  yield* everyList(opened, { answers: NOBODY, report: new DriveReport(), timeout });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
