import type { Body, Entry, Header } from "../../exchange/entry.ts";
import { textOf } from "../../protocol/message.ts";
import { toBase64 } from "../base64.ts";
import type { ByteSink, Encoder } from "../codec.ts";
import { FORMAT } from "../migrations.ts";
import { closedMembers, eventMembers, httpMembers, onJson, sourceMembers } from "../spelling.ts";

export function writeHeader({ recorded, recorder, source, redacted }: Header, sink: ByteSink): void {
  const header = { "mcp-vcr": FORMAT, recorded, recorder, source: sourceMembers(source), redacted };
  sink.text(`${JSON.stringify(header)}\n`);
}

/** Writes entries as JSON objects, a line each. Messages go through as the bytes they are. */
export const jsonlEncoder: Encoder = {
  encode(entry: Entry, sink: ByteSink): void {
    let out = `{"at":${entry.at},"from":"${entry.from}"`;
    if (entry.session !== 1) out += `,"session":${entry.session}`;
    if (entry.on !== undefined) out += `,"on":${onJson(entry.on)}`;
    if (entry.http) out += `,"http":${JSON.stringify(httpMembers(entry.http))}`;
    if (entry.event) out += `,"event":${JSON.stringify(eventMembers(entry.event))}`;
    const { body } = entry;
    if (body?.form === "message") {
      sink.text(`${out},"message":`);
      sink.bytes(onOneLine(body.bytes));
      out = "";
    } else if (body) {
      out += textMember(body);
    }
    if (entry.closed) out += `,"closed":${JSON.stringify(closedMembers(entry.closed))}`;
    if (out !== "") sink.text(out);
    sink.bytes(END);
  },
};

function textMember({ form, bytes }: Body): string {
  return `,"${form}":${JSON.stringify(form === "base64" ? toBase64(bytes) : textOf(bytes))}`;
}

const END = new TextEncoder().encode("}\n");
const NEWLINE = 0x0a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON text without line breaks. They can only stand between tokens, as other white space does. */
function onOneLine(json: Uint8Array): Uint8Array {
  if (!json.includes(NEWLINE)) return json;
  const out = new Uint8Array(json.length);
  let length = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const c = json[i] as number;
    if (inString && c === BACKSLASH) out[length++] = json[i++] as number;
    else if (c === QUOTE) inString = !inString;
    if (inString || c > 0x20) out[length++] = json[i] as number;
  }
  return out.subarray(0, length);
}
