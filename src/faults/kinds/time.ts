import type { Tree } from "../../cassette/written/tree.ts";
import type { Action } from "../../replay/action.ts";
import { singleLine } from "../../wire/single-line.ts";
import { type FaultKind, faultKind, never } from "../kind.ts";
import { type Answer, changing, inPlace, type Out, Paused, type Stage } from "../stage.ts";
import { DURATION, durationWords, readTrue, TRUE } from "./values.ts";

const LATE = "all messages of the answer come that much later";
const ONE_BY_ONE = "each message of the answer comes later by a time of its own";
const SILENCE = "no answer, and the connection stays";

/** Faults of time: late, never, slowly, too late. */
export const TIME: readonly FaultKind[] = [
  faultKind<number>({
    name: "delay",
    example: "5s",
    schema: DURATION,
    about: "The answer comes late.",
    shows: {
      stdio: LATE,
      http: "the response begins that much later",
      post: "the response begins that much later",
      sse: LATE,
      memory: LATE,
    },
    read: (tree, shape) => shape.duration(tree, "delay"),
    explain: (ms) => `the answer comes ${durationWords(ms)} late`,
    stage: (ms, out) => {
      let paused = false;
      return new Paused(out, () => {
        if (paused) return 0;
        paused = true;
        return ms;
      });
    },
  }),
  faultKind<number>({
    name: "jitter",
    example: "200ms",
    schema: DURATION,
    about:
      "Every message of the answer comes late by another time, up to this one; the same times in every run.",
    shows: { stdio: ONE_BY_ONE, http: ONE_BY_ONE, post: ONE_BY_ONE, sse: ONE_BY_ONE, memory: ONE_BY_ONE },
    read: (tree, shape) => shape.duration(tree, "jitter"),
    explain: (ms) => `each message comes up to ${durationWords(ms)} late`,
    stage: (ms, out) => {
      let isNext = true;
      return new Paused(out, () => {
        isNext = !isNext;
        return isNext ? 0 : Math.max(1, Math.round(out.random() * ms));
      });
    },
  }),
  faultKind<true>({
    name: "hang",
    example: "true",
    schema: TRUE,
    about: "The answer never comes.",
    shows: {
      stdio: SILENCE,
      http: "no response; after events, a stream that stays silent",
      post: "no response; after events, a stream that stays silent",
      sse: SILENCE,
      memory: SILENCE,
    },
    instead: true,
    silent: true,
    read: readTrue("hang"),
    explain: () => "the answer never comes",
    stage: (_value, out) => inPlace(out),
  }),
  faultKind<Slow>({
    name: "slow",
    example: "{ bytes: 16, every: 20ms }",
    schema: {
      type: "object",
      required: ["bytes", "every"],
      additionalProperties: false,
      properties: {
        bytes: { description: "How many come at once.", type: "integer", minimum: 1 },
        every: DURATION,
      },
    },
    about: "The bytes of the answer come a few at a time.",
    shows: {
      stdio: "a line that grows; nothing else comes meanwhile",
      http: "a body, or an event, that grows",
      post: "a body, or an event, that grows",
      sse: "an event that grows; nothing else comes meanwhile",
      memory: never("messages are handed over whole", "delay"),
    },
    read: (tree, shape) => {
      const keys = ["bytes", "every"] as const;
      const members = shape.members(tree, { what: "slow", allowed: keys, required: keys });
      const [bytes, every] = keys.map((key) => members.get(key)) as [Tree, Tree];
      return { bytes: shape.whole(bytes, "bytes", 1), every: shape.duration(every, "every") };
    },
    explain: ({ bytes, every }) => `the answer comes ${bytes} bytes every ${durationWords(every)}`,
    stage: slowly,
  }),
  faultKind<true>({
    name: "answerAfterCancel",
    example: "true",
    schema: TRUE,
    about: "The answer comes when the client has given up waiting for it, and not before.",
    shows: {
      stdio: "an answer after `notifications/cancelled`",
      http: "an answer after `notifications/cancelled`, on the response of the request",
      post: never("a client cancels by closing the response, and nothing can come on it then", "hang"),
      sse: "an answer after `notifications/cancelled`",
      memory: "an answer after `notifications/cancelled`",
    },
    read: readTrue("answerAfterCancel"),
    explain: () => "the answer comes after it was cancelled",
    stage: (_value, out) => new Defiant(out),
  }),
];

interface Slow {
  readonly bytes: number;
  readonly every: number;
}

function slowly({ bytes, every }: Slow, out: Out): Stage {
  return changing(out, (answer) => {
    const whole = singleLine(answer.bytes);
    const from = (start: number) => {
      const end = start + bytes;
      out.next(partOf(answer, { whole, start, end }));
      if (end < whole.length) out.wait(every, () => from(end));
    };
    from(0);
  });
}

interface Range {
  readonly whole: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** A piece of a response; the last one where it reaches its end. */
export function partOf({ on, event, http }: Answer, { whole, start, end }: Range): Action {
  const bytes = whole.subarray(start, end);
  return { type: "part", on, bytes, last: end >= whole.length, whole, event, http };
}

/** Holds the response back until the client does not want it any more. */
class Defiant implements Stage {
  readonly #out: Out;
  #answer: Answer | undefined;
  #cancelled = false;

  constructor(out: Out) {
    this.#out = out;
  }

  get held(): number {
    return this.#answer ? 1 : 0;
  }

  get holding(): boolean {
    return this.#answer !== undefined;
  }

  take(action: Action): void {
    if (action.type !== "outcome") return this.#out.next(action);
    this.#answer = action;
    if (this.#cancelled) this.#release();
  }

  cancelled(): boolean {
    this.#cancelled = true;
    this.#release();
    return true;
  }

  #release(): void {
    const answer = this.#answer;
    if (!answer) return;
    this.#answer = undefined;
    this.#out.struck();
    this.#out.next(answer);
  }
}
