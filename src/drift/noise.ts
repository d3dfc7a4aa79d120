import type { Change } from "../contract/change.ts";
import type { Body, Entry } from "../exchange/entry.ts";
import { textOf } from "../protocol/message.ts";
import { driftOf } from "./rules.ts";
import type { Side } from "./side.ts";

const SUBJECT = "session";

/** The one revision that has batches. */
const BATCHING = "2025-03-26";

/** What the server sent in the place of messages, where it sent none of that before. */
export function compareNoise(old: Side, fresh: Side, spoken: readonly string[]): Change[] {
  return [...noise(old, fresh), ...batches(old, fresh, spoken)];
}

function noise(old: Side, fresh: Side): Change[] {
  const [before, after] = [old, fresh].map((side) => side.outline.odd.noise) as [number[], number[]];
  if (before.length > 0 === after.length > 0) return [];
  const added = after.length > 0;
  const count = `${added ? after.length : before.length} in all`;
  const shown = shownOf(added ? fresh : old, added ? after : before);
  if (!added) {
    const message = `Lines or events that were no messages (${count}) come no more.`;
    return [driftOf("noise-gone", { subject: SUBJECT, pointer: "", message, before: shown })];
  }
  const late = after.every((ordinal) => isLate(fresh, ordinal));
  const message = `Lines or events come now that are no messages (${count}).`;
  const own = late ? ({ class: "risky" } as const) : {};
  return [driftOf("noise-added", { subject: SUBJECT, pointer: "", message, after: shown, ...own })];
}

/** The client had ended by then. */
function isLate({ outline }: Side, ordinal: number): boolean {
  const { session } = outline.entries.entryAt(ordinal);
  return outline.odd.ends.some((end) => {
    const entry: Entry = outline.entries.entryAt(end);
    return end < ordinal && entry.from === "client" && entry.session === session;
  });
}

function batches(old: Side, fresh: Side, spoken: readonly string[]): Change[] {
  const { batches: after } = fresh.outline.odd;
  if (old.outline.odd.batches.length > 0 || after.length === 0) return [];
  const message = `Messages come in batches now (${after.length} in all).`;
  const own = spoken.every((revision) => revision === BATCHING) ? ({ class: "risky" } as const) : {};
  return [driftOf("batch-added", { subject: SUBJECT, pointer: "", message, ...own })];
}

/** Lines, and UTF-16 units of each. */
const MOST_LINES = 3;
const LONGEST = 200;

function shownOf({ outline }: Side, ordinals: readonly number[]): string {
  const lines = ordinals.slice(0, MOST_LINES).map((ordinal) => lineOf(outline.entries.entryAt(ordinal).body));
  return [...lines, ...(ordinals.length > MOST_LINES ? ["…"] : [])].join("\n");
}

function lineOf(body: Body | undefined): string {
  if (!body) return "";
  if (body.form === "base64") return `(${body.bytes.length} bytes that are no text)`;
  const text = textOf(body.bytes);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
