import type { Body, Entry, On } from "../../exchange/entry.ts";
import { textOf } from "../../protocol/message.ts";
import { STREAMS } from "../spelling.ts";
import { LineMembers } from "./line-members.ts";

const encoder = new TextEncoder();
const CLIENT = encoder.encode('"client"');
const SERVER = encoder.encode('"server"');
const STREAM_TOKENS = STREAMS.map((stream) => ({ stream, token: encoder.encode(`"${stream}"`) }));

const members = new LineMembers();

/**
 * The entry on a line as nearly all lines are: a message with a time and a side, perhaps with a session and a request
 * id. Undefined for any other line, right or wrong; those are read with more care and more time.
 */
export function plainEntry(line: Uint8Array, sessionBase: number): Entry | undefined {
  if (!members.read(line) || !members.has("at") || members.has("text") || members.has("json"))
    return undefined;
  if (members.has("http") || members.has("event") || members.has("base64") || members.has("closed"))
    return undefined;
  if (!members.has("message")) return undefined;
  const at = members.wholeOf("at");
  const from = members.is("from", CLIENT) ? "client" : members.is("from", SERVER) ? "server" : undefined;
  const session = members.has("session") ? members.wholeOf("session") : 1;
  if (at < 0 || session < 1 || from === undefined || !members.has("from")) return undefined;
  const body: Body = { form: "message", bytes: members.bytesOf("message") };
  if (!members.has("on")) return { at, from, session: session + sessionBase, body };
  const on = plainOn();
  return on && { at, from, session: session + sessionBase, on, body };
}

function plainOn(): On | undefined {
  for (const { stream, token } of STREAM_TOKENS) if (members.is("on", token)) return stream;
  const id = textOf(members.bytesOf("on"));
  return PLAIN_ID.test(id) ? { id } : undefined;
}

/** Tokens that are their own canonical spelling. */
const PLAIN_ID = /^(?:0|-?[1-9]\d{0,14}|"[\w.:/@+-]+")$/;
