import type { Tree } from "../../cassette/written/tree.ts";
import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { eraOfRequest } from "../../protocol/revisions.ts";
import { paramsOf } from "../../replay/key.ts";
import { type FaultKind, faultKind } from "../kind.ts";
import { changing, inPlace, type Out } from "../stage.ts";
import { malformed, oversized, responseTo, truncated, withId } from "./bytes.ts";
import { isTrue, readSize, readTrue, SIZE, TRUE } from "./values.ts";

const everywhere = (shown: string) => ({
  stdio: shown,
  http: shown,
  post: shown,
  sse: shown,
  memory: shown,
});

/** Faults of what the answer says. */
export const ANSWERS: readonly FaultKind[] = [
  faultKind<JsonObject>({
    name: "error",
    example: '{ code: -32603, message: "upstream is down" }',
    schema: {
      type: "object",
      additionalProperties: false,
      properties: {
        code: { description: "-32603 when left out.", type: "integer" },
        message: { description: '"Internal error" when left out.', type: "string" },
        data: { description: "Any JSON." },
      },
    },
    about: "The answer is a JSON-RPC error.",
    shows: everywhere("the error, under the request's id"),
    instead: true,
    read: (tree, shape) => {
      const members = shape.members(tree, { what: "error", allowed: ["code", "message", "data"] });
      const [code, message, data] = ["code", "message", "data"].map((name) => members.get(name));
      if (code) shape.whole(code, "code", Number.MIN_SAFE_INTEGER);
      if (message) shape.text(message, "message");
      return {
        code: code ? shape.value(code) : -32603,
        message: message ? shape.value(message) : "Internal error",
        ...(data && { data: shape.value(data) }),
      };
    },
    explain: ({ code, message }) => `error ${code}, ${message}`,
    stage: (error, out) => inPlace(out, () => [answer(out, responseTo(out.request, "error", error))]),
  }),
  faultKind<string>({
    name: "toolError",
    example: "no such city",
    schema: { type: "string" },
    about: "The answer is a result that says the tool failed (`isError`), for the model to read.",
    shows: everywhere("the result, with this text"),
    instead: true,
    only: "tools/call",
    read: (tree, shape) => shape.text(tree, "toolError"),
    explain: (text) => `the tool fails, ${text}`,
    stage: (text, out) =>
      inPlace(out, () => [answer(out, responseTo(out.request, "result", failure(out, text)))]),
  }),
  faultKind<true>({
    name: "malformed",
    example: "true",
    schema: TRUE,
    about: "The answer is no JSON: it has a comma too many.",
    shows: {
      stdio: "a line that is no JSON",
      http: "a body, or an event, that is no JSON",
      post: "a body, or an event, that is no JSON",
      sse: "an event that is no JSON",
      memory: "the transport's `onerror`, as from a line that is no JSON",
    },
    read: readTrue("malformed"),
    explain: () => "the answer is no JSON",
    stage: (_value, out) => changing(out, (given) => out.next({ ...given, bytes: malformed(given.bytes) })),
  }),
  faultKind<number | undefined>({
    name: "truncate",
    example: "true",
    schema: { anyOf: [TRUE, { description: "Bytes that come.", type: "integer", minimum: 1 }] },
    about: "The answer stops half way, or after so many bytes, and looks complete.",
    shows: {
      stdio: "half a line, with its line break",
      http: "half a body, or event, that ends as a whole one does",
      post: "half a body, or event, that ends as a whole one does",
      sse: "half an event, that ends as a whole one does",
      memory: "the transport's `onerror`, as from a line that is no JSON",
    },
    read: (tree, shape) => (isTrue(tree) ? undefined : shape.whole(tree, "truncate", 1)),
    explain: (kept) => `the answer stops ${kept === undefined ? "half way" : `after ${kept} bytes`}`,
    stage: (kept, out) =>
      changing(out, (given) => out.next({ ...given, bytes: truncated(given.bytes, kept) })),
  }),
  faultKind<JsonValue>({
    name: "wrongId",
    example: "999",
    schema: {
      anyOf: [{ type: "integer" }, { type: "string" }, { type: "null" }],
    },
    about: "The answer bears this id, which should be one that nobody asked under.",
    shows: everywhere("an answer that belongs to no request, and none to the request"),
    read: readId,
    explain: (id) => `the answer bears the id ${JSON.stringify(id)}`,
    stage: (id, out) => changing(out, (given) => out.next({ ...given, bytes: withId(given.bytes, id) })),
  }),
  faultKind<true>({
    name: "duplicate",
    example: "true",
    schema: TRUE,
    about: "The answer comes twice.",
    shows: {
      stdio: "two equal lines",
      http: "an event stream with both",
      post: "an event stream with both",
      sse: "two equal events",
      memory: "two equal messages",
    },
    read: readTrue("duplicate"),
    explain: () => "the answer comes twice",
    stage: (_value, out) =>
      changing(out, (given) => {
        const { bytes, on, http, event } = given;
        out.next({ type: "send", bytes, on, stream: "own", http, event });
        out.next(given);
      }),
  }),
  faultKind<number>({
    name: "oversized",
    example: "10mb",
    schema: SIZE,
    about:
      "The answer has so many bytes more: a tool's result one more text, any other a member that means nothing.",
    shows: everywhere("a valid answer of that size"),
    read: readSize,
    explain: (bytes) => `the answer has ${bytes} bytes more`,
    stage: (size, out) =>
      changing(out, (given) => out.next({ ...given, bytes: oversized(given.bytes, size) })),
  }),
];

function answer(out: Out, bytes: Uint8Array) {
  return { type: "outcome", bytes, on: out.request.id } as const;
}

/** Results of the modern era say that they are complete (2026-07-28 schema, Result). */
function failure({ request }: Out, text: string): JsonObject {
  const { method } = request;
  const era = eraOfRequest({ method, params: paramsOf(request), versionHeader: undefined });
  const said = { content: [{ type: "text", text }], isError: true };
  return era === "modern" ? { resultType: "complete", ...said } : said;
}

function readId(tree: Tree, shape: Parameters<FaultKind["read"]>[1]): JsonValue {
  const { kind } = tree;
  if (kind === "scalar" && (tree.value === null || typeof tree.value === "string")) return tree.value;
  if (kind === "scalar" && Number.isSafeInteger(tree.value)) return tree.value;
  throw shape.fault(tree.at, "wrongId must be an id: a whole number, text, or null");
}
