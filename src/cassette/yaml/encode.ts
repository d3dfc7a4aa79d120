import type { Body, Entry, Header } from "../../exchange/entry.ts";
import { type JsonValue, textOf } from "../../protocol/message.ts";
import { toBase64 } from "../base64.ts";
import type { ByteSink, Encoder } from "../codec.ts";
import { FORMAT } from "../migrations.ts";
import { closedMembers, eventMembers, httpMembers, onJson, sourceMembers } from "../spelling.ts";
import { member, messageMember, TooDeep } from "./emit.ts";
import { Labels } from "./label.ts";

/** HTTP facts, ended connections and the like stay on one line up to so many columns. */
export const WIDE = 100;

/** A moment that YAML 1.2 reads as text and people read without quotes. */
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export function writeHeader(header: Header, sink: ByteSink): void {
  const { recorded } = header;
  let out = `mcp-vcr: ${FORMAT}\n`;
  out += MOMENT.test(recorded) ? `recorded: ${recorded}\n` : member("recorded", recorded);
  out += member("recorder", header.recorder);
  out += member("source", sourceMembers(header.source), WIDE);
  if (header.redacted) out += member("redacted", [...header.redacted], WIDE);
  sink.text(out);
}

/** Writes entries as YAML documents, each under a `---` line that says what it is. */
export class YamlEncoder implements Encoder {
  readonly #labels = new Labels();

  encode(entry: Entry, sink: ByteSink): void {
    const { body } = entry;
    const value = body && (body.form === "message" || body.form === "json") ? parsed(body) : undefined;
    let out = `--- # ${entry.from}: ${this.#labels.of(entry, value)}\nat: ${entry.at}\nfrom: ${entry.from}\n`;
    if (entry.session !== 1) out += `session: ${entry.session}\n`;
    if (entry.on !== undefined) out += member("on", JSON.parse(onJson(entry.on)) as JsonValue);
    if (entry.http) out += member("http", httpMembers(entry.http), WIDE);
    if (entry.event) out += member("event", eventMembers(entry.event), WIDE);
    if (body) out += bodyMember(body, value);
    if (entry.closed) out += member("closed", closedMembers(entry.closed), WIDE);
    sink.text(out);
  }
}

function parsed(body: Body): JsonValue {
  return JSON.parse(textOf(body.bytes)) as JsonValue;
}

function bodyMember(body: Body, value: JsonValue | undefined): string {
  if (body.form === "message") return messageText(body, value as JsonValue);
  return member(body.form, body.form === "base64" ? toBase64(body.bytes) : textOf(body.bytes));
}

function messageText(body: Body, value: JsonValue): string {
  try {
    return messageMember("message", value);
  } catch (error) {
    if (error instanceof TooDeep) return member("json", textOf(body.bytes));
    throw error;
  }
}
