import type { Change } from "../contract/change.ts";
import { canonicalJson } from "../protocol/canonical.ts";
import { memberAt } from "../protocol/member.ts";
import { type JsonValue, jsonOf, type Message } from "../protocol/message.ts";
import type { Loosening } from "../replay/rules.ts";
import { alignEqual } from "../rerecord/align.ts";
import { asSent } from "../rerecord/as-sent.ts";
import { hashOf } from "../rerecord/hash.ts";
import { isSame } from "./content.ts";
import type { OwnRules } from "./own-rules.ts";
import { type DriftRuleId, driftOf } from "./rules.ts";
import type { Read } from "./side.ts";

/** A notification of the server, as far as it is the same in every run. */
export interface Notice {
  readonly method: string;
  /** Equal for notifications that say the same. */
  readonly identity: string;
  readonly params: JsonValue | undefined;
  /** The message with the names and values that it had. */
  readonly sent: Read;
  /** Equal identities are not enough. */
  readonly loosely: Loosening | undefined;
}

/** How often and what exactly differs from run to run: of progress everything, of log lines what they say. */
const IDENTITY: ReadonlyMap<string, (params: JsonValue | undefined) => JsonValue> = new Map<
  string,
  (params: JsonValue | undefined) => JsonValue
>([
  ["notifications/progress", () => null],
  [
    "notifications/message",
    (params) => [memberAt(params, "level") ?? null, memberAt(params, "logger") ?? null],
  ],
]);

/**
 * A notification with its names and volatile values marked.
 * @param sent the same without
 * @param own what may differ
 */
export function noticeOf(message: Message, sent: Read, own: OwnRules | undefined): Notice {
  const method = message.method ?? "";
  const params = memberAt(jsonOf(message), "params");
  const known = IDENTITY.get(method);
  const loosely = known ? undefined : own?.for(method, params);
  const told = known ? known(params) : (exactParams(message) ?? params ?? null);
  const text = loosely && !loosely.canonical ? "" : canonicalJson(told, loosely?.canonical);
  const identity = `${method} ${text}`;
  return { method, params, sent, identity, loosely: loosely?.compares ? loosely : undefined };
}

/** Of a notification with numbers that JavaScript cannot hold. */
function exactParams({ bytes, scan }: Message): Uint8Array | undefined {
  const { params } = scan.members;
  return params && scan.harmed ? bytes.subarray(params.start, params.end) : undefined;
}

/** A run of progress counts as one, and so does a run of equal log lines. */
function withoutRuns(notices: readonly Notice[]): Notice[] {
  return notices.filter(
    ({ method, identity }, index) => !IDENTITY.has(method) || notices[index - 1]?.identity !== identity,
  );
}

/** How the notifications of an exchange differ, as sequences. */
export function compareNotices(old: readonly Notice[], fresh: readonly Notice[], subject: string): Change[] {
  if (old.length === 0 && fresh.length === 0) return [];
  const [before, after] = [withoutRuns(old), withoutRuns(fresh)];
  const numbers = (notices: readonly Notice[]) => notices.map(({ identity }) => hashOf(identity));
  const equal = alignEqual(numbers(before), numbers(after)).filter(([i, j]) =>
    isAccepted(before[i] as Notice, after[j] as Notice),
  );
  const [stays, stayed] = [new Set(equal.map(([i]) => i)), new Set(equal.map(([, j]) => j))];
  const gone = before.filter((_, index) => !stays.has(index));
  const come = after.filter((_, index) => !stayed.has(index));
  return settle({ gone, come, subject });
}

function isAccepted({ loosely, params }: Notice, other: Notice): boolean {
  return loosely?.accepts(other.params ?? null, params ?? null) ?? true;
}

interface Left {
  readonly gone: Notice[];
  readonly come: Notice[];
  readonly subject: string;
}

/** What is on both sides after all has moved; of what is left, one of the same method says something else now. */
function settle({ gone, come, subject }: Left): Change[] {
  const changes: Change[] = [];
  const told = (rule: DriftRuleId, method: string, message: string, values = {}) => {
    const log = method === "notifications/message" && rule !== "notification-changed";
    changes.push(driftOf(rule, { subject, pointer: "", message, ...values, ...(log && { class: "info" }) }));
  };
  const left = gone.filter((notice) => {
    const index = come.findIndex((other) => other.identity === notice.identity && isAccepted(notice, other));
    if (index < 0) return true;
    come.splice(index, 1);
    told("notification-order-changed", notice.method, `${notice.method} comes at another place.`);
    return false;
  });
  for (const notice of left) {
    const index = IDENTITY.has(notice.method) ? -1 : come.findIndex(({ method }) => method === notice.method);
    const [other] = index < 0 ? [] : come.splice(index, 1);
    const { method } = notice;
    const values = { before: shownOf(notice), after: other && shownOf(other) };
    if (!other) told("notification-missing", method, `${method} no longer comes.`, values);
    else if (isSame(notice.params, other.params)) {
      told("notification-changed", method, `In ${method}, a number changed that JavaScript cannot hold.`);
    } else told("notification-changed", method, `${method} says something else.`, values);
  }
  for (const notice of come) {
    const { method } = notice;
    told("notification-extra", method, `${method} comes in addition.`, { after: shownOf(notice) });
  }
  return changes;
}

function shownOf({ params, sent }: Notice): JsonValue | undefined {
  return asSent(params, memberAt(sent.value, "params"));
}
