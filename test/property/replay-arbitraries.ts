import fc from "fast-check";
import type { Entry } from "../../src/exchange/entry.ts";
import { client, notice, server } from "../cases/tape.ts";

/** What the server does in an exchange before it answers. */
export type Doing = "progress" | "log" | "ask";

/** A recorded exchange as its recording is made from it. */
export interface Plan {
  /** Which question: equal ones are asked again. */
  readonly question: number;
  readonly doings: readonly Doing[];
  readonly fails: boolean;
}

export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  question: fc.nat({ max: 4 }),
  doings: fc.array(fc.constantFrom<Doing>("progress", "log", "ask"), { maxLength: 4 }),
  fails: fc.boolean(),
});

/** A JSON-RPC id as its exact text, of every kind there is. */
export const anyId: fc.Arbitrary<string> = fc.oneof(
  fc.integer({ min: -5, max: 1000 }).map(String),
  fc.integer({ min: 0, max: 20 }).map((n) => `"${n}"`),
  fc.string({ maxLength: 5 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('""', "9007199254740993", "1e3", "2.50", '"\\u00e9"', '"\\/"'),
);

/** Ids that are all different, however they are spelt. */
export const anyIds = (count: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(anyId, {
    minLength: count,
    maxLength: count,
    selector: (text) => (text.startsWith('"') ? JSON.stringify(JSON.parse(text)) : text),
  });

/** The request that asks a question. */
export const asking = (id: string, question: number, token?: string): string => {
  const meta = token === undefined ? "" : `,"_meta":{"progressToken":${token}}`;
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"q${question}"${meta}}}`;
};

/** The answer that the nth exchange of a recording ends with. */
export const answering = (id: string, plan: Plan, nth: number): string =>
  plan.fails
    ? `{"jsonrpc":"2.0","error":{"code":-32000,"message":"no ${nth}"},"id":${id}}`
    : `{"jsonrpc":"2.0","id":${id},"result":{"nth":${nth},"n":1.0}}`;

export const replying = (id: string | number, ask: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"to":"${ask}"}}`;

/** One exchange as entries, with ids and tokens of its own; each list is what happens at once. */
export function scriptOf(plan: Plan, nth: number, on?: Pick<Entry, "on">): Entry[] {
  const token = `"x${nth}"`;
  const script = [client(asking(String(nth), plan.question, token), on && { http: { method: "POST" } })];
  for (const [index, doing] of plan.doings.entries()) {
    const name = `x${nth}.${index}`;
    if (doing === "progress") {
      const params = { progressToken: `x${nth}`, progress: index };
      script.push(server(notice("notifications/progress", params), on));
    } else if (doing === "log") script.push(server(notice("notifications/message", { data: name }), on));
    else {
      const ask = { jsonrpc: "2.0", id: name, method: "elicitation/create", params: { message: name } };
      script.push(server(ask, on), client(replying(`"${name}"`, name), on && { http: { method: "POST" } }));
    }
  }
  script.push(server(answering(String(nth), plan, nth), on));
  return script;
}

/** Lists merged into one, each in its order; the numbers decide whose turn it is. */
export function merged<T>(lists: readonly (readonly T[])[], turns: readonly number[]): T[] {
  const waiting = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const all: T[] = [];
  for (let turn = 0; waiting.length > 0; turn++) {
    const index = (turns[turn % Math.max(1, turns.length)] ?? 0) % waiting.length;
    const list = waiting[index] as T[];
    all.push(list.shift() as T);
    if (list.length === 0) waiting.splice(index, 1);
  }
  return all;
}

export const anyTurns: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 50 }), {
  minLength: 1,
  maxLength: 60,
});
