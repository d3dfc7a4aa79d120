import { textOf } from "../../protocol/message.ts";
import { memberSpans, type Replacement, replaceSpans } from "../../protocol/scan-json.ts";
import type { HeaderChange } from "../codec.ts";
import { headerOf } from "../entry-members.ts";
import { sourceMembers } from "../spelling.ts";

const encoder = new TextEncoder();

/** Text between entries, with the headers in it changed; all else stays. */
export function changeJsonlHeaders(bytes: Uint8Array, change: HeaderChange): Uint8Array {
  const text = textOf(bytes);
  const changed = text
    .split(/(?<=\n)/)
    .map((line) => changeLine(line, change))
    .join("");
  return changed === text ? bytes : encoder.encode(changed);
}

function changeLine(line: string, change: HeaderChange): string {
  const bytes = encoder.encode(line.replace(/^\ufeff/, ""));
  const spans = memberSpans(bytes);
  if (!spans?.some(({ key }) => key === "mcp-vcr")) return line;
  const { source, redacted } = change(headerOf(JSON.parse(textOf(bytes)), () => ({ file: "" })));
  const values = { source: source && sourceMembers(source), redacted };
  const replacements: Replacement[] = [];
  for (const { key, value: span } of spans) {
    const value = Object.hasOwn(values, key) ? values[key as keyof typeof values] : undefined;
    if (value) replacements.push({ span, replacement: encoder.encode(JSON.stringify(value)) });
  }
  const last = spans.at(-1)?.value.end ?? 0;
  if (redacted && !spans.some(({ key }) => key === "redacted")) {
    const more = encoder.encode(`,"redacted":${JSON.stringify(redacted)}`);
    replacements.push({ span: { start: last, end: last }, replacement: more });
  }
  const mark = line.startsWith("\ufeff") ? "\ufeff" : "";
  return mark + textOf(replaceSpans(bytes, replacements));
}
