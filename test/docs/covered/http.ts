import { REVISIONS } from "../../../src/protocol/revisions.ts";
import { type Cite, cite, type Section } from "./row.ts";

const ALL = REVISIONS.map(({ version }) => version);
const STREAMABLE = ALL.slice(1);
const SESSIONS = ALL.slice(1, 4);
const VERSIONED = ALL.slice(2);
const MODERN = ALL.slice(4);

const DOOR = (title: string): Cite => cite("unit/transport/http-door", title);
const STATUS_TEST = cite("e2e/every-status", "is recorded, and comes back with its headers and its body");
const OTHER_DOOR = cite(
  "unit/replay/http",
  "a door that carries none passes them over, and misses what is nothing else",
);
/** HTTP is the door's business, whichever era a client is of. */
const TRANSPORT = { is: "the same" };

/**
 * HTTP statuses: those that the specification names (basic/transports, basic/authorization, basic/lifecycle, and for
 * 2026-07-28 basic/index), and those without revisions, which servers give all the same.
 */
export interface Status {
  readonly status: number;
  readonly phrase: string;
  readonly revisions: readonly string[];
  /** What the mock gives it for by itself. */
  readonly own?: string;
  readonly tests?: readonly Cite[];
}

export const STATUSES: readonly Status[] = [
  {
    status: 200,
    phrase: "OK",
    revisions: ALL,
    own: "answers, as JSON or event stream",
    tests: [
      DOOR("mints a session at initialize, and answers as JSON what is one message"),
      DOOR("answers as a stream what is more"),
    ],
  },
  {
    status: 202,
    phrase: "Accepted",
    revisions: STREAMABLE,
    own: "notifications and the client's answers",
    tests: [DOOR("mints a session at initialize, and answers as JSON what is one message")],
  },
  {
    status: 307,
    phrase: "Temporary Redirect",
    revisions: [],
    tests: [DOOR("a redirect leads to where it led, and a path nobody recorded is told of")],
  },
  { status: 308, phrase: "Permanent Redirect", revisions: [] },
  {
    status: 400,
    phrase: "Bad Request",
    revisions: STREAMABLE,
    own: "a session id or header that is missing or wrong, text that is no message",
    tests: [
      DOOR("a request %s is refused, and is no miss"),
      DOOR("a header that contradicts the body is refused"),
      DOOR("text that is no message gets a JSON-RPC error"),
    ],
  },
  {
    status: 401,
    phrase: "Unauthorized",
    revisions: STREAMABLE,
    tests: [DOOR("of a 401 and an answer, a client gets what was recorded for the credentials it shows")],
  },
  {
    status: 403,
    phrase: "Forbidden",
    revisions: STREAMABLE,
    own: "a foreign Host or Origin",
    tests: [cite("unit/wire/irregularity", "refusalOf")],
  },
  {
    status: 404,
    phrase: "Not Found",
    revisions: STREAMABLE,
    own: "a session that is over, another path; in the modern era an unknown method",
    tests: [
      DOOR("a session ends with DELETE"),
      DOOR("has no sessions, no GET and no DELETE; an unknown method is a 404"),
    ],
  },
  {
    status: 405,
    phrase: "Method Not Allowed",
    revisions: STREAMABLE,
    own: "GET and DELETE where the recorded server gave it, and in the modern era",
    tests: [
      DOOR("has no sessions, no GET and no DELETE; an unknown method is a 404"),
      DOOR("other paths and methods are not there, and no misses"),
    ],
  },
  {
    status: 406,
    phrase: "Not Acceptable",
    revisions: [],
    own: "an Accept that MCP does not allow",
    tests: [DOOR("an improper %s header is refused")],
  },
  {
    status: 409,
    phrase: "Conflict",
    revisions: [],
    own: "a second standalone stream",
    tests: [DOOR("there is one standalone stream for a session")],
  },
  { status: 413, phrase: "Content Too Large", revisions: [] },
  {
    status: 415,
    phrase: "Unsupported Media Type",
    revisions: [],
    own: "a Content-Type other than JSON",
    tests: [DOOR("an improper %s header is refused")],
  },
  { status: 429, phrase: "Too Many Requests", revisions: [] },
  { status: 500, phrase: "Internal Server Error", revisions: [] },
  { status: 502, phrase: "Bad Gateway", revisions: [] },
  { status: 503, phrase: "Service Unavailable", revisions: [] },
];

export function statuses(): Section {
  return {
    title: "HTTP statuses",
    text: "Over stdio and within a process, an HTTP answer that answers no request by its id is a miss.",
    through: [STATUS_TEST, OTHER_DOOR],
    rows: STATUSES.map(({ status, phrase, revisions, own, tests = [] }) => ({
      name: `${status} ${phrase}`,
      from: "server",
      revisions,
      recorded: "yes",
      replayed: own === undefined ? "where it was recorded" : `where it was recorded; of itself for: ${own}`,
      across: TRANSPORT,
      tests,
    })),
  };
}

/** `always`, when it is `unusual` (here an example of either), or `never`. */
type Kept =
  | { readonly kept: "always" | "never"; readonly example: string }
  | { readonly kept: "unusual"; readonly usual: string; readonly unusual: string };

interface Header {
  readonly name: string;
  readonly from: "client" | "server";
  readonly revisions: readonly string[];
  readonly keeping: Kept;
  /** Of what is kept, how it is written. */
  readonly recorded?: string;
  readonly replayed: string;
  readonly tests: readonly Cite[];
}

const IMPROPER = DOOR("an improper %s header is refused");
const OF_CLIENT = cite("unit/wire/kept-headers", "of a client");
const OF_SERVER = cite("unit/wire/kept-headers", "of a server");
const RULES = cite("unit/wire/irregularity", "refusalOf");
const SESSION = DOOR("mints a session at initialize, and answers as JSON what is one message");
const MISMATCH = DOOR("a header that contradicts the body is refused");

export const HEADERS: readonly Header[] = [
  {
    name: "Accept",
    from: "client",
    revisions: STREAMABLE,
    keeping: { kept: "unusual", usual: "application/json, text/event-stream", unusual: "text/html" },
    replayed: "checked: 406",
    tests: [OF_CLIENT, IMPROPER],
  },
  {
    name: "Authorization",
    from: "client",
    revisions: STREAMABLE,
    keeping: { kept: "always", example: "Bearer x" },
    recorded: "redacted",
    replayed: "not demanded; tells answers apart that were recorded with and without",
    tests: [
      OF_CLIENT,
      DOOR("of a 401 and an answer, a client gets what was recorded for the credentials it shows"),
    ],
  },
  {
    name: "Content-Type",
    from: "client",
    revisions: ALL,
    keeping: { kept: "unusual", usual: "application/json", unusual: "text/plain" },
    replayed: "checked: 415",
    tests: [OF_CLIENT, IMPROPER],
  },
  {
    name: "Host",
    from: "client",
    revisions: ALL,
    keeping: { kept: "unusual", usual: "localhost", unusual: "evil.example" },
    recorded: "where it is foreign",
    replayed: "checked: 403",
    tests: [OF_CLIENT, RULES],
  },
  {
    name: "Last-Event-ID",
    from: "client",
    revisions: SESSIONS,
    keeping: { kept: "always", example: "7" },
    replayed: "goes on with the stream after that event",
    tests: [OF_CLIENT, cite("unit/replay/http", "are primed, end, and go on when the client comes back")],
  },
  {
    name: "Mcp-Method",
    from: "client",
    revisions: MODERN,
    keeping: { kept: "always", example: "tools/list" },
    replayed: "checked against the body: 400, -32020",
    tests: [OF_CLIENT, MISMATCH],
  },
  {
    name: "Mcp-Name",
    from: "client",
    revisions: MODERN,
    keeping: { kept: "always", example: "forecast" },
    replayed: "checked against the body: 400, -32020",
    tests: [OF_CLIENT, RULES],
  },
  {
    name: "Mcp-Param-*",
    from: "client",
    revisions: MODERN,
    keeping: { kept: "always", example: "us" },
    replayed: "checked against arguments and the tool's schema: 400, -32020",
    tests: [OF_CLIENT, cite("unit/replay/http", "what only the refusal shows to be improper")],
  },
  {
    name: "MCP-Protocol-Version",
    from: "client",
    revisions: VERSIONED,
    keeping: { kept: "always", example: "2025-11-25" },
    replayed: "checked: 400; in the modern era against the body, -32020 and -32022",
    tests: [
      OF_CLIENT,
      IMPROPER,
      cite("unit/wire/irregularity", "names supported versions and the one requested"),
    ],
  },
  {
    name: "Mcp-Session-Id",
    from: "client",
    revisions: SESSIONS,
    keeping: { kept: "always", example: "s" },
    recorded: "as the number of its session",
    replayed: "demanded: 400 without, 404 when it is over",
    tests: [OF_CLIENT, DOOR("a request %s is refused, and is no miss"), DOOR("a session ends with DELETE")],
  },
  {
    name: "Origin",
    from: "client",
    revisions: ALL,
    keeping: { kept: "unusual", usual: "http://localhost", unusual: "http://evil.example" },
    recorded: "where it is foreign",
    replayed: "checked: 403",
    tests: [OF_CLIENT, RULES],
  },
  {
    name: "Allow",
    from: "server",
    revisions: [],
    keeping: { kept: "always", example: "POST" },
    replayed: "as recorded; POST with a 405 of the mock's own",
    tests: [OF_SERVER, STATUS_TEST],
  },
  {
    name: "Content-Type",
    from: "server",
    revisions: ALL,
    keeping: { kept: "always", example: "text/event-stream" },
    replayed: "as recorded, or as asked for (--answers); a stream wherever something comes before the answer",
    tests: [OF_SERVER, cite("unit/transport/http-doors", "an answer that stands alone")],
  },
  {
    name: "Location",
    from: "server",
    revisions: [],
    keeping: { kept: "always", example: "/mcp/" },
    replayed: "as recorded",
    tests: [OF_SERVER, STATUS_TEST],
  },
  {
    name: "MCP-Protocol-Version",
    from: "server",
    revisions: [],
    keeping: { kept: "always", example: "2025-11-25" },
    replayed: "as recorded",
    tests: [OF_SERVER, STATUS_TEST],
  },
  {
    name: "Mcp-Session-Id",
    from: "server",
    revisions: SESSIONS,
    keeping: { kept: "always", example: "s" },
    recorded: "as the number of its session",
    replayed: "minted anew, unless the recorded server gave none",
    tests: [OF_SERVER, SESSION, DOOR("a recording without session ids is served without")],
  },
  {
    name: "Retry-After",
    from: "server",
    revisions: [],
    keeping: { kept: "always", example: "3" },
    replayed: "as recorded",
    tests: [OF_SERVER, STATUS_TEST],
  },
  {
    name: "WWW-Authenticate",
    from: "server",
    revisions: VERSIONED,
    keeping: { kept: "always", example: "Bearer" },
    replayed: "as recorded",
    tests: [OF_SERVER, STATUS_TEST],
  },
  {
    name: "X-Accel-Buffering",
    from: "server",
    revisions: MODERN,
    keeping: { kept: "never", example: "no" },
    replayed: "`no` on every stream",
    tests: [cite("unit/transport/http-doors", "tell proxies on the way to hand events on")],
  },
];

const RECORDED: Readonly<Record<Kept["kept"], string>> = {
  always: "yes",
  unusual: "where it is not what MCP demands",
  never: "no: it describes a connection",
};

export function headers(): Section {
  return {
    title: "HTTP headers",
    text: "Cookies and what describes a connection are not recorded.",
    through: [],
    rows: HEADERS.map(({ name, from, revisions, keeping, recorded, replayed, tests }) => ({
      name,
      from,
      revisions,
      recorded: recorded ?? RECORDED[keeping.kept],
      replayed,
      across: TRANSPORT,
      tests,
    })),
  };
}
