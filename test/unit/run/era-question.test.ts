import { expect, test } from "vitest";
import { readMessage } from "../../../src/protocol/message.ts";
import type { Seen } from "../../../src/run/entry-sink.ts";
import { EraQuestion } from "../../../src/run/era-question.ts";
import type { Recorder } from "../../../src/run/recorder.ts";

const bytes = (message: object) => new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }));

/** What a recorder was given, as session and text. */
function recorded() {
  const texts: [session: number, text: string, timed: boolean][] = [];
  const recorder = {
    put: ({ session, raw }: Seen, now?: number) =>
      texts.push([session, new TextDecoder().decode(raw), now !== undefined]),
    flush: () => undefined,
  };
  return { question: new EraQuestion(recorder as unknown as Recorder), texts };
}

const DISCOVER = { id: 1, method: "server/discover" };
const UNKNOWN = { id: 1, error: { code: -32601, message: "Method not found" } };
const INITIALIZE = { id: 2, method: "initialize" };

function acts(question: EraQuestion, message: object, session: number): void {
  question.acts({ type: "send", message: readMessage(bytes(message)), headers: {} });
  question.add({ from: "client", session, raw: bytes(message) });
}

test.each([
  ["over one connection", 1],
  ["on a connection of its own", 2],
])("a server that does not know the question, %s: it is left out, and its late answers", (_where, next) => {
  const { question, texts } = recorded();
  acts(question, DISCOVER, 1);
  question.add({ from: "server", session: 1, raw: bytes(UNKNOWN) });
  acts(question, INITIALIZE, next);
  question.add({ from: "server", session: 1, raw: bytes(UNKNOWN) });
  question.add({ from: "server", session: next, raw: bytes({ id: 2, result: {} }) });
  question.settle();
  expect(texts.map(([session, text]) => [session, JSON.parse(text).id])).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test.each([
  ["asks on", { id: 2, method: "tools/list" }],
  ["asks nothing more", undefined],
])("a server that knows it: it is recorded with its time, when the driver %s", (_what, more) => {
  const { question, texts } = recorded();
  acts(question, DISCOVER, 1);
  question.add({ from: "server", session: 1, raw: bytes({ id: 1, result: {} }) });
  expect(texts).toEqual([]);
  if (more) acts(question, more, 1);
  question.settle();
  expect(texts.slice(0, 2).map(([, text, timed]) => [JSON.parse(text).id, timed])).toEqual([
    [1, true],
    [1, true],
  ]);
  expect(texts).toHaveLength(more ? 3 : 2);
});
