import type { Action } from "../../replay/action.ts";
import { singleLine } from "../../wire/single-line.ts";
import { type FaultKind, faultKind, never } from "../kind.ts";
import { type Answer, changing, inPlace, type Out } from "../stage.ts";
import { partOf } from "./time.ts";
import { isTrue } from "./values.ts";

/** Milliseconds until what was written has left, before its connection breaks. */
const LEAVES_MS = 10;

const HALF = "half a body, or event, then the connection breaks";
const CLOSED = "the answer, which says `Connection: close`, then the end of its connection";
const GONE = "all connections break, and the server ends with that exit code";

/** Faults of the connection: it ends. */
export const CONNECTION: readonly FaultKind[] = [
  faultKind<void>({
    name: "close",
    value: "before",
    example: "before",
    schema: { const: "before" },
    about: "The connection closes in the place of an answer.",
    shows: {
      stdio: "the server ends, with exit code 0",
      http: "the connection breaks without a response; after events, the stream does",
      post: "the connection breaks without a response; after events, the stream does",
      sse: "the event stream breaks",
      memory: "the transport closes",
    },
    instead: true,
    read: () => undefined,
    explain: () => "the connection closes before the answer",
    stage: (_value, out) => inPlace(out, () => [{ type: "crash", on: out.request.id, closed: { exit: 0 } }]),
  }),
  faultKind<void>({
    name: "close",
    value: "mid-stream",
    example: "mid-stream",
    schema: { const: "mid-stream" },
    about: "The connection closes half way through the answer.",
    shows: {
      stdio: "half a line, then the server ends, with exit code 0",
      http: HALF,
      post: HALF,
      sse: "half an event, then the event stream breaks",
      memory: never("messages are handed over whole", "close: before"),
    },
    read: () => undefined,
    explain: () => "the connection closes half way through the answer",
    stage: (_value, out) =>
      changing(out, (answer) => {
        const whole = singleLine(answer.bytes);
        out.next(partOf(answer, { whole, start: 0, end: whole.length >> 1 }));
        closeSoon(out, answer.on);
      }),
  }),
  faultKind<void>({
    name: "close",
    value: "after",
    example: "after",
    schema: { const: "after" },
    about: "The connection closes when the answer has been given.",
    shows: {
      stdio: "the answer, then the server ends, with exit code 0",
      http: CLOSED,
      post: CLOSED,
      sse: "the answer, then the event stream breaks",
      memory: "the answer, then the transport closes",
    },
    read: () => undefined,
    explain: () => "the connection closes after the answer",
    stage: (_value, out) => {
      // Other answers and streams of the client have connections of their own, which stay.
      const isOwn = out.carrier === "http" || out.carrier === "post";
      if (isOwn) out.closes();
      return changing(out, (answer) => {
        out.next(answer);
        if (!isOwn) closeSoon(out, undefined);
      });
    },
  }),
  faultKind<number>({
    name: "crash",
    example: "1",
    schema: {
      anyOf: [
        { description: "Exit code 1.", const: true },
        { description: "The exit code.", type: "integer", minimum: 0, maximum: 255 },
      ],
    },
    about: "The server dies, with this exit code.",
    shows: {
      stdio: "the server ends with that exit code, without an answer",
      http: GONE,
      post: GONE,
      sse: GONE,
      memory: "the transport closes; there is no process to end",
    },
    instead: true,
    read: (tree, shape) => {
      const code = isTrue(tree) ? 1 : shape.whole(tree, "crash", 0);
      if (code <= 255) return code;
      throw shape.fault(tree.at, "crash must be an exit code, 255 at most");
    },
    explain: (code) => `the server dies with exit code ${code}`,
    stage: (exit, out) =>
      inPlace(out, () => [{ type: "crash", on: undefined, closed: { exit }, server: true }]),
  }),
];

function closeSoon(out: Out, on: Answer["on"]): void {
  const crash: Action = { type: "crash", on, closed: { exit: 0 } };
  out.wait(LEAVES_MS, () => out.next(crash));
}
