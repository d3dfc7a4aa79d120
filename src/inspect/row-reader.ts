import type { Body, Entry } from "../exchange/entry.ts";
import { eachMessage, type JsonValue, type Message, readMessage, textOf } from "../protocol/message.ts";
import { labelOf, methodRow, nameOf } from "../protocol/methods.ts";
import { findSpan } from "../protocol/scan-json.ts";
import type { Row, RowKind } from "./row.ts";

/** Where an entry stands in its recording. */
export interface Placed {
  readonly entry: Entry;
  readonly line: number;
}

/** A request that waits for its answer. */
interface Open {
  readonly row: number;
  readonly at: number;
  readonly method: string;
  readonly name: string | undefined;
  readonly label: string;
}

/** What is known of a row from its message. */
type Said = Pick<Row, "kind" | "label"> & Partial<Row>;

/** Turns entries, in wire order, into rows; remembers requests, so that answers can name them. */
export class RowReader {
  readonly #open = new Map<string, Open>();
  #entries = 0;
  #rows = 0;

  /** The rows of the next entry, and the bytes that each is about. */
  read({ entry, line }: Placed): (readonly [row: Row, body: Body | undefined])[] {
    const { at, session, from, on, http, event, closed, body } = entry;
    this.#entries++;
    const place = { entry: this.#entries, line, at, session, from };
    const facts = {
      ...(on !== undefined && { on }),
      ...(http && { http }),
      ...(event && { event }),
      ...(closed && { closed }),
    };
    const isJson = body?.form === "message" || body?.form === "json";
    const frame = isJson ? readMessage(body.bytes) : undefined;
    const said = frame ? this.#said(frame, entry) : bareOf(entry);
    const first: Row = { ...place, ...said, ...facts, bytes: body?.bytes.length ?? 0 };
    this.#rows++;
    if (frame?.kind !== "batch") return [[first, body]];
    const rows: (readonly [Row, Body | undefined])[] = [[first, body]];
    let item = 0;
    for (const message of eachMessage(frame)) {
      const told = { ...place, item: ++item, ...this.#said(message, entry), bytes: message.bytes.length };
      rows.push([told, { form: (body as Body).form, bytes: message.bytes }]);
      this.#rows++;
    }
    return rows;
  }

  #said(message: Message, entry: Entry): Said {
    const { kind, id, method } = message;
    if (kind === "batch") return { kind: "batch", label: `batch of ${message.scan.items.length}` };
    if (kind === "malformed") return { kind: "noise", label: "no JSON-RPC message" };
    if (method === undefined) return this.#answer(message, entry);
    const params = namedParams(message, method);
    const name = nameOf(method, params);
    const label = labelOf(method, params);
    const row = { kind: kind as RowKind, label, method, ...(name !== undefined && { name }) };
    if (id === undefined) return row;
    this.#open.set(keyOf(entry, entry.from, id), { row: this.#rows, at: entry.at, method, name, label });
    return { ...row, id };
  }

  #answer(message: Message, entry: Entry): Said {
    const { id, isError } = message;
    const key = keyOf(entry, entry.from === "client" ? "server" : "client", id ?? "");
    const request = this.#open.get(key);
    this.#open.delete(key);
    const kind = isError ? "error" : "result";
    const failed = !isError && textAt(message, ["result", "isError"]) === "true";
    const told = isError ? `error${codeOf(message)}` : failed ? "failure" : "result";
    return {
      kind,
      label: request ? `${told} of ${request.label}` : told,
      ...(request && { method: request.method, answers: request.row, ms: entry.at - request.at }),
      ...(request?.name !== undefined && { name: request.name }),
      ...(id !== undefined && { id }),
      ...(failed && { failed }),
    };
  }
}

function keyOf({ session }: Entry, asker: string, id: string): string {
  return `${session} ${asker} ${id}`;
}

function codeOf(message: Message): string {
  const code = textAt(message, ["error", "code"]);
  return code !== undefined && /^-?\d{1,10}$/.test(code) ? ` ${code}` : "";
}

function textAt({ bytes }: Message, path: readonly string[]): string | undefined {
  const span = findSpan(bytes, path);
  return span && textOf(bytes.subarray(span.start, span.end));
}

/** Of `params` the member that names what the request is about; nothing else is decoded. */
function namedParams(message: Message, method: string): JsonValue | undefined {
  const param = methodRow(method)?.nameParam;
  const text = param === undefined ? undefined : textAt(message, ["params", param]);
  return param !== undefined && text !== undefined ? { [param]: JSON.parse(text) } : undefined;
}

/** An entry without JSON. */
function bareOf({ body, http, closed, event }: Entry): Said {
  if (closed) return { kind: "closed", label: closedLabel(closed) };
  if (http?.status !== undefined && !body) return { kind: "http", label: `HTTP ${http.status}` };
  if (http && !body) return { kind: "http", label: shown(`${http.method ?? "POST"} ${http.path ?? ""}`) };
  if (body) return { kind: "noise", label: event?.name ? `event ${shown(event.name)}` : noiseLabel(body) };
  return { kind: event ? "event" : "noise", label: event ? "event without data" : "nothing" };
}

function closedLabel({ exit, signal, reason }: NonNullable<Entry["closed"]>): string {
  if (exit !== undefined) return `closed, exit code ${exit}`;
  return `closed${signal === undefined ? "" : `, ${shown(signal)}`}${reason === undefined ? "" : `, ${shown(reason)}`}`;
}

/** So much of what is no message is shown, in characters. */
const SHOWN = 60;

function noiseLabel({ form, bytes }: Body): string {
  if (form === "base64") return `${bytes.length} bytes that are no text`;
  return bytes.length === 0 ? "empty body" : `noise: ${shown(textOf(bytes.subarray(0, 4 * SHOWN)))}`;
}

function shown(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, " ");
  return line.length > SHOWN ? `${line.slice(0, SHOWN - 1)}…` : line;
}

/** The protocol version that a message claims or settles, if it does. */
export function versionIn(body: Body | undefined): string | undefined {
  if (body?.form !== "message" && body?.form !== "json") return undefined;
  const bytes = body.bytes;
  for (const path of VERSION_PATHS) {
    const span = findSpan(bytes, path);
    const value = span && (JSON.parse(textOf(bytes.subarray(span.start, span.end))) as JsonValue);
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** @note A client's `initialize` only offers a version; the answer settles it. */
const VERSION_PATHS = [
  ["result", "protocolVersion"],
  ["params", "_meta", "io.modelcontextprotocol/protocolVersion"],
] as const;
