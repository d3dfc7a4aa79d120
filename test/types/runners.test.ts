import type { TestContext as NodeTestContext } from "node:test";
import type { expect as jestExpect } from "@jest/globals";
import type { Client as Client2 } from "@modelcontextprotocol/client";
import type { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, expectTypeOf, type TestContext, test } from "vitest";
import { FAULT_NAMES } from "../../src/faults/table.ts";
import type { FaultDo, MockServer, Tape } from "../../src/index.ts";
import type * as forJest from "../../src/testing/runners/jest.ts";
import type * as forNode from "../../src/testing/runners/node-test.ts";
import type * as forVitest from "../../src/testing/runners/vitest.ts";

/** Judged by the compiler (`npm run types`); running it only shows that the names are there. */

interface Matchers<Result> {
  toHaveReceived(method: string, params?: object): Result;
  toHaveReceivedTimes(method: string, times: number, params?: object): Result;
  toHaveNoMisses(): Result;
}

type Called<Entry extends { useCassette: unknown }> = Entry["useCassette"];

describe("useCassette", () => {
  test("of vitest takes a name, options, either, neither, and a context before them", () => {
    type Use = Called<typeof forVitest>;
    expectTypeOf<Use>().toBeCallableWith();
    expectTypeOf<Use>().toBeCallableWith("weather");
    expectTypeOf<Use>().toBeCallableWith("weather", { strict: true });
    expectTypeOf<Use>().toBeCallableWith({ server: ["node", "x.js"] });
    expectTypeOf<Use>().toBeCallableWith({} as TestContext, "weather");
    expectTypeOf<Use>().returns.toEqualTypeOf<Promise<Tape>>();
  });

  test("of jest takes a name, options, either, neither", () => {
    type Use = Called<typeof forJest>;
    expectTypeOf<Use>().toBeCallableWith();
    expectTypeOf<Use>().toBeCallableWith("weather", { unused: "fail" });
    expectTypeOf<Use>().toBeCallableWith({ unused: "fail" });
    expectTypeOf<Use>().returns.toEqualTypeOf<Promise<Tape>>();
  });

  test("of node:test takes the context first", () => {
    type Use = Called<typeof forNode>;
    expectTypeOf<NodeTestContext>().toExtend<Parameters<Use>[0]>();
    expectTypeOf<Use>().parameter(0).not.toEqualTypeOf<string>();
    expectTypeOf<Use>().returns.toEqualTypeOf<Promise<Tape>>();
  });
});

describe("matchers", () => {
  test("are known to vitest's expect", () => {
    expectTypeOf(expect).toBeFunction();
    expectTypeOf<ReturnType<typeof expect<Tape>>>().toExtend<Matchers<void>>();
    expectTypeOf<ReturnType<typeof expect<Tape>>["not"]>().toExtend<Matchers<void>>();
  });

  test("are known to jest's expect", () => {
    expectTypeOf<ReturnType<typeof jestExpect<Tape>>>().toExtend<Matchers<void>>();
    expectTypeOf<ReturnType<typeof jestExpect<Tape>>["not"]>().toExtend<Matchers<void>>();
    expectTypeOf<ReturnType<typeof jestExpect<Promise<Tape>>>["resolves"]>().toExtend<
      Matchers<Promise<void>>
    >();
  });

  test("take no method that is no text", () => {
    type Received = ReturnType<typeof expect<Tape>>["toHaveReceived"];
    expectTypeOf<Received>().parameter(0).toEqualTypeOf<string>();
    expectTypeOf<Received>().parameter(1).toEqualTypeOf<object | undefined>();
  });
});

describe("a mock", () => {
  test("is a tape, whose transport clients of both SDKs take", () => {
    expectTypeOf<MockServer>().toExtend<Tape>();
    expectTypeOf<ReturnType<MockServer["transport"]>>().toExtend<Parameters<Client1["connect"]>[0]>();
    expectTypeOf<ReturnType<MockServer["transport"]>>().toExtend<Parameters<Client2["connect"]>[0]>();
    expectTypeOf<ReturnType<(typeof forVitest)["mockServer"]>>().toEqualTypeOf<Promise<MockServer>>();
    expectTypeOf<ReturnType<(typeof forJest)["mockServer"]>>().toEqualTypeOf<Promise<MockServer>>();
    expectTypeOf<ReturnType<(typeof forNode)["mockServer"]>>().toEqualTypeOf<Promise<MockServer>>();
  });

  test("knows the arguments of its tools", () => {
    const replies = (mock: MockServer) => mock.tool<{ city: string; days?: number }>("forecast");
    type Tool = ReturnType<typeof replies>;
    expectTypeOf<{ city: "Oslo" }>().toExtend<Parameters<Tool["when"]>[0]>();
    expectTypeOf<{ city: { pattern: "^Os" } }>().toExtend<Parameters<Tool["when"]>[0]>();
    // @ts-expect-error: no such argument
    const wrong = (mock: MockServer) => replies(mock).when({ town: "Oslo" });
    const right = (mock: MockServer) =>
      replies(mock)
        .when({ city: "Oslo" })
        .delay("2s")
        .reply(({ args }) => {
          expectTypeOf(args).toEqualTypeOf<{ city: string; days?: number }>();
          return args.city;
        })
        .toolError("no such city");
    expect([wrong, right]).toHaveLength(2);
    // @ts-expect-error: a prompt does not fail as a tool does
    expect((mock: MockServer) => mock.prompt("greet").toolError("no")).toBeTypeOf("function");
  });
});

test("faults are known by their names", () => {
  const NAMES: { readonly [Name in keyof Required<FaultDo>]: true } = {
    delay: true,
    jitter: true,
    hang: true,
    slow: true,
    answerAfterCancel: true,
    error: true,
    toolError: true,
    malformed: true,
    truncate: true,
    wrongId: true,
    duplicate: true,
    oversized: true,
    close: true,
    crash: true,
    status: true,
    sessionLost: true,
    cut: true,
    noise: true,
  };
  expect(Object.keys(NAMES)).toEqual(FAULT_NAMES);
});
