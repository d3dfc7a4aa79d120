import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapePointer } from "../../src/protocol/json-diff.ts";
import type { JsonObject, JsonValue } from "../../src/protocol/message.ts";
import type { MatchOperator } from "../../src/replay/match-operators.ts";
import { type MatchRules, Rules } from "../../src/replay/rules.ts";
import { client, type LiveClient, request, result, type Said, server, tape } from "../cases/tape.ts";
import { anyJson } from "./cassette-arbitraries.ts";

const check = <T>(property: fc.IProperty<T>, numRuns = 300): void =>
  fc.assert(property, { seed: Number(process.env.FC_SEED ?? 1), numRuns });

const call = (name: string, args: unknown) => request(1, "tools/call", { name, arguments: args });

/** A client of a recording of one call to each tool, answered by the tool's name. */
function liveWith(match: MatchRules, all: readonly (readonly [name: string, args: unknown])[]): LiveClient {
  const entries = all.flatMap(([name, args]) => [client(call(name, args)), server(result(1, name))]);
  return tape(entries, { rules: new Rules(match, "mcp-vcr.config.yaml") }).connect();
}

const answerOf = (live: LiveClient, asked: Said): unknown => live.say(asked)[0].result ?? "miss";

/** Some key is always there, to be ignored. */
const anyKey = fc.oneof(
  fc.constantFrom("at", "a/b", "~", "", "*", "0", "__proto__", "."),
  fc.string({ maxLength: 4 }),
);
const anyArguments = fc.dictionary(anyKey, anyJson, { maxKeys: 4 });
const anyOperator: fc.Arbitrary<MatchOperator> = fc.constantFrom<MatchOperator>(
  "any",
  { pattern: "" },
  { tolerance: 1e9 },
  { unordered: true },
  () => true,
);

/** With a member of its own, `__proto__` too. */
function put(object: JsonObject, key: string, value: JsonValue): JsonObject {
  return Object.fromEntries([...Object.entries(object).filter(([name]) => name !== key), [key, value]]);
}

function shuffled(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shuffled);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  );
}

describe("ignoring a place", () => {
  test("makes equal what differs only there, in any order of keys", () => {
    check(
      fc.property(anyArguments, anyKey, anyJson, anyJson, (args, key, a, b) => {
        const live = liveWith({ "tools/call": { ignore: [`/arguments/${escapePointer(key)}`] } }, [
          ["t", put(args, key, a)],
        ]);
        expect(answerOf(live, call("t", shuffled(put(args, key, b))))).toBe("t");
        const without = Object.fromEntries(Object.entries(args).filter(([name]) => name !== key));
        // `*` stands for every member.
        if (key !== "*") expect(answerOf(live, call("t", without))).toBe("t");
      }),
    );
  });

  test("makes nothing equal that differs elsewhere", () => {
    check(
      fc.property(anyArguments, anyKey, anyKey, anyJson, anyJson, (args, key, other, a, b) => {
        fc.pre(key !== other && key !== "*" && JSON.stringify(shuffled(a)) !== JSON.stringify(shuffled(b)));
        fc.pre(!numbersAlike(a, b));
        const live = liveWith({ "tools/call": { ignore: [`/arguments/${escapePointer(key)}`] } }, [
          ["t", put(args, other, a)],
        ]);
        expect(answerOf(live, call("t", put(args, other, b)))).toBe("miss");
      }),
    );
  });
});

/** Equal for JSON: key order apart, and -0 is 0. */
function numbersAlike(a: JsonValue, b: JsonValue): boolean {
  const sorted = (value: JsonValue): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
    return Object.entries(value)
      .sort(([x], [y]) => (x < y ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]);
  };
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

describe("rules", () => {
  const anyRule = fc.oneof(
    fc.constant({ ignore: ["/arguments", "/*", "/_meta"] }),
    fc.constant(() => true),
    anyOperator.map((operator) => ({ match: { "/arguments": operator, "/arguments/*": operator } })),
  );

  test("never let a tool answer for another, nor a method", () => {
    const anyName = fc.constantFrom("a", "b", "a b", "", "__proto__", "A");
    check(
      fc.property(anyRule, anyName, anyName, anyArguments, (rule, recorded, asked, args) => {
        fc.pre(recorded !== asked);
        const live = liveWith({ "tools/call": rule, "prompts/get": rule }, [[recorded, args]]);
        expect(answerOf(live, call(asked, args))).toBe("miss");
        expect(answerOf(live, request(1, "prompts/get", { name: recorded, arguments: args }))).toBe("miss");
        expect(answerOf(live, call(recorded, args))).toBe(recorded);
      }),
    );
  });

  test("let an equal question be answered by its own recording, whatever they say", () => {
    check(
      fc.property(
        anyRule,
        fc.uniqueArray(fc.nat({ max: 9 }), { minLength: 1 }),
        fc.nat(),
        (rule, numbers, which) => {
          const entries = numbers.flatMap((n) => [client(call("t", { n })), server(result(1, n))]);
          const live = tape(entries, { rules: new Rules({ "tools/call": rule }, "x") }).connect();
          const n = numbers[which % numbers.length];
          live.say(call("t", { n: 10 }));
          expect(answerOf(live, call("t", { n }))).toBe(n);
        },
      ),
    );
  });

  test("the rule that a miss names lets the nearest answer", () => {
    check(
      fc.property(anyArguments, anyArguments, (recorded, asked) => {
        const before = liveWith({}, [["t", recorded]]);
        const [answer] = before.say(call("t", asked));
        const looser = answer.error?.data.looser;
        if (!looser) return;
        const live = liveWith({ [looser.rule]: { ignore: looser.ignore } }, [["t", recorded]]);
        expect(answerOf(live, call("t", asked))).toBe("t");
      }),
    );
  });

  test("that are for other messages change nothing", () => {
    check(
      fc.property(anyRule, anyArguments, anyArguments, (rule, recorded, asked) => {
        const all = [["t", recorded]] as const;
        expect(answerOf(liveWith({ "tools/call other": rule, ping: rule }, all), call("t", asked))).toBe(
          answerOf(liveWith({}, all), call("t", asked)),
        );
      }),
    );
  });
});
