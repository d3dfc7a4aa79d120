import { expect } from "vitest";
import type { ModelClient, Story } from "./client.ts";
import { behaviourOf, type Call, endOf, pageOf, type World } from "./world.ts";

const MISS = -32010;

/** The answers to one question that each recorded client was given, by client. */
function recordedCalls(
  clients: readonly ModelClient[],
  { tool, arg }: Call,
): Map<ModelClient, readonly Call[]> {
  const found = new Map<ModelClient, readonly Call[]>();
  for (const client of clients) {
    const calls = client.stories
      .map(({ deed }) => deed)
      .filter((deed): deed is Call => deed.do === "call" && deed.tool === tool && deed.arg === arg);
    if (calls.length > 0) found.set(client, calls);
  }
  return found;
}

export function isRecorded(clients: readonly ModelClient[], call: Call): boolean {
  return recordedCalls(clients, call).size > 0;
}

/**
 * Says of each thing a live client did what must have come of it: its nth equal question gets the nth answer that was
 * recorded for the client of its name, after the last the last; where that client never asked it, an answer that some
 * other client was given; where nobody did, a miss. Fails when anything else came.
 */
export function predict(world: World, recorded: readonly ModelClient[], client: ModelClient): void {
  const times = new Map<string, number>();
  for (const story of client.stories) {
    if (story.deed.do === "list") {
      predictList(world, recorded, { client, story });
      continue;
    }
    const question = `${story.deed.tool}.${story.deed.arg}`;
    const nth = times.get(question) ?? 0;
    times.set(question, nth + 1);
    predictCall(world, recorded, { client, story, call: story.deed, nth });
  }
}

interface Asked {
  readonly client: ModelClient;
  readonly story: Story;
}

function predictList(world: World, recorded: readonly ModelClient[], { client, story }: Asked): void {
  const lists = recorded.filter(({ stories }) => stories.some(({ deed }) => deed.do === "list"));
  const own = lists.filter(({ name }) => name === client.name);
  if (lists.length === 0) return expectMiss(story);
  const among = own.length > 0 ? own : lists;
  const answers = story.answers.map(({ result }) => ofNoEra(result));
  const possible = among.map(({ name }) =>
    Array.from({ length: world.pages }, (_, page) => ofNoEra(pageOf(world, name, page))),
  );
  expect(possible).toContainEqual(answers);
}

function predictCall(
  world: World,
  recorded: readonly ModelClient[],
  { client, story, call, nth }: Asked & { readonly call: Call; readonly nth: number },
): void {
  const all = recordedCalls(recorded, call);
  if (all.size === 0) return expectMiss(story);
  const own = [...all].filter(([{ name }]) => name === client.name);
  const { ending, doings } = behaviourOf(world, call);
  if (ending === "hang") {
    expect(story).toMatchObject({ answers: [], givenUp: true });
    return;
  }
  expect(story).toMatchObject({ givenUp: false, over: true });
  const { jsonrpc, id, ...answer } = story.answers[0] ?? {};
  expect([jsonrpc, id, story.answers.length]).toEqual(["2.0", story.ids.at(-1), 1]);
  const possible = (own.length > 0 ? own : [...all]).flatMap(([{ name }, calls]) =>
    own.length > 0
      ? [endOf(world, call, name, Math.min(nth, calls.length - 1))]
      : calls.map((_, index) => endOf(world, call, name, index)),
  );
  expect(possible.map(withoutEra)).toContainEqual(withoutEra(answer));
  const asked = own[0]?.[1][Math.min(nth, own[0][1].length - 1)];
  if (asked) {
    const count = asked.token && call.token ? doings.filter((doing) => doing === "progress").length : 0;
    expect(story.progress.length).toBe(count);
  }
}

/** A result without what only one of the eras has in it. */
function ofNoEra({ resultType, ttlMs, cacheScope, _meta, ...result }: Record<string, unknown> = {}): object {
  return result;
}

function withoutEra(answer: { readonly result?: unknown; readonly error?: unknown }): object {
  return answer.error === undefined
    ? ofNoEra(answer.result as Record<string, unknown>)
    : { error: answer.error };
}

function expectMiss({ answers, givenUp }: Story): void {
  expect(givenUp).toBe(false);
  expect(answers).toMatchObject([{ error: { code: MISS } }]);
}
