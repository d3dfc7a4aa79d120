import { type MemberSpan, memberSpans, replaceSpan } from "../protocol/json-spans.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const MARK = "\ufeff";
/** Before a member where there is none to go by. */
const FIRST = "\n  ";

/**
 * The text of a package.json with one more script at the end of its scripts; all else stays as it is written, and the new
 * line is written as its neighbours are.
 * @param text valid, and without a script of that name
 */
export function addScript(text: string, name: string, command: string): string {
  if (text.startsWith(MARK)) return `${MARK}${addScript(text.slice(1), name, command)}`;
  const bytes = encoder.encode(text);
  const members = memberSpans(bytes) ?? [];
  const script = `${JSON.stringify(name)}: ${JSON.stringify(command)}`;
  const scripts = members.findLast(({ key }) => key === "scripts");
  const outer = members.length > 0 ? gapBefore(bytes, members) : FIRST;
  if (!scripts) return withMember(bytes, members, `"scripts": ${braced(script, deeper(outer), outer)}`);
  const object = bytes.subarray(scripts.value.start, scripts.value.end);
  const inner = memberSpans(object) ?? [];
  const changed = inner.length > 0 ? withMember(object, inner, script) : braced(script, deeper(outer), outer);
  return decoder.decode(replaceSpan(bytes, scripts.value, encoder.encode(changed)));
}

/** With one more member behind the last. */
function withMember(bytes: Uint8Array, members: readonly MemberSpan[], member: string): string {
  const last = members.at(-1);
  if (!last) return decoder.decode(bytes).replace(/\{\s*\}/, () => braced(member, FIRST, "\n"));
  const added = `,${gapBefore(bytes, members)}${member}`;
  const end = last.value.end;
  return decoder.decode(replaceSpan(bytes, { start: end, end }, encoder.encode(added)));
}

/** White space before the last member's key. */
function gapBefore(bytes: Uint8Array, members: readonly MemberSpan[]): string {
  const keyStart = members.at(-1)?.keyStart ?? 0;
  const before = decoder.decode(bytes.subarray(0, keyStart));
  return /[ \t\r\n]*$/.exec(before)?.[0] ?? "";
}

function braced(member: string, inner: string, outer: string): string {
  return `{${inner}${member}${outer}}`;
}

/** White space one step further in: what lines begin with is doubled, a space within a line stays. */
function deeper(gap: string): string {
  return gap.includes("\n") ? gap.replace(/(\n[ \t]*)$/, (line) => `${line}${line.slice(1)}`) : gap;
}
