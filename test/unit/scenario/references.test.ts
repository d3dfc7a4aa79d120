import { describe, expect, test } from "vitest";
import { Bench, textIn } from "./support.ts";

describe("references", () => {
  test("to null are null", async () => {
    const bench = await Bench.of(
      'scenario: 1\ntools: [{ name: f, replies: [{ structuredContent: { x: "${args.x}", y: "${args.x:-5}" }, text: "it is ${args.x}" }] }]\n',
    );
    bench.initialize();
    const { result } = bench.call("f", { x: null });
    expect(result).toEqual({
      content: [{ type: "text", text: "it is null" }],
      structuredContent: { x: null, y: null },
    });
  });

  test("in a key stand for text", async () => {
    const bench = await Bench.of(
      'scenario: 1\ntools: [{ name: f, replies: [{ structuredContent: { "${args.x}": 1, "$${a}": 2 } }] }]\n',
    );
    bench.initialize();
    expect(bench.call("f", { x: 5 }).result).toMatchObject({ structuredContent: { 5: 1, "${a}": 2 } });
  });

  test("are none in what a function returns, whatever a client says", async () => {
    const handler = ({ args }: { args: { x: string } }) => ({
      log: { data: args.x },
      structuredContent: { [args.x]: [args.x] },
      text: args.x,
    });
    const bench = await Bench.of({
      scenario: 1,
      state: { secret: "s3cret" },
      tools: [{ name: "f", replies: [{ handler }] }],
    });
    bench.initialize();
    for (const x of ["${state.secret}", "a ${nonsense} b", "$${x} $$${y}", "${", "${args.${x}"]) {
      const answer = bench.call("f", { x });
      expect(textIn(answer)).toBe(x);
      expect(answer.result).toMatchObject({ structuredContent: { [x]: [x] } });
      expect(bench.sent.at(-2)?.message).toMatchObject({ params: { data: x } });
    }
    expect(bench.misses).toEqual([]);
  });
});
