import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { idToken } from "../../src/protocol/message.ts";
import { type LiveClient, type Tape, tape, textsOf } from "../cases/tape.ts";
import { anyJson } from "./cassette-arbitraries.ts";
import {
  answering,
  anyId,
  anyIds,
  anyPlan,
  anyTurns,
  asking,
  merged,
  type Plan,
  replying,
  scriptOf,
} from "./replay-arbitraries.ts";

const check = <T>(property: fc.IProperty<T>, numRuns = 200): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns });

/** A recording of these exchanges, one after the other. */
const recordingOf = (plans: readonly Plan[]): Tape => tape(plans.flatMap((plan, nth) => scriptOf(plan, nth)));

/** A client that asks questions, answers the server's, and notes what it is told under which id. */
class Asker {
  readonly live: LiveClient;
  /** Everything that was sent, in order. */
  readonly heard: string[] = [];
  /** Questions of the server that are not answered yet. */
  readonly asked: { readonly id: number; readonly name: string }[] = [];
  readonly cancelled = new Set<string>();

  constructor(recorded: Tape) {
    this.live = recorded.connect();
  }

  say(text: string): string[] {
    const actions = this.live.act(text);
    for (const action of actions) {
      if ("on" in action && action.on !== undefined && this.cancelled.has(action.on)) {
        throw new Error(`sent for ${action.on}, which was cancelled`);
      }
    }
    const texts = textsOf(actions);
    for (const each of texts) {
      const { id, method, params } = JSON.parse(each);
      if (method === "elicitation/create") this.asked.push({ id, name: params.message });
    }
    this.heard.push(...texts);
    return texts;
  }

  ask(id: string, question: number, token?: string): string[] {
    return this.say(asking(id, question, token));
  }

  /** Answers one of the server's open questions, as it was answered in the recording. */
  reply(which: number): string[] {
    const [ask] = this.asked.splice(which % Math.max(1, this.asked.length), 1);
    return ask ? this.say(replying(ask.id, ask.name)) : [];
  }

  cancel(id: string): string[] {
    this.cancelled.add(idToken(id));
    return this.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`);
  }
}

/** The plan that the nth time of asking is answered from: the nth recorded, after the last the last. */
function nthOf(plans: readonly Plan[], question: number, nth: number): number | undefined {
  const all = [...plans.entries()].filter(([, plan]) => plan.question === question);
  return all[Math.min(nth, all.length - 1)]?.[0];
}

interface Asking {
  readonly question: number;
  readonly withToken: boolean;
}

const anyAsking: fc.Arbitrary<Asking> = fc.record({
  question: fc.nat({ max: 4 }),
  withToken: fc.boolean(),
});
const anyPlans = fc.array(anyPlan, { minLength: 1, maxLength: 8 });
/** Questions in any order, each under an id of its own. */
const anyWalk = fc.array(anyAsking, { maxLength: 10 }).chain((askings) =>
  fc.tuple(fc.constant(askings), anyIds(askings.length), anyTurns).map(([all, ids, turns]) => ({
    askings: all.map((asked, index) => ({
      ...asked,
      id: ids[index] as string,
      token: ids.at(-1 - index) as string,
    })),
    turns,
  })),
);

describe("one client, in any order, with any ids", () => {
  test("every request is answered by its nth recording, under exactly its id, whatever else is asked", () => {
    check(
      fc.property(anyPlans, anyWalk, (plans, { askings, turns }) => {
        const asker = new Asker(recordingOf(plans));
        const timesAsked = new Map<number, number>();
        const expected: string[] = [];
        let turn = 0;
        for (const { id, question, withToken, token } of askings) {
          asker.ask(id, question, withToken ? token : undefined);
          const times = timesAsked.get(question) ?? 0;
          timesAsked.set(question, times + 1);
          const nth = nthOf(plans, question, times);
          if (nth !== undefined) expected.push(answering(id, plans[nth] as Plan, nth));
          // Some of the server's questions are answered now, some later, in any order.
          for (let i = 0; i < (turns[turn++ % turns.length] as number) % 3; i++)
            asker.reply(turns[turn % turns.length] as number);
        }
        while (asker.asked.length > 0) asker.reply(turns[turn++ % turns.length] as number);
        const answers = asker.heard.filter((text) => !text.includes('"method"') && !text.includes("mcp-vcr"));
        expect(answers.sort()).toEqual(expected.sort());
        const misses = asker.heard.filter((text) => text.includes("mcp-vcr"));
        expect(misses.length).toBe(askings.length - expected.length);
      }),
    );
  });

  test("progress, log lines and questions come as recorded, progress under the live token", () => {
    check(
      fc.property(anyPlans, anyIds(2), fc.boolean(), (plans, [id = "0", token = "1"], withToken) => {
        const recorded = recordingOf(plans);
        const [plan] = plans as [Plan];
        const asker = new Asker(recorded);
        asker.ask(id, plan.question, withToken ? token : undefined);
        while (asker.asked.length > 0) asker.reply(0);
        const told = plan.doings.filter((doing) => doing !== "progress" || withToken);
        const kinds = asker.heard.map((text) => JSON.parse(text).method ?? "answer");
        const names = {
          progress: "notifications/progress",
          log: "notifications/message",
          ask: "elicitation/create",
        };
        expect(kinds).toEqual([...told.map((doing) => names[doing]), "answer"]);
        for (const text of asker.heard) {
          if (text.includes("notifications/progress")) expect(text).toContain(`"progressToken":${token}`);
        }
        expect(recorded.player.report()).toMatchObject({ misses: [], differentAnswers: [], hits: 1 });
      }),
    );
  });

  test("after a cancellation nothing more is sent for that id", () => {
    check(
      fc.property(anyPlans, anyWalk, (plans, { askings, turns }) => {
        const asker = new Asker(recordingOf(plans));
        askings.forEach(({ id, question, token }, index) => {
          asker.ask(id, question, token);
          const turn = turns[index % turns.length] as number;
          // The asker throws when it is told something about an id it has cancelled.
          if (turn % 3 === 0) asker.cancel(id);
          if (turn % 2 === 0) asker.reply(turn);
          if (turn % 5 === 0) asker.cancel((askings[turn % (index + 1)] as { id: string }).id);
        });
        while (asker.asked.length > 0) asker.reply(0);
      }),
    );
  });
});

/** What a client does, one thing after the other. */
type Deed =
  | { readonly do: "ask"; readonly id: string; readonly question: number; readonly token: string }
  | { readonly do: "reply"; readonly which: number }
  | { readonly do: "cancel"; readonly id: string };

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ do: fc.constant("ask" as const), id: anyId, question: fc.nat({ max: 5 }), token: anyId }),
  fc.record({ do: fc.constant("reply" as const), which: fc.nat({ max: 5 }) }),
  fc.record({ do: fc.constant("cancel" as const), id: anyId }),
);

function perform(asker: Asker, deed: Deed): string[] {
  if (deed.do === "ask") return asker.live.texts(asking(deed.id, deed.question, deed.token));
  if (deed.do === "reply") return asker.live.texts(replying(deed.which, "any"));
  return asker.live.texts(`{"method":"notifications/cancelled","params":{"requestId":${deed.id}}}`);
}

/** Other people's misses tell how much they used, which is each client's own too. */
test("clients at once, however their messages interleave, are each as if alone", () => {
  check(
    fc.property(
      anyPlans,
      fc.array(fc.array(anyDeed, { maxLength: 12 }), { minLength: 2, maxLength: 5 }),
      anyTurns,
      (plans, lives, turns) => {
        const alone = lives.map((deeds) => {
          const asker = new Asker(recordingOf(plans));
          return deeds.map((deed) => perform(asker, deed));
        });
        const shared = recordingOf(plans);
        const together = lives.map(() => ({ asker: new Asker(shared), heard: [] as string[][] }));
        const order = merged(
          lives.map((deeds, who) => deeds.map((deed) => ({ who, deed }))),
          turns,
        );
        for (const { who, deed } of order) {
          const client = together[who] as (typeof together)[number];
          client.heard.push(perform(client.asker, deed));
        }
        expect(together.map(({ heard }) => heard)).toEqual(alone);
      },
    ),
  );
});

test("what was not recorded is never answered with something else", () => {
  const recorded = recordingOf([{ question: 0, doings: ["progress", "log"], fails: false }]);
  check(
    fc.property(
      fc.oneof(fc.constantFrom("tools/call", "tools/list", "constructor", "__proto__", ""), fc.string()),
      anyJson,
      anyId,
      (method, params, id) => {
        fc.pre(JSON.stringify([method, params]) !== '["tools/call",{"name":"q0"}]' && method !== "ping");
        const live = recorded.connect();
        const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`;
        const [answer, ...more] = live.texts(text);
        expect(more).toEqual([]);
        expect(answer).toContain(`{"jsonrpc":"2.0","id":${id === idToken(id) ? id : ""}`);
        expect(JSON.parse(answer as string)).toMatchObject({ id: JSON.parse(id), error: { code: -32010 } });
      },
    ),
    500,
  );
});

/** A recording of several clients at once. */
test("answers do not depend on how the recorded connections were interleaved", () => {
  check(
    fc.property(
      fc.array(fc.array(anyPlan, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      anyTurns,
      anyWalk,
      (sessions, turns, { askings }) => {
        const lists = sessions.map((plans, index) =>
          plans
            .flatMap((plan, nth) => scriptOf(plan, index * 10 + nth))
            .map((entry) => ({ ...entry, session: index + 1 })),
        );
        const walk = (recorded: Tape): string[] => {
          const asker = new Asker(recorded);
          for (const { id, question, token } of askings) {
            asker.ask(id, question, token);
            while (asker.asked.length > 0) asker.reply(0);
          }
          // Of equally near recordings a miss names the first.
          return asker.heard.map((text) => (text.includes("mcp-vcr") ? "a miss" : text));
        };
        expect(walk(tape(merged(lists, turns)))).toEqual(walk(tape(lists.flat())));
      },
    ),
  );
});
