import { describe, expect, test } from "vitest";
import { MATCHERS } from "../../../src/testing/expect/matchers.ts";
import { mismatches } from "../../../src/testing/expect/partial.ts";

const heard = (...received: readonly [method: string, params?: object][]) => ({
  name: "weather.yaml",
  received: received.map(([method, params]) => ({ jsonrpc: "2.0" as const, method, params })),
  misses: [],
  explanations: [],
});

const CALLS = heard(
  ["initialize", {}],
  ["tools/call", { name: "forecast", arguments: { city: "Oslo" }, _meta: { progressToken: 1 } }],
  ["tools/call", { name: "forecast", arguments: { city: "Oslo" } }],
  ["tools/call", { name: "compare", arguments: {} }],
);

describe("toHaveReceived", () => {
  test.each([
    ["tools/call", undefined, true],
    ["tools/call", { name: "forecast" }, true],
    ["tools/call", { arguments: { city: expect.stringMatching(/^O/) as string } }, true],
    ["tools/call", { arguments: { city: /slo$/ } }, true],
    ["tools/call", { arguments: { city: "Oslo", days: undefined } }, true],
    ["tools/call", { _meta: { progressToken: 1 } }, true],
    ["tools/call", { name: "forecast", arguments: { city: "Rome" } }, false],
    ["tools/list", undefined, false],
  ])("%s with %j: %s", (method, params, pass) => {
    expect(MATCHERS.toHaveReceived(CALLS, method, params).pass).toBe(pass);
  });

  test("names the nearest, where it differs, and all that was received", () => {
    const { message, expected, actual } = MATCHERS.toHaveReceived(CALLS, "tools/call", {
      name: "forecast",
      arguments: { city: "Rome", days: 2 },
    });
    expect(message()).toBe(
      [
        "weather.yaml was expected to receive tools/call with",
        '  {"name":"forecast","arguments":{"city":"Rome","days":2}}',
        'nearest  {"name":"forecast","arguments":{"city":"Oslo"}}',
        '         differs at /arguments/city: expected "Rome", received "Oslo"',
        "         differs at /arguments/days: expected 2, received without",
        "received initialize, tools/call forecast (2 times), tools/call compare",
      ].join("\n"),
    );
    expect(expected).toEqual({ name: "forecast", arguments: { city: "Rome", days: 2 } });
    expect(actual).toEqual({ name: "forecast", arguments: { city: "Oslo" } });
  });

  test("says so where nothing was received, and where it was and should not have been", () => {
    expect(MATCHERS.toHaveReceived(heard(), "tools/call").message()).toBe(
      "weather.yaml was expected to receive tools/call\nreceived nothing",
    );
    expect(MATCHERS.toHaveReceived(CALLS, "tools/call", { name: "compare" }).message()).toBe(
      'weather.yaml was expected not to receive tools/call with\n  {"name":"compare"}, and it did: once',
    );
  });
});

test.each(["", "g", "y", "gy"])(
  "a regular expression is asked of every text anew, under the flags %j too",
  (flags) => {
    const params = { arguments: { city: new RegExp("Os", flags) } };
    for (const _again of [1, 2]) {
      expect(MATCHERS.toHaveReceivedTimes(CALLS, "tools/call", 2, params).pass).toBe(true);
    }
    expect(params.arguments.city.lastIndex).toBe(0);
  },
);

test("toHaveReceivedTimes counts", () => {
  expect(MATCHERS.toHaveReceivedTimes(CALLS, "tools/call", 3).pass).toBe(true);
  expect(MATCHERS.toHaveReceivedTimes(CALLS, "tools/list", 0).pass).toBe(true);
  const { pass, message } = MATCHERS.toHaveReceivedTimes(CALLS, "tools/call", 1, { name: "forecast" });
  expect([pass, message()]).toEqual([
    false,
    'weather.yaml was expected to receive tools/call with\n  {"name":"forecast"} once, and received it 2 times\nreceived initialize, tools/call forecast (2 times), tools/call compare',
  ]);
});

test("toHaveNoMisses explains them", () => {
  expect(MATCHERS.toHaveNoMisses(CALLS).pass).toBe(true);
  const { pass, message } = MATCHERS.toHaveNoMisses({ ...CALLS, explanations: ["No recorded exchange …"] });
  expect([pass, message()]).toEqual([
    false,
    "weather.yaml was expected to answer all requests\n\nNo recorded exchange …",
  ]);
});

test.each([undefined, {}, Promise.resolve(CALLS), "weather"])("what is no tape is told: %s", (tape) => {
  expect(() => MATCHERS.toHaveReceived(tape, "tools/call")).toThrow(/a tape was expected, not/);
});

test.each([
  [{ a: 1 }, { a: 1, b: 2 }, []],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2, c: 3 }] }, []],
  [{ a: [1] }, { a: [1, 2] }, ["/a"]],
  [{ a: 1 }, { a: "1" }, ["/a"]],
  [{ a: {} }, { a: [] }, ["/a"]],
  [{ a: null }, {}, ["/a"]],
  [{ "a/b~": { c: 1 } }, { "a/b~": {} }, ["/a~1b~0/c"]],
  [{ toString: undefined }, {}, []],
  [7, 8, [""]],
])("%j, where there is %j, differs at %j", (expected, actual, pointers) => {
  expect(mismatches(expected, actual).map(({ pointer }) => pointer)).toEqual(pointers);
});

class City {
  readonly #name = "Oslo";
  get name() {
    return this.#name;
  }
}
const itself: Record<string, unknown> = {};
itself.again = { itself };

test.each<[string, unknown]>([
  ["params are an object, not the number 2", 2],
  ["params are an object, not null", null],
  ["params are an object, not a list", []],
  ["params are an object, not the regular expression /forecast/", /forecast/],
  ["params hold an object of the class Map", new Map([["name", "forecast"]])],
  ["params hold an object of the class Date", new Date()],
  ["params hold a promise (await it)", Promise.resolve({})],
  ["params hold an object of the class City", new City()],
  ["params at /arguments/cities hold an object of the class Set", { arguments: { cities: new Set() } }],
  ["params at /a/0 hold the bigint 1", { a: [1n] }],
  ["params at /a hold the number NaN", { a: Number.NaN }],
  ["params at /a hold a function", { a: () => true }],
  ["params at /again/itself hold themselves", itself],
])("no test passes, nor the opposite, by what cannot be compared: %s", (told, params) => {
  const usage = (caller: string) =>
    expect.objectContaining({
      code: "usage",
      message: expect.stringContaining(`${caller}: ${told}`) as string,
      hint: expect.any(String) as string,
    }) as Error;
  const wanted = params as object;
  expect(() => MATCHERS.toHaveReceived(CALLS, "tools/call", wanted)).toThrow(usage("toHaveReceived"));
  expect(() => MATCHERS.toHaveReceivedTimes(CALLS, "tools/call", 1, wanted)).toThrow(
    usage("toHaveReceivedTimes"),
  );
});

test.each([/tools/, undefined, "", { method: "ping" }, 1])("a method is a name: %s", (method) => {
  expect(() => MATCHERS.toHaveReceived(CALLS, method as string)).toThrow(
    "toHaveReceived: a method is a string",
  );
  expect(() => MATCHERS.toHaveReceivedTimes(CALLS, method as string, 1)).toThrow(
    "toHaveReceivedTimes: a method is a string",
  );
});

test.each([undefined, { name: "forecast" }, "2", 1.5, -1, Number.NaN])("times are a count: %s", (times) => {
  expect(() => MATCHERS.toHaveReceivedTimes(CALLS, "tools/call", times as number)).toThrow(
    "toHaveReceivedTimes: times is a whole number",
  );
});

test("null prototypes, and the same value twice, are nothing special", () => {
  const city = Object.assign(Object.create(null) as object, { city: "Oslo" });
  expect(MATCHERS.toHaveReceived(CALLS, "tools/call", { arguments: city }).pass).toBe(true);
  expect(MATCHERS.toHaveReceived(CALLS, "tools/call", { arguments: city, other: city }).pass).toBe(false);
});

test("matchers of the test runners are shown as these call them", () => {
  const { message } = MATCHERS.toHaveReceived(CALLS, "tools/call", {
    name: expect.any(Number) as number,
    arguments: expect.objectContaining({ city: /^B/ }) as object,
    when: [expect.stringMatching(/^M/)],
  });
  expect(message()).toContain(
    '{"name":"Any<Number>","arguments":"ObjectContaining {\\"city\\":\\"/^B/\\"}","when":["StringMatching /^M/"]}',
  );
  expect(message()).toContain('differs at /name: expected "Any<Number>", received "forecast"');
});
