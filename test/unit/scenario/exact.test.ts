import { describe, expect, test } from "vitest";
import { compareNumbers } from "../../../src/scenario/exact-order.ts";
import { Bench, modern } from "./support.ts";

const NUMBERS = `scenario: 1
tools:
  - name: find
    inputSchema: { type: object, properties: { id: { type: integer } } }
    replies:
      - { when: { id: 9007199254740992 }, text: even }
      - { when: { id: { min: 9007199254740994 } }, text: more }
      - { when: { id: { below: 1 } }, text: less }
      - { when: { id: 1 }, text: "one: \${args.id}" }
      - { when: { id: { any: true } }, structuredContent: { id: "\${args.id}" } }
  - name: narrow
    inputSchema: { type: object, properties: { id: { type: integer, maximum: 9007199254740992 } } }
    replies: [{ text: there }]
`;

function call(name: string, args: string, id = 7): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;
}

describe("numbers that JavaScript would change", () => {
  test.each([
    ['{"id":9007199254740992}', '"text":"even"'],
    ['{"id":9007199254740995}', '"text":"more"'],
    ['{"id":-0.0}', '"text":"less"'],
    ['{"id":1.0}', '"text":"one: 1.0"'],
    ['{"id":10e-1}', '"text":"one: 10e-1"'],
    ['{"id":9007199254740993}', '"structuredContent":{"id":9007199254740993}'],
    ['{"id":9007199254740993}', '"text":"{\\"id\\":9007199254740993}"'],
  ])("meet what equals them, and come back as they are: %s", async (args, answer) => {
    const bench = await Bench.of(NUMBERS);
    bench.initialize();
    const [text] = bench.raw(call("find", args)) as [string];
    expect(text).toContain(answer);
  });

  test("are a miss where a schema cannot be held against them", async () => {
    const bench = await Bench.of(NUMBERS);
    bench.initialize();
    bench.raw(call("narrow", '{"id":9007199254740993}'));
    expect(bench.misses[0]).toMatchObject({
      reason: "unfit",
      why: expect.stringContaining("9007199254740993"),
    });
    expect(bench.raw(call("narrow", '{"id":9007199254740995}'))[0]).toContain("must be <= 9007199254740992");
    expect(bench.raw(call("narrow", '{"id":-9007199254740993}'))[0]).toContain("there");
    bench.raw(call("narrow", '{"id":9007199254740992.5}'));
    expect(bench.misses).toHaveLength(2);
  });

  test("are a miss for a function, which cannot be told of them", async () => {
    const handler = ({ args }: { args: { id: number } }) => ({ text: String(args.id) });
    const bench = await Bench.of({ scenario: 1, tools: [{ name: "f", replies: [{ handler }] }] });
    bench.initialize();
    expect(bench.raw(call("f", '{"id":1.0}'))[0]).toContain('"text":"1"');
    bench.raw(call("f", '{"id":9007199254740993}'));
    expect(bench.misses[0]?.why).toContain("cannot be told of 9007199254740993");
  });

  test("are shown as digits where a reply misses them, and the mend can be written", async () => {
    const bench = await Bench.of(
      "scenario: 1\ntools: [{ name: f, replies: [{ when: { id: 9007199254740992 }, text: a }] }]\n",
    );
    bench.initialize();
    bench.raw(call("f", '{"id":9007199254740993}'));
    const [miss] = JSON.parse(JSON.stringify(bench.misses));
    expect(miss.nearest.differences).toEqual([
      { pointer: "/arguments/id", kind: "changed", before: 9007199254740992, after: "9007199254740993" },
    ]);
    expect(miss.fix).toContain('when: {"id":{"any":true}}');
  });

  test("stay what they are in the state, and over the rounds of a request", async () => {
    const bench = await Bench.of(`scenario: 1
tools:
  - name: keep
    replies:
      - ask: { ok: { elicit: { message: Keep?, requestedSchema: { type: object, properties: {} } } } }
        set: { id: "\${args.id}", said: "\${answers.ok.content.n}" }
        replies: [{ set: { id: "\${args.id}", said: "\${answers.ok.content.n}" }, text: kept }]
  - { name: tell, replies: [{ structuredContent: "\${state}" }] }
`);
    const { _meta } = modern({ elicitation: {} });
    const ask = (name: string, more: string) =>
      bench.raw(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","_meta":${JSON.stringify(_meta)}${more}}}`,
      )[0] as string;
    const { requestState } = JSON.parse(ask("keep", ',"arguments":{"id":9007199254740993}')).result;
    const again = (id: string) =>
      `,"arguments":{"id":${id}},"requestState":"${requestState}","inputResponses":{"ok":{"action":"accept","content":{"n":1.50}}}`;
    expect(ask("keep", again("9007199254740992"))).toContain("none that was given out for this request");
    expect(ask("keep", again("9007199254740993"))).toContain("kept");
    expect(ask("tell", "")).toContain('"structuredContent":{"id":9007199254740993,"said":1.50}');
  });
});

test.each([
  ["1", "1.0", 0],
  ["-1", "1", -1],
  ["0", "-0", 0],
  ["0.1", "0.01", 1],
  ["9007199254740993", "9007199254740992", 1],
  ["-9007199254740993", "-9007199254740992", -1],
  ["1e400", "1e399", 1],
  ["120", "12.0e1", 0],
  ["1e-400", "0", 1],
  ["100", "99", 1],
])("%s against %s", (a, b, order) => {
  expect(Math.sign(compareNumbers(a, b))).toBe(order);
  expect(Math.sign(compareNumbers(b, a))).toBe(-order + 0);
});
