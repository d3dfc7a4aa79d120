import type { Entry, On } from "../../exchange/entry.ts";
import { OPEN_OBJECT } from "../../protocol/json-tokens.ts";
import { type Message, messageOf, textOf } from "../../protocol/message.ts";
import { type RootMember, type Span, scanOf } from "../../protocol/scan-json.ts";
import { type FactsName, factsProblem } from "../entry-members.ts";
import { SIMPLE_ID, STREAMS } from "../spelling.ts";
import { INNER, LineMembers, MEMBER } from "./line-members.ts";

const encoder = new TextEncoder();
const CLIENT = encoder.encode('"client"');
const SERVER = encoder.encode('"server"');
const STREAM_TOKENS = STREAMS.map((stream) => ({ stream, token: encoder.encode(`"${stream}"`) }));

/** Reads every line; lines never overlap, since nothing here waits. */
export const members = new LineMembers();

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/**
 * The entry on a line as nearly all lines are: with a message, or with nothing but facts. Undefined for any other
 * line, right or wrong; those are read with more care and more time.
 */
export function plainEntry(line: Uint8Array, sessionBase: number): Entry | undefined {
  return members.read(line) ? entryRead(sessionBase) : undefined;
}

/** The same of the line that `members` read last. */
export function entryRead(sessionBase: number): Entry | undefined {
  if (hasText()) return undefined;
  const at = members.has(MEMBER.at) ? members.wholeOf(MEMBER.at) : -1;
  const from = sideOf();
  const session = members.has(MEMBER.session) ? members.wholeOf(MEMBER.session) : 1;
  if (at < 0 || session < 1 || from === undefined) return undefined;
  const entry: Mutable<Entry> = { at, from, session: session + sessionBase };
  if (members.has(MEMBER.message)) entry.body = { form: "message", bytes: members.bytesOf(MEMBER.message) };
  if (members.has(MEMBER.on)) {
    const on = plainOn();
    if (on === undefined) return undefined;
    entry.on = on;
  }
  return addFacts(entry) ? entry : undefined;
}

/** The message on the line that `members` read last; undefined where it takes another reading to tell. */
export function messageRead(bytes: Uint8Array): Message | undefined {
  const { inner } = members;
  if (inner.escaped || bytes[0] !== OPEN_OBJECT) return undefined;
  const offset = members.startOf(MEMBER.message);
  const found: Partial<Record<RootMember, Span>> = {};
  for (let i = 0; i < INNER_NAMES.length; i++) {
    if (!inner.has(i)) continue;
    found[INNER_NAMES[i] as RootMember] = { start: inner.startOf(i) - offset, end: inner.endOf(i) - offset };
  }
  return messageOf(bytes, scanOf(bytes, found));
}

const INNER_NAMES = Object.keys(INNER) as RootMember[];

function hasText(): boolean {
  return members.has(MEMBER.text) || members.has(MEMBER.json) || members.has(MEMBER.base64);
}

/** Who said what `members` read last. */
export function sideOf(): Entry["from"] | undefined {
  if (!members.has(MEMBER.from)) return undefined;
  if (members.is(MEMBER.from, CLIENT)) return "client";
  return members.is(MEMBER.from, SERVER) ? "server" : undefined;
}

function plainOn(): On | undefined {
  for (const { stream, token } of STREAM_TOKENS) if (members.is(MEMBER.on, token)) return stream;
  const id = textOf(members.bytesOf(MEMBER.on));
  return SIMPLE_ID.test(id) ? { id } : undefined;
}

/** The same few facts stand on most lines of a recording, so that many are remembered and shared. */
const MOST_FACTS = 512;
const LONGEST_FACTS = 512;

const knownFacts: Readonly<Record<FactsName, Map<string, object>>> = {
  http: new Map(),
  event: new Map(),
  closed: new Map(),
};

/** False when some of them are not as they must be. */
function addFacts(entry: Mutable<Entry>): boolean {
  for (const name of FACTS) {
    if (!members.has(MEMBER[name])) continue;
    const facts = factsOf(name, textOf(members.bytesOf(MEMBER[name])));
    if (facts === undefined) return false;
    entry[name] = facts;
  }
  return true;
}

const FACTS = ["http", "event", "closed"] as const satisfies readonly FactsName[];

function factsOf(name: FactsName, json: string): object | undefined {
  const known = knownFacts[name].get(json);
  if (known) return known;
  const value: unknown = JSON.parse(json);
  if (factsProblem(name, value) !== undefined) return undefined;
  if (json.length <= LONGEST_FACTS) {
    if (knownFacts[name].size >= MOST_FACTS) knownFacts[name].clear();
    knownFacts[name].set(json, value as object);
  }
  return value as object;
}
