import { type MemberSpan, memberSpans, type Replacement, type Span } from "../../protocol/scan-json.ts";

const encoder = new TextEncoder();

/**
 * Puts members at the front of an object, so that nothing else in the text moves.
 * @param members each as `"name":value`
 */
export function adding(
  bytes: Uint8Array,
  object: Span,
  members: readonly (string | Uint8Array)[],
): Replacement {
  const first = membersOf(bytes, object)[0];
  const at = first ? first.keyStart : object.start + 1;
  const pieces = members.flatMap((member, index) => [
    ...(index > 0 ? [","] : []),
    member,
    ...(index === members.length - 1 && first ? [","] : []),
  ]);
  return { span: { start: at, end: at }, replacement: joined(pieces) };
}

/** Takes members out of an object, with the commas that parted them from the others. None where it has none of them. */
export function cutting(
  bytes: Uint8Array,
  object: Span,
  isCut: (member: MemberSpan) => boolean,
): readonly Replacement[] {
  const members = membersOf(bytes, object);
  const cuts: Replacement[] = [];
  for (let from = 0; from < members.length; from++) {
    if (!isCut(members[from] as MemberSpan)) continue;
    let to = from;
    while (to + 1 < members.length && isCut(members[to + 1] as MemberSpan)) to++;
    cuts.push({ span: runOf(members, from, to), replacement: NOTHING });
    from = to;
  }
  return cuts;
}

const NOTHING = new Uint8Array();

/** A run of members with the comma behind it, or before it where it is the last. */
function runOf(members: readonly MemberSpan[], from: number, to: number): Span {
  const [first, last, next, before] = [members[from], members[to], members[to + 1], members[from - 1]];
  if (!first || !last) throw new RangeError("no such members");
  if (next) return { start: first.keyStart, end: next.keyStart };
  return { start: before ? before.value.end : first.keyStart, end: last.value.end };
}

/** The members of the object at this place, by their places in the whole text; none where it is no object. */
export function membersOf(bytes: Uint8Array, object: Span): readonly MemberSpan[] {
  const members = memberSpans(bytes.subarray(object.start, object.end)) ?? [];
  const { start } = object;
  return members.map(({ key, keyStart, value }) => ({
    key,
    keyStart: keyStart + start,
    value: { start: value.start + start, end: value.end + start },
  }));
}

/** Whether an object stands there. */
export function isObjectAt(bytes: Uint8Array, span: Span | undefined): span is Span {
  return span !== undefined && bytes[span.start] === 0x7b;
}

/** Pieces of text as one. */
export function joined(pieces: readonly (string | Uint8Array)[]): Uint8Array {
  const parts = pieces.map((piece) => (typeof piece === "string" ? encoder.encode(piece) : piece));
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
