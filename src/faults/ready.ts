/** A list of faults that can be had by its name. */
interface ReadySet {
  readonly name: string;
  /** In a sentence. */
  readonly about: string;
  /** As a faults file. */
  readonly text: string;
}

/** What `--faults NAME` and `useCassette({ faults: NAME })` take besides files. docs/faults.md shows them. */
export const READY: readonly ReadySet[] = [
  {
    name: "flaky",
    about: "One request in five fails, one tool call in ten by itself; the next try may do.",
    text: `seed: 1
faults:
  - { on: { method: tools/call, probability: 0.2 }, do: { error: { message: upstream is unreachable } } }
  - { on: { method: tools/call, probability: 0.1 }, do: { toolError: temporarily unavailable } }
  - { on: { method: resources/read, probability: 0.2 }, do: { error: { message: upstream is unreachable } } }
  - { on: { method: prompts/get, probability: 0.2 }, do: { error: { message: upstream is unreachable } } }
`,
  },
  {
    name: "slow",
    about: "Every answer comes late, that of a tool two seconds.",
    text: `seed: 1
faults:
  - { do: { delay: 300ms, jitter: 200ms } }
  - { on: { method: tools/call }, do: { delay: 2s } }
`,
  },
  {
    name: "rate-limited",
    about: "Every third tool call is turned away for a second (429); over HTTP.",
    text: `faults:
  - { on: { method: tools/call, every: 3 }, do: { status: { code: 429, retryAfter: 1 } } }
`,
  },
  {
    name: "session-lost",
    about:
      "The server forgets its session once, at the second tool call (404); over Streamable HTTP and HTTP+SSE.",
    text: `faults:
  - { on: { method: tools/call, nth: 2, across: all }, do: { sessionLost: true } }
`,
  },
  {
    name: "expired-auth",
    about: "The access token has expired once, at the second tool call (401); over HTTP.",
    text: `faults:
  - { on: { method: tools/call, nth: 2, across: all }, do: { status: 401 } }
`,
  },
  {
    name: "garbage",
    about: "Every second tool call gets no JSON, half an answer, one for somebody else, or all of it twice.",
    text: `faults:
  - { on: { method: tools/call, nth: 2 }, do: { malformed: true } }
  - { on: { method: tools/call, nth: 4 }, do: { truncate: true } }
  - { on: { method: tools/call, nth: 6 }, do: { wrongId: 424242 } }
  - { on: { method: tools/call, nth: 8 }, do: { duplicate: true } }
`,
  },
];
