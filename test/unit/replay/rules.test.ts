import { describe, expect, test } from "vitest";
import { readMessage } from "../../../src/protocol/message.ts";
import type { Action } from "../../../src/replay/action.ts";
import type { MatchFunction, MatchOperator } from "../../../src/replay/match-operators.ts";
import { ruleFault } from "../../../src/replay/rule-fault.ts";
import { type MatchRules, Rules } from "../../../src/replay/rules.ts";
import {
  bytesOf,
  client,
  request,
  result,
  server,
  type Tape,
  type TapeOptions,
  tape,
  textsOf,
} from "../../cases/tape.ts";

const call = (args: unknown, name = "forecast", extra: object = {}) =>
  request(3, "tools/call", { name, arguments: args, ...extra });

/** A recording of calls with these arguments, the nth answered by n, served by these rules. */
function recorded(match: MatchRules, all: readonly unknown[], options: TapeOptions = {}): Tape {
  const entries = all.flatMap((args, nth) => [
    client(typeof args === "string" ? args : { ...call(args), id: nth }),
    server(result(nth, nth)),
  ]);
  return tape(entries, { rules: new Rules(match, "mcp-vcr.config.yaml"), ...options });
}

/** What each call is answered by: the nth recording, or a miss. */
function answers(recording: Tape, asked: readonly unknown[]): unknown[] {
  const live = recording.connect();
  return asked.map((args) => {
    const [answer] = live.say(typeof args === "string" ? args : call(args));
    return answer.error ? "miss" : answer.result;
  });
}

const ignoring = (...ignore: string[]): MatchRules => ({ "tools/call forecast": { ignore } });
const operating = (place: string, operator: MatchOperator): MatchRules => ({
  "tools/call": { match: { [place]: operator } },
});

describe("which recording answers", () => {
  test("what is ignored may be there, or not, or another", () => {
    const recording = recorded(ignoring("/arguments/at"), [{ city: "Oslo", at: 1 }]);
    expect(answers(recording, [{ city: "Oslo", at: 2 }, { city: "Oslo" }, { at: 1, city: "Rome" }])).toEqual([
      0,
      0,
      "miss",
    ]);
  });

  test("what rules leave nothing in is as if it were not there", () => {
    const rules = { "tools/call": { ignore: ["/arguments/at", "/_meta/x~1y"] } };
    const asked = (params: object) =>
      JSON.stringify(request(0, "tools/call", { name: "forecast", ...params }));
    const recording = recorded(rules, [asked({ arguments: { at: 1 }, _meta: { "x/y": 1 } })]);
    const big =
      '{"id":1,"method":"tools/call","params":{"name":"forecast","arguments":{"at":9007199254740993}}}';
    expect(
      answers(recording, [asked({}), asked({ _meta: {} }), big, asked({ arguments: { q: 1 } })]),
    ).toEqual([0, 0, 0, "miss"]);
  });

  test("where several may be asking, nobody is told what it was told before, nor that it asked too often", () => {
    const { player } = recorded(ignoring("/arguments/at"), [{ at: 1 }, { at: 2 }, { at: 3 }], {
      strict: true,
    });
    const [one, other] = [player.welcome(), player.welcome()];
    const connect = (...visitors: [typeof one, ...(typeof one)[]]) => {
      const sent: string[] = [];
      const act = (action: Action) => void sent.push(...textsOf([action]));
      const session = player.connect({ act, carriesStatus: true, timer: () => () => undefined }, visitors);
      return (at: number) => {
        session.receive(readMessage(bytesOf(JSON.stringify(call({ at })))));
        return JSON.parse(sent.pop() as string).result ?? "miss";
      };
    };
    const [alone, together] = [connect(one), connect(one, other)];
    expect([alone(7), together(7), alone(7), alone(7)]).toEqual([0, 1, 2, 2]);
    expect([connect(other)(7), connect(other)(7), together(7)]).toEqual([0, 2, 2]);
  });

  test("an equal question wins, however often; of others each answers once, in wire order, then the last", () => {
    const recording = recorded(ignoring("/arguments/at"), [{ at: 1 }, { at: 2 }, { at: 3 }]);
    expect(answers(recording, [{ at: 2 }, { at: 9 }, { at: 2 }, { at: 8 }, { at: 7 }, { at: 1 }])).toEqual([
      1, 0, 1, 2, 2, 0,
    ]);
    // Each client starts afresh.
    expect(answers(recording, [{ at: 9 }, { at: 8 }, { at: 7 }, { at: 6 }])).toEqual([0, 1, 2, 2]);
  });

  test("once more than recorded is a repeat in the report, and a miss in strict mode", () => {
    const lax = recorded(ignoring("/arguments/at"), [{ at: 1 }, { at: 2 }]);
    expect(answers(lax, [{ at: 7 }, { at: 8 }, { at: 9 }])).toEqual([0, 1, 1]);
    expect(lax.player.report()).toMatchObject({
      hits: 3,
      repeats: [{ label: "tools/call forecast", times: 1 }],
    });
    const strict = recorded(ignoring("/arguments/at"), [{ at: 1 }, { at: 2 }], { strict: true });
    expect(answers(strict, [{ at: 7 }, { at: 8 }, { at: 9 }])).toEqual([0, 1, "miss"]);
    expect(strict.player.report().misses).toMatchObject([{ reason: "exhausted", recorded: 2, used: 2 }]);
  });

  test("the connection that a client stands for answers before others", () => {
    const said = (session: number, name: string, at: number, id: number) => [
      client(request(0, "initialize", { clientInfo: { name, version: "1" } }), { session }),
      server(result(0, {}), { session }),
      client({ ...call({ at }), id }, { session }),
      server(result(id, `${name} ${at}`), { session }),
    ];
    const recording = tape([...said(1, "a", 1, 1), ...said(2, "b", 2, 2)], {
      rules: new Rules(ignoring("/arguments/at"), "x"),
    });
    const live = recording.connect();
    live.say(request(0, "initialize", { clientInfo: { name: "b", version: "1" } }));
    expect([7, 8].map((at) => live.say(call({ at }))[0].result)).toEqual(["b 2", "b 2"]);
    expect(recording.connect().say(call({ at: 2 }))[0].result).toBe("b 2");
    expect(recording.connect().say(call({ at: 3 }))[0].result).toBe("a 1");
  });

  test("progress and no progress are told apart without standing still", () => {
    const token = { _meta: { progressToken: 1 } };
    const asked = (id: number, at: number, meta = {}) => ({ ...call({ at }, "forecast", meta), id });
    const recording = tape(
      [
        ...[client(asked(1, 1, token)), server(result(1, "same"))],
        ...[client(asked(2, 2)), server(result(2, "same"))],
        ...[client(asked(3, 3)), server(result(3, "last"))],
      ],
      { rules: new Rules(ignoring("/arguments/at"), "x") },
    );
    expect(answers(recording, [{ at: 7 }, { at: 8 }, { at: 9 }]).at(-1)).toBe("last");
  });
});

describe("operators", () => {
  test.each<[string, MatchOperator, unknown, readonly unknown[]]>([
    [
      "any is there in both",
      "any",
      { q: 1 },
      [
        [{ q: { a: [2] } }, 0],
        [{ q: null }, 0],
        [{}, "miss"],
      ],
    ],
    [
      "pattern is found in both",
      { pattern: "^a" },
      { q: "apple" },
      [
        [{ q: "avocado" }, 0],
        [{ q: "banana" }, "miss"],
        [{ q: ["avocado"] }, "miss"],
      ],
    ],
    [
      "tolerance",
      { tolerance: 0.01 },
      { q: 0.3 },
      [
        [{ q: 0.29 }, 0],
        [{ q: 0.31 }, 0],
        [{ q: 0.2899 }, "miss"],
        [{ q: "0.3" }, "miss"],
      ],
    ],
    [
      "unordered",
      { unordered: true },
      { q: [1, { a: 1, b: 2 }, "x", 1] },
      [
        [{ q: ["x", 1, { b: 2, a: 1 }, 1] }, 0],
        [{ q: ["x", 1, { b: 2, a: 1 }] }, "miss"],
        [{ q: ["x", { b: 2, a: 1 }, 1, "x"] }, "miss"],
      ],
    ],
    [
      "a function",
      (asked, was) => String(asked).toLowerCase() === String(was).toLowerCase(),
      { q: "Oslo" },
      [
        [{ q: "OSLO" }, 0],
        [{ q: "Rome" }, "miss"],
        [{}, "miss"],
      ],
    ],
  ])("%s", (_name, operator, was, cases) => {
    for (const [args, answer] of cases as readonly (readonly [unknown, unknown])[]) {
      expect(answers(recorded(operating("/arguments/q", operator), [was]), [args])).toEqual([answer]);
    }
  });

  test.each([
    ["1.02", 0.01, "1e999", "miss"],
    ["1e999", 0.01, "1.02", "miss"],
    ["1e999", 1.7e308, "1e400", "miss"],
    ["1e999", 1.7e308, "-1e999", "miss"],
    ["1.7e308", 1.797e308, "-1.7e308", "miss"],
    ["1e999", 1, "10e998", 0],
    ["1.7e308", 1e300, "1.7e308", 0],
  ])(
    "beyond the doubles only the same number is near: %s, give or take %d, for %s",
    (was, tolerance, q, is) => {
      const asked = (x: string, y: number) =>
        `{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"forecast","arguments":{"x":${x},"y":${y}}}}`;
      const match = { "/arguments/x": { tolerance }, "/arguments/y": "any" as const };
      expect(answers(recorded({ "tools/call": { match } }, [asked(was, 1)]), [asked(q, 2)])).toEqual([is]);
    },
  );

  test("a pattern that the recorded value does not hold to lets nothing answer", () => {
    expect(
      answers(recorded(operating("/arguments/q", { pattern: "^a" }), [{ q: "x" }]), [{ q: "a" }]),
    ).toEqual(["miss"]);
  });

  test("numbers that JavaScript cannot hold stay apart where no rule is for them", () => {
    const asked = (n: string, at: number) =>
      `{"id":0,"method":"tools/call","params":{"name":"forecast","arguments":{"n":${n},"at":${at}}}}`;
    const recording = recorded(ignoring("/arguments/at"), [asked("9007199254740993", 1)]);
    expect(answers(recording, [asked("9007199254740993", 2), asked("9007199254740992", 2)])).toEqual([
      0,
      "miss",
    ]);
  });

  test("* stands for every member and element", () => {
    const rules = {
      "tools/call": { ignore: ["/arguments/*/at"], match: { "/arguments/points/*/x": { tolerance: 1 } } },
    };
    const recording = recorded(rules, [{ points: [{ x: 1 }, { x: 5 }], a: { at: 1, b: 1 } }]);
    expect(
      answers(recording, [
        { points: [{ x: 2 }, { x: 4 }], a: { at: 2, b: 1 } },
        { points: [{ x: 2 }, { x: 7 }], a: { at: 2, b: 1 } },
        { points: [{ x: 2 }], a: { at: 2, b: 1 } },
        { points: [{ x: 1 }, { x: 5 }], a: { at: 1, b: 2 } },
      ]),
    ).toEqual([0, "miss", "miss", "miss"]);
  });

  test("rules for the method and for its name count together, the more precise first", () => {
    const rules: MatchRules = {
      "tools/call": { ignore: ["/arguments/at"], match: { "/arguments/q": { pattern: "^a" } } },
      "tools/call forecast": { match: { "/arguments/q": { pattern: "^b" } } },
    };
    expect(
      answers(recorded(rules, [{ q: "b1", at: 1 }]), [
        { q: "b2", at: 2 },
        { q: "a2", at: 2 },
      ]),
    ).toEqual([0, "miss"]);
  });

  test("a function as a rule is asked about whole params, of its tool alone", () => {
    const seen: unknown[] = [];
    const decide: MatchFunction = (asked, was) => {
      seen.push([asked, was]);
      return true;
    };
    const recording = recorded({ "tools/call": decide }, [{ q: 1 }]);
    const live = recording.connect();
    expect(live.say(call({ q: 2 }))[0].result).toBe(0);
    expect(seen).toEqual([
      [
        { name: "forecast", arguments: { q: 2 } },
        { name: "forecast", arguments: { q: 1 } },
      ],
    ]);
    expect(live.say(call({ q: 2 }, "other"))[0].error.data.reason).toBe("unrecorded");
    expect(live.say(request(4, "prompts/get", { name: "forecast" }))[0].error.data.reason).toBe("unrecorded");
  });

  test.each<[string, () => unknown]>([
    ["answered [object Promise]", async () => true],
    ["answered 1", () => 1],
    [
      "failed: no",
      () => {
        throw new Error("no");
      },
    ],
  ])("a function that %s is told of, and lets nothing answer", (what, decide) => {
    for (const match of [{ "tools/call": decide }, operating("/arguments/q", decide as MatchFunction)]) {
      const told: string[] = [];
      const options = { onNotice: (notice: string) => told.push(notice) };
      expect(answers(recorded(match as MatchRules, [{ q: 1 }], options), [{ q: 2 }])).toEqual(["miss"]);
      expect(told.join()).toContain(`mcp-vcr.config.yaml: the matching function of "tools/call" ${what}`);
    }
  });
});

describe("misses", () => {
  const missOf = (recording: Tape, args: unknown) => recording.connect().say(call(args))[0].error;

  test("differences that rules allow are none", () => {
    const rules: MatchRules = {
      "tools/call": {
        ignore: ["/arguments/at"],
        match: { "/arguments/x": { tolerance: 1 }, "/arguments/any": "any" },
      },
    };
    const error = missOf(recorded(rules, [{ at: 1, x: 1, any: { a: 1 }, city: "Oslo" }]), {
      at: 2,
      x: 2,
      any: { a: 2 },
      city: "Rome",
    });
    expect(error.data.nearest.differences.map((each: { pointer: string }) => each.pointer)).toEqual([
      "/arguments/city",
    ]);
    expect(error.message).toContain('match: { "tools/call forecast": { ignore: ["/arguments/city"] } }');
  });

  test("what is to be ignored comes to what is ignored already", () => {
    const error = missOf(recorded(ignoring("/arguments/at"), [{ at: 1, q: 1 }]), { at: 2, q: 2 });
    expect(error.data.looser).toEqual({
      rule: "tools/call forecast",
      ignore: ["/arguments/at", "/arguments/q"],
    });
  });

  test.each([
    ["another tool", [{ q: 1 }], call({ q: 1 }, "other")],
    ["nothing near", [], call({ q: 1 })],
    [
      "more than places could tell",
      [{}],
      call(Object.fromEntries(Array.from({ length: 60 }, (_, n) => [n, n]))),
    ],
    ["params of another kind", [{}], request(3, "tools/call", 7)],
  ])("%s leaves nothing to loosen", (_name, all, asked) => {
    const { data, message } = recorded({}, all).connect().say(asked)[0].error;
    expect(data.looser).toBeUndefined();
    expect(message).not.toContain("Or loosen");
  });

  test("the rule goes to the file that was read", () => {
    const tape = recorded({}, [{ q: 1 }], { rules: new Rules({}, "conf/vcr.json") });
    expect(missOf(tape, { q: 2 }).message).toContain("\nOr loosen, in conf/vcr.json:  match: {");
  });

  test("many places are told as the one that holds them", () => {
    const many = (n: number) => ({ list: Array.from({ length: 9 }, () => n), q: 1 });
    expect(missOf(recorded({}, [many(1)]), many(2)).data.looser.ignore).toEqual(["/arguments/list"]);
  });
});

test("rules for nothing recorded are told, with all they could be for", () => {
  const rules = {
    "tools/cal forecast": {},
    "tools/call": {},
    "tools/call forcast": {},
    "tools/call forecast": {},
  };
  const { loosely } = recorded(rules, [{ q: 1 }]).player;
  expect(loosely?.idle()).toEqual({
    rules: ["tools/cal forecast", "tools/call forcast"],
    recorded: ["tools/call", "tools/call forecast"],
  });
});

describe("rules that cannot be meant", () => {
  const lower: MatchFunction = () => true;
  test.each<[MatchRules, readonly (string | number)[]]>([
    [
      { "tools/call forecast": { ignore: ["/arguments/a", "/name"] } },
      ["match", "tools/call forecast", "ignore", 1],
    ],
    [{ "prompts/get": { match: { "/name": "any" } } }, ["match", "prompts/get", "match", "/name"]],
    [
      {
        "tools/call": {
          match: { "/arguments/l": { unordered: true }, "/arguments/l/*/x": { tolerance: 1 } },
        },
      },
      ["match", "tools/call", "match", "/arguments/l/*/x"],
    ],
    [
      { "tools/call": { match: { "/arguments/l/0/x": lower, "/arguments/*": { unordered: true } } } },
      ["match", "tools/call", "match", "/arguments/l/0/x"],
    ],
  ])("%j", (rules, path) => {
    expect(ruleFault(rules)?.path).toEqual(path);
  });

  test.each<MatchRules>([
    { "tools/list": { ignore: ["/name"] } },
    { "tools/call": { match: { "/arguments/l": { unordered: true }, "/arguments/l/*/x": "any" } } },
    { "tools/call": lower, "resources/read": { match: { "/uri": { pattern: "^file:" } } } },
  ])("and such as can: %j", (rules) => {
    expect(ruleFault(rules)).toBeUndefined();
  });
});
