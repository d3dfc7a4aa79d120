import fc from "fast-check";
import { expect, test } from "vitest";
import { readMessage } from "../../../src/protocol/message.ts";
import { questionOf } from "../../../src/replay/key.ts";
import { Questions } from "../../../src/replay/questions.ts";

const asked = fc.record({
  id: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  method: fc.constantFrom("tools/call", "prompts/get", "x"),
  params: fc.record({ name: fc.constantFrom("a", "b", "é"), n: fc.integer({ min: 0, max: 2 }) }),
});

test("what was asked before is the same question as if it were read anew", () => {
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 60 }), (all) => {
      const questions = new Questions();
      for (const each of all) {
        const message = readMessage(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...each })));
        expect(questions.of(message)).toEqual(questionOf(message));
      }
    }),
    { seed: Number(process.env.FC_SEED ?? 1) },
  );
});

test("what is asked for the third time is not read again", () => {
  const questions = new Questions();
  const ask = () =>
    questions.of(readMessage(new TextEncoder().encode('{"id":1,"method":"x","params":{"n":1}}')));
  const [, second, third] = [ask(), ask(), ask()];
  expect(third).toBe(second);
});
