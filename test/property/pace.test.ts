import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../../src/exchange/entry.ts";
import { readMessage } from "../../src/protocol/message.ts";
import { type Pace, paused } from "../../src/replay/pace.ts";
import { bytesOf, tape, textsOf } from "../cases/tape.ts";
import { VirtualTime } from "../cases/virtual-time.ts";
import { anyPlan, asking, type Plan, replying, scriptOf } from "./replay-arbitraries.ts";

const anyPace: fc.Arbitrary<Pace> = fc.record({
  factor: fc.constantFrom(0.25, 1, 2, 3, 1000),
  max: fc.constantFrom(Number.POSITIVE_INFINITY, 700, 40, 1),
});

/** Exchanges of questions of their own, one after the other, each entry so many milliseconds after the one before. */
interface Scene {
  readonly plans: readonly Plan[];
  readonly gaps: readonly number[];
  /** When each question is asked, whether for progress, and how long the client takes to answer the server. */
  readonly askings: readonly { readonly at: number; readonly withToken: boolean; readonly thinks: number }[];
}

const anyScene: fc.Arbitrary<Scene> = fc.array(anyPlan, { minLength: 1, maxLength: 5 }).chain((plans) =>
  fc.record({
    plans: fc.constant(plans.map((plan, question) => ({ ...plan, question }))),
    gaps: fc.array(fc.nat({ max: 900 }), { minLength: 1, maxLength: 40 }),
    askings: fc.tuple(
      ...plans.map(() =>
        fc.record({ at: fc.nat({ max: 2_000 }), withToken: fc.boolean(), thinks: fc.nat({ max: 50 }) }),
      ),
    ),
  }),
);

function entriesOf({ plans, gaps }: Scene): Entry[] {
  let at = 1;
  const entries = plans.flatMap((plan, nth) => scriptOf(plan, nth));
  return entries.map((entry, index) => {
    at += gaps[index % gaps.length] as number;
    return { ...entry, at };
  });
}

type Heard = readonly [at: number, text: string];

/** Plays a scene, and notes what was sent for each question. */
function play({ plans, askings }: Scene, entries: readonly Entry[], pace: Pace | undefined): Heard[][] {
  const time = new VirtualTime();
  const heard: Heard[][] = plans.map(() => []);
  const say = (text: string) => session.receive(readMessage(bytesOf(text)));
  const session = tape(entries, { pace }).player.connect({
    carriesStatus: false,
    timer: time.timer,
    act(action) {
      const question = Number("on" in action ? action.on : undefined);
      const [text] = textsOf([action]) as [string];
      const { id, method, params } = JSON.parse(text);
      // The server's questions are counted as they are asked, whichever exchange they are of.
      heard[question]?.push([time.now, method === "elicitation/create" ? params.message : text]);
      if (method === "elicitation/create") {
        time.timer(thinking(askings, question), () => say(replying(id, params.message)));
      }
    },
  });
  for (const [question, { at, withToken }] of askings.entries()) {
    time.timer(at, () => say(asking(`${question}`, question, withToken ? "7" : undefined)));
  }
  time.pass();
  expect(time.running).toBe(0);
  return heard;
}

const thinking = (askings: Scene["askings"], question: number): number =>
  1 + (askings[question]?.thinks ?? 0);

/** When each message of an exchange is to be sent: the recorded time since the one before, at the pace. */
function timesOf({ plans, askings }: Scene, entries: readonly Entry[], pace: Pace): number[][] {
  let next = 0;
  return plans.map(({ doings }, question) => {
    const { at, withToken } = askings[question] as Scene["askings"][number];
    const gap = () => (entries[next] as Entry).at - (entries[next++ - 1] as Entry).at;
    const times: number[] = [];
    let now = at;
    let notified = false;
    next += 1;
    for (const doing of doings) {
      now += paused(pace, gap());
      if (doing !== "progress" || withToken) times.push(now);
      if (doing === "log" || (doing === "progress" && withToken)) notified = true;
      if (doing !== "ask") continue;
      now += thinking(askings, question);
      gap();
      notified = false;
    }
    return [...times, now + Math.max(notified ? 2 : 0, paused(pace, gap()))];
  });
}

test("at any pace each exchange is the same, and comes in its recorded time", () => {
  fc.assert(
    fc.property(anyScene, anyPace, (scene, pace) => {
      const entries = entriesOf(scene);
      const heard = play(scene, entries, pace);
      const texts = (all: Heard[][]) => all.map((one) => one.map(([, text]) => text));
      expect(texts(heard)).toEqual(texts(play(scene, entries, undefined)));
      expect(heard.map((one) => one.map(([at]) => at))).toEqual(timesOf(scene, entries, pace));
    }),
    { seed: Number(process.env.FC_SEED ?? 1), numRuns: 300 },
  );
});
