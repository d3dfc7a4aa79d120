import type { Body, Entry, Header, On } from "../exchange/entry.ts";
import { scanJson } from "../protocol/scan-json.ts";
import { fromBase64 } from "./base64.ts";
import { invalid } from "./fault.ts";
import {
  type Check,
  isObject,
  listOf,
  mapOf,
  oneOf,
  type PlaceOf,
  requireShape,
  shapeOf,
  string,
  whole,
} from "./members.ts";
import type { Members } from "./migrations.ts";
import { STREAMS } from "./spelling.ts";

const anything: Check = () => undefined;

const on: Check = (value, path) => {
  if (typeof value === "string" || typeof value === "number") return undefined;
  return isObject(value) && Object.keys(value).join() === "id" && typeof value.id === "string"
    ? undefined
    : `${path} must be a request's id, ${STREAMS.join(", ")}, or { id: TOKEN } with the id's exact JSON in quotes`;
};

const ENTRY: Readonly<Record<string, Check>> = {
  at: whole(0),
  from: oneOf("client", "server"),
  session: whole(1),
  on,
  http: shapeOf({ method: string, path: string, status: whole(100, 999), headers: mapOf(string) }),
  event: shapeOf({ name: string, id: string, retry: whole(0) }),
  message: anything,
  json: string,
  text: string,
  base64: string,
  closed: shapeOf({ exit: whole(), signal: string, reason: string }),
};

export type FactsName = "http" | "event" | "closed";

/** What is wrong with the facts an entry states, or undefined. */
export function factsProblem(name: FactsName, value: unknown): string | undefined {
  return ENTRY[name]?.(value, name);
}

const SOURCES: Readonly<Record<string, Check>> = {
  stdio: shapeOf({ transport: string, command: listOf(string) }, ["transport", "command"]),
  http: shapeOf({ transport: string, url: string }, ["transport", "url"]),
};

const source: Check = (value, path) => {
  if (!isObject(value)) return `${path} must be a mapping with transport: and command: or url:`;
  const transport = value.transport;
  return (
    oneOf(...Object.keys(SOURCES))(transport, `${path}.transport`) ??
    SOURCES[transport as string]?.(value, path)
  );
};

const HEADER: Readonly<Record<string, Check>> = {
  "mcp-vcr": anything, // its format was looked at before anything else
  recorded: string,
  recorder: string,
  source,
  redacted: listOf(string),
};

/** @throws VcrError `cassette-invalid` */
export function headerOf(members: Members, place: PlaceOf): Header {
  requireShape(members, { members: HEADER, required: ["recorded", "recorder", "source"], path: "" }, place);
  const { "mcp-vcr": _, ...header } = members;
  return header as unknown as Header;
}

/**
 * An entry from its members, `message` as the bytes of its JSON text.
 * @throws VcrError `cassette-invalid`
 */
export function entryOf(members: Members, place: PlaceOf): Entry {
  requireShape(members, { members: ENTRY, required: ["at", "from"], path: "" }, place);
  const { message, json, text, base64, on: spelt, session = 1, ...rest } = members;
  const entry: Record<string, unknown> = { ...rest, session };
  if (spelt !== undefined) entry.on = onOf(spelt, place);
  const body = bodyOf(members, place);
  if (body) entry.body = body;
  return entry as unknown as Entry;
}

function onOf(spelt: unknown, place: PlaceOf): On {
  const stream = STREAMS.find((name) => name === spelt);
  if (stream) return stream;
  if (!isObject(spelt)) return { id: JSON.stringify(spelt) };
  const id = spelt.id as string;
  if (!scanJson(encoder.encode(id)).valid) {
    throw invalid(
      `on.id must be JSON text, not ${id}`,
      place("on"),
      `For the id "${id}" write on: { id: '"${id}"' }`,
    );
  }
  return { id };
}

const encoder = new TextEncoder();

const BODY_FORMS = ["message", "json", "text", "base64"] as const;

function bodyOf(members: Members, place: PlaceOf): Body | undefined {
  const [form, second] = BODY_FORMS.filter((name) => Object.hasOwn(members, name));
  if (form === undefined) return undefined;
  if (second !== undefined)
    throw invalid(`an entry has one body: ${form}: or ${second}:, not both`, place(second));
  if (form === "message") return { form, bytes: members[form] as Uint8Array };
  return { form, bytes: BYTES_OF[form](members[form] as string, () => place(form)) };
}

const BYTES_OF = {
  json: (value: string, place: PlaceOf) => {
    const bytes = utf8(value, place);
    if (scanJson(bytes).valid) return bytes;
    throw invalid("json: holds no valid JSON", place(), "Write text: for what is no JSON.");
  },
  text: utf8,
  base64: (value: string, place: PlaceOf) => {
    const bytes = fromBase64(value);
    if (bytes) return bytes;
    throw invalid(
      "base64: holds no valid Base64",
      place(),
      "One line of A-Z a-z 0-9 + /, padded with = to a multiple of 4.",
    );
  },
} as const;

function utf8(value: string, place: PlaceOf): Uint8Array {
  if (/\p{Cs}/u.test(value)) {
    throw invalid("half of a surrogate pair cannot be text", place(), "Write the bytes as base64:.");
  }
  return encoder.encode(value);
}
