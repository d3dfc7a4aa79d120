import type { Shape } from "../../cassette/written/shape.ts";
import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonValue } from "../../protocol/message.ts";
import { type FaultKind, faultKind, never } from "../kind.ts";
import { inPlace } from "../stage.ts";
import { Cut } from "./cut.ts";
import { DURATION, durationWords, isTrue, readTrue, TRUE } from "./values.ts";

const NO_STATUS = never("there are no HTTP statuses", "error, or close: before");
const NO_SESSION = never("there is no session to lose", "close: before");
const NO_STREAM = never("no request has a stream of its own", "close: mid-stream");
const POST_IS = "the response to the POST";

const encoder = new TextEncoder();

/** Faults that only HTTP has. */
export const OF_HTTP: readonly FaultKind[] = [
  faultKind<Status>({
    name: "status",
    example: "{ code: 429, retryAfter: 2 }",
    schema: {
      anyOf: [
        { description: "The status.", type: "integer", minimum: 400, maximum: 599 },
        {
          type: "object",
          required: ["code"],
          additionalProperties: false,
          properties: {
            code: { type: "integer", minimum: 400, maximum: 599 },
            challenge: {
              description: 'WWW-Authenticate; of 401, Bearer error="invalid_token" when left out.',
              type: "string",
            },
            retryAfter: { description: "Retry-After, in seconds.", type: "integer", minimum: 0 },
            headers: { type: "object", additionalProperties: { type: "string" } },
            body: { description: "Text, or any other JSON.", type: ["string", "object", "array"] },
          },
        },
      ],
    },
    about:
      "An HTTP status in the place of an answer: 401 with a challenge, 404, 429 with Retry-After, 500, 503.",
    shows: { stdio: NO_STATUS, http: POST_IS, post: POST_IS, sse: POST_IS, memory: NO_STATUS },
    instead: true,
    atStart: true,
    isStatus: true,
    read: readStatus,
    explain: ({ code }) => `HTTP status ${code}`,
    stage: ({ code, headers, body }, out) =>
      inPlace(out, () => [
        {
          type: "status",
          on: out.request.id,
          http: { status: code, headers },
          body: body === undefined ? undefined : encoder.encode(body),
        },
      ]),
  }),
  faultKind<true>({
    name: "sessionLost",
    example: "true",
    schema: TRUE,
    about:
      "The server has lost the client's session: this request and all later ones get 404, until the client opens another.",
    shows: {
      stdio: NO_SESSION,
      http: "404 for every request with that `Mcp-Session-Id`",
      post: never("there are no sessions", "status: 404"),
      sse: "404 for every POST to that endpoint",
      memory: NO_SESSION,
    },
    instead: true,
    atStart: true,
    isStatus: true,
    lacks: ({ sessionless }) =>
      sessionless ? never("the recorded server gave no session ids", "status: 404") : undefined,
    read: readTrue("sessionLost"),
    explain: () => "the session is lost",
    stage: (_value, out) => inPlace(out, () => [{ type: "forget", on: out.request.id }]),
  }),
  faultKind<number | undefined>({
    name: "cut",
    example: "{ retry: 100ms }",
    schema: {
      anyOf: [
        TRUE,
        {
          type: "object",
          additionalProperties: false,
          properties: { retry: DURATION },
        },
      ],
    },
    about:
      "The event stream ends before the answer, after `afterEvents` messages; its events bear ids, and a client that comes back with `Last-Event-ID`, after `retry`, gets the rest.",
    shows: {
      stdio: NO_STREAM,
      http: "an event with an id alone, the messages so far, the end; the rest on a GET",
      post: never("a stream cannot be taken up again", "close: mid-stream"),
      sse: never("a stream cannot be taken up again", "close: mid-stream"),
      memory: NO_STREAM,
    },
    counts: true,
    read: readCut,
    explain: (retry) =>
      `the stream is cut${retry === undefined ? "" : `, to be taken up after ${durationWords(retry)}`}`,
    stage: (retry, out) => new Cut(out, retry),
  }),
];

interface Status {
  readonly code: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const STATUS_KEYS = ["code", "challenge", "retryAfter", "headers", "body"] as const;

function readStatus(tree: Tree, shape: Shape): Status {
  if (tree.kind !== "map") return { code: codeOf(tree, shape), ...said({ code: codeOf(tree, shape) }) };
  const members = shape.members(tree, { what: "status", allowed: STATUS_KEYS, required: ["code"] });
  const [code, challenge, retryAfter, headers, body] = STATUS_KEYS.map((key) => members.get(key));
  const status = codeOf(code as Tree, shape);
  return {
    code: status,
    ...said({
      code: status,
      challenge: challenge && headerText(challenge, "challenge", shape),
      retryAfter: retryAfter && shape.whole(retryAfter, "retryAfter", 0),
      headers: headers && readHeaders(headers, shape),
      body: body && shape.value(body),
    }),
  };
}

function codeOf(tree: Tree, shape: Shape): number {
  const code = tree.kind === "scalar" ? tree.value : undefined;
  if (Number.isInteger(code) && Number(code) >= 400 && Number(code) <= 599) return Number(code);
  throw shape.fault(
    tree.at,
    "a status must be a number from 400 to 599",
    "Or a mapping that has it as code:.",
  );
}

function readHeaders(tree: Tree, shape: Shape): Record<string, string> {
  if (tree.kind !== "map") throw shape.fault(tree.at, "headers must be a mapping of names to texts");
  return Object.fromEntries(
    tree.members.map(({ key, at, value }) => {
      if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(key))
        throw shape.fault(at, `${JSON.stringify(key)} is no name of a header`);
      return [key.toLowerCase(), headerText(value, key, shape)];
    }),
  );
}

function headerText(tree: Tree, name: string, shape: Shape): string {
  const text = shape.text(tree, name);
  if (/[^\t\x20-\x7e]/.test(text)) throw shape.fault(tree.at, `${name} holds what no header can`);
  return text;
}

interface Said {
  readonly code: number;
  readonly challenge?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: JsonValue | undefined;
}

const INVALID_TOKEN = 'Bearer error="invalid_token", error_description="The access token expired"';

function said({ code, challenge, retryAfter, headers, body }: Said): Omit<Status, "code"> {
  const challenged = challenge ?? (code === 401 ? INVALID_TOKEN : undefined);
  const isText = typeof body === "string";
  return {
    headers: {
      ...(challenged === undefined ? {} : { "www-authenticate": challenged }),
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
      ...(body === undefined ? {} : { "content-type": isText ? "text/plain" : "application/json" }),
      ...headers,
    },
    body: body === undefined || isText ? body : JSON.stringify(body),
  };
}

function readCut(tree: Tree, shape: Shape): number | undefined {
  if (isTrue(tree)) return undefined;
  const retry = shape.members(tree, { what: "cut", allowed: ["retry"] }).get("retry");
  return retry && shape.duration(retry, "retry");
}
